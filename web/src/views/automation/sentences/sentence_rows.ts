// SPDX-License-Identifier: Apache-2.0
import { mdiPlus } from "virtual:icons/lazy";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { addedRow } from "./add_row";
import { placeOf, shiftOf, type Place } from "./drag";
import { inserted, keyOf, moved, type Path } from "./edit";
import { problemsOfList, type Editing } from "./editing";
import type { Section } from "./kinds";
import { rowStyles } from "./row_styles";
import type { RowMoves, SentenceRow } from "./sentence_row";
import "../../../elements/icon";
import "./sentence_row";

// When all is drawn that a change redraws, from the page down to this list.
function drawn(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}

// A list of triggers, conditions or steps, in their order.
@customElement("hearth-sentence-rows")
export class SentenceRows extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) section: Section = "triggers";
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) rows: readonly unknown[] = [];
  // The accessible name.
  @property() label = "";
  private stopDrag: (() => void) | undefined;

  static override styles = [
    shared,
    rowStyles,
    css`
      :host,
      ul {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.5rem;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      ul:empty {
        display: none;
      }

      li {
        position: relative;
        min-width: 0;
      }

      .said {
        margin: 0;
      }

      ul.dragging li {
        transition: translate 120ms;
      }

      ul.dragging li.dragged {
        z-index: 2;
        border-radius: var(--radius-small);
        box-shadow: var(--shadow-high);
        transition: none;
      }

      @media (prefers-reduced-motion: reduce) {
        ul.dragging li {
          transition: none;
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopDrag?.();
  }

  private change(rows: unknown[]): void {
    this.editing.change(this.path, rows);
  }

  private row(index: number): SentenceRow | undefined {
    return this.renderRoot.querySelectorAll<SentenceRow>("hearth-sentence-row")[index];
  }

  private async focusAt(index: number, what: "focusHandle" | "focusFirst"): Promise<void> {
    await drawn();
    const row = this.row(index);
    row?.[what]();
    row?.scrollIntoView({ block: "nearest" });
  }

  private async move(from: number, to: number): Promise<void> {
    if (to < 0 || to >= this.rows.length || from === to) return;
    this.change(moved(this.rows, from, to));
    this.editing.announce(t("row.moved", { place: to + 1, count: this.rows.length }));
    await this.focusAt(to, "focusHandle");
  }

  private async add(): Promise<void> {
    const heading = t(`add.${this.section}`);
    const row = await addedRow(this.section, heading);
    if (row === undefined) return;
    const at = this.rows.length;
    this.change([...this.rows, row]);
    await this.focusAt(at, "focusFirst");
  }

  private async duplicate(index: number): Promise<void> {
    this.change(inserted(this.rows, index + 1, structuredClone(this.rows[index])));
    await this.focusAt(index + 1, "focusHandle");
  }

  private async erase(index: number): Promise<void> {
    const rows = this.rows.filter((_, place) => place !== index);
    this.change(rows);
    this.editing.announce(t("row.deleted"));
    await drawn();
    if (rows.length > 0) await this.focusAt(Math.min(index, rows.length - 1), "focusHandle");
    else this.renderRoot.querySelector<HTMLElement>("button.add")?.focus();
  }

  // Until the pointer is let go; Escape leaves all as it was.
  private grab(event: PointerEvent, from: number): void {
    if (event.button !== 0 || this.rows.length < 2) return;
    const list = this.renderRoot.querySelector("ul") as HTMLElement;
    const items = [...list.children] as HTMLElement[];
    const places: Place[] = items.map((item) => item.getBoundingClientRect());
    const handle = event.currentTarget as HTMLElement;
    const start = event.clientY;
    const scrolled = window.scrollY;
    let to = from;
    let begun = false;
    handle.setPointerCapture(event.pointerId);
    const follow = ({ clientY }: PointerEvent): void => {
      const far = clientY - start + window.scrollY - scrolled;
      if (!begun && Math.abs(far) < 5) return;
      begun = true;
      list.classList.add("dragging");
      items[from]?.classList.add("dragged");
      const own = places[from] as Place;
      to = placeOf(places, from, (own.top + own.bottom) / 2 + far);
      items.forEach((item, index) => (item.style.translate = `0 ${index === from ? far : shiftOf(places, from, to, index)}px`));
      if (clientY < 60) window.scrollBy(0, -12);
      else if (clientY > innerHeight - 60) window.scrollBy(0, 12);
    };
    const end = (): void => {
      this.stopDrag = undefined;
      for (const [type, listener] of Object.entries(listeners)) handle.removeEventListener(type, listener as EventListener);
      window.removeEventListener("keydown", pressed, true);
      list.classList.remove("dragging");
      for (const item of items) {
        item.classList.remove("dragged");
        item.style.translate = "";
      }
    };
    const drop = (): void => {
      end();
      if (begun) void this.move(from, to);
    };
    const pressed = (key: KeyboardEvent): void => {
      if (key.key === "Escape") end();
    };
    const listeners = { pointermove: follow, pointerup: drop, pointercancel: end };
    for (const [type, listener] of Object.entries(listeners)) handle.addEventListener(type, listener as EventListener);
    window.addEventListener("keydown", pressed, true);
    this.stopDrag = end;
  }

  private movesOf(index: number): RowMoves {
    return {
      index,
      count: this.rows.length,
      move: (step) => void this.move(index, index + step),
      duplicate: () => void this.duplicate(index),
      erase: () => void this.erase(index),
      grab: (event) => this.grab(event, index),
    };
  }

  override render() {
    const { editing, rows, section } = this;
    const problems = problemsOfList(editing.problems, this.path, rows.length);
    return html`${problems.map(({ path, message }) => html`<p class="said" tabindex="-1" data-path=${path}>${message}</p>`)}
      ${rows.length === 0
        ? nothing
        : html`<ul role="list" aria-label=${this.label}>
            ${repeat(
              rows,
              (row, index) => keyOf(row, index),
              (row, index) =>
                html`<li><hearth-sentence-row .editing=${editing} .section=${section} .path=${[...this.path, index]} .config=${row} .moves=${this.movesOf(index)}></hearth-sentence-row></li>`,
            )}
          </ul>`}
      ${editing.fixed
        ? nothing
        : html`<button type="button" class="small add" aria-haspopup="dialog" @click=${() => void this.add()}><hearth-icon .path=${mdiPlus}></hearth-icon>${t(`add.${section}`)}</button>`}`;
  }
}
