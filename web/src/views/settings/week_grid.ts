// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { cell, cells, clock, filled, painted, weekdays, type Week, type Weekday } from "./week";

interface Place {
  day: number;
  index: number;
}

const labels = { none: "week.off", part: "week.partly", whole: "week.on" } as const;

// The cell of 7:00.
const morning = 14;

// The week of a schedule, half an hour a cell. A click or Space turns one on or off, a drag or Shift with the arrow keys paints. Fires
// `change-week` with a Week.
@customElement("hearth-week-grid")
export class WeekGrid extends LitElement {
  @property({ attribute: false }) week!: Week;
  @state() private place: Place = { day: 0, index: 16 };
  private painting: { from: Place; on: boolean; before: Week } | undefined;

  static override styles = [
    shared,
    css`
      [role="grid"] {
        display: grid;
        grid-template-columns: 3.2rem repeat(7, minmax(0, 1fr));
        isolation: isolate; /* what sticks in it stays below the heading of a dialog */
        max-height: 21rem;
        border: 1px solid var(--border-strong);
        border-radius: var(--radius-small);
        overflow-y: auto;
        overscroll-behavior: contain;
        user-select: none;
      }

      [role="row"] {
        display: contents;
      }

      [role="columnheader"],
      [role="rowheader"] {
        background: var(--surface);
        color: var(--text-2);
        font-size: 0.82rem;
      }

      [role="columnheader"] {
        position: sticky;
        z-index: 1;
        top: 0;
        padding: 0.35rem 0;
        border-bottom: 1px solid var(--border-strong);
        font-weight: 600;
        text-align: center;
      }

      [role="rowheader"] {
        position: relative;
        height: 1.25rem;
        padding-inline-end: 0.4rem;
        line-height: 1.25rem;
        text-align: end;
      }

      [role="gridcell"] {
        height: 1.25rem;
        border-inline-start: 1px solid var(--border);
        cursor: pointer;
      }

      .hour {
        border-top: 1px solid var(--border);
      }

      .whole {
        background: var(--accent);
      }

      .part {
        background: repeating-linear-gradient(135deg, var(--accent) 0 4px, transparent 4px 8px);
      }

      [role="gridcell"]:focus-visible {
        outline: 3px solid var(--text);
        outline-offset: -3px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("pointerup", this.release);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("pointerup", this.release);
  }

  // To what is painted first, or to the morning: most schedules begin there.
  override firstUpdated(): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('[role="grid"]');
    const first = [...this.renderRoot.querySelectorAll<HTMLElement>('.whole[role="gridcell"], .part[role="gridcell"]')].reduce<number>(
      (least, { dataset }) => Math.min(least, Number(dataset.place?.split(".")[1])),
      Infinity,
    );
    const cell = this.renderRoot.querySelector<HTMLElement>(`[data-place="0.${Number.isFinite(first) ? first : morning}"]`);
    const head = this.renderRoot.querySelector<HTMLElement>('[role="columnheader"]');
    if (grid && cell)
      grid.scrollTop += cell.getBoundingClientRect().top - grid.getBoundingClientRect().top - (head?.offsetHeight ?? 0) - cell.offsetHeight;
  }

  private readonly release = (): void => void (this.painting = undefined);

  private day(day: number): Weekday {
    return weekdays[day] as Weekday;
  }

  private isOn({ day, index }: Place): boolean {
    return filled(this.week[this.day(day)], index) === "whole";
  }

  // All cells of the rectangle between the two.
  private paint(week: Week, from: Place, to: Place, on: boolean): void {
    const [first, last] = [Math.min(from.index, to.index), Math.max(from.index, to.index)];
    const days = weekdays.slice(Math.min(from.day, to.day), Math.max(from.day, to.day) + 1);
    const next = { ...week };
    for (const day of days) next[day] = painted(next[day], first, last, on);
    this.week = next;
    this.dispatchEvent(new CustomEvent<Week>("change-week", { detail: next }));
  }

  private press(event: PointerEvent, place: Place): void {
    if (event.pointerType !== "mouse" || event.button !== 0) return; // a finger scrolls, and taps
    this.painting = { from: place, on: !this.isOn(place), before: this.week };
    this.place = place;
    this.paint(this.week, place, place, this.painting.on);
  }

  private enter(place: Place): void {
    if (!this.painting) return;
    const { before, from, on } = this.painting;
    this.paint(before, from, place, on);
  }

  private tap(event: MouseEvent, place: Place): void {
    if ((event as PointerEvent).pointerType === "mouse" && event.detail > 0) return; // the press has done it
    this.place = place;
    this.paint(this.week, place, place, !this.isOn(place));
  }

  private key(event: KeyboardEvent): void {
    const { day, index } = this.place;
    const moves: Record<string, Place> = {
      ArrowUp: { day, index: index - 1 },
      ArrowDown: { day, index: index + 1 },
      ArrowLeft: { day: day - 1, index },
      ArrowRight: { day: day + 1, index },
      Home: { day, index: 0 },
      End: { day, index: cells - 1 },
      PageUp: { day, index: Math.max(0, index - 8) },
      PageDown: { day, index: Math.min(cells - 1, index + 8) },
    };
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      return this.paint(this.week, this.place, this.place, !this.isOn(this.place));
    }
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    if (to.day < 0 || to.day > 6 || to.index < 0 || to.index >= cells) return;
    if (event.shiftKey) this.paint(this.week, this.place, to, this.isOn(this.place));
    this.place = to;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[data-place="${to.day}.${to.index}"]`)?.focus());
  }

  override render() {
    return html`<div
      role="grid"
      aria-label=${t("week.label")}
      aria-multiselectable="true"
      @keydown=${(event: KeyboardEvent) => this.key(event)}
    >
      <div role="row">
        <span role="columnheader"><span class="visually-hidden">${t("week.time")}</span></span>
        ${weekdays.map(
          (day) => html`<span role="columnheader" aria-label=${t(`helpers.${day}`)}>${t(`helpers.${day}`).slice(0, 2)}</span>`,
        )}
      </div>
      ${Array.from({ length: cells }, (_, index) => this.row(index))}
    </div>`;
  }

  private row(index: number): TemplateResult {
    const isHour = (index * cell) % 60 === 0;
    return html`<div role="row">
      <span role="rowheader" class=${isHour ? "hour" : ""}
        ><span class=${isHour ? "" : "visually-hidden"}>${clock(index * cell)}</span></span
      >
      ${weekdays.map((day, at) => {
        const place = { day: at, index };
        const how = filled(this.week[day], index);
        const isHere = this.place.day === at && this.place.index === index;
        return html`<span
          role="gridcell"
          class="${how} ${isHour ? "hour" : ""}"
          data-place="${at}.${index}"
          tabindex=${isHere ? "0" : "-1"}
          aria-selected=${how === "none" ? "false" : "true"}
          aria-label=${t(labels[how], { when: `${t(`helpers.${day}`)} ${clock(index * cell)}` })}
          @pointerdown=${(event: PointerEvent) => this.press(event, place)}
          @pointerenter=${() => this.enter(place)}
          @click=${(event: MouseEvent) => this.tap(event, place)}
        ></span>`;
      })}
    </div>`;
  }
}
