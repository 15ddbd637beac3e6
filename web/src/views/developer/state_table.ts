// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home, Unsubscribe } from "../../api/home";
import type { Entity } from "../../api/types";
import { formatTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

// Drawn above and below what is seen, in rows.
const margin = 6;
// With changes all the time: how often the rows are drawn, and how often it is looked anew which rows there are. Milliseconds.
const drawInterval = 200;
const matchInterval = 600;

function brief(entity: Entity): string {
  const text = JSON.stringify(entity.attributes);
  return text === "{}" ? "" : text.slice(0, 160);
}

// Every state of the home, of which those rows exist that are seen. Fires `choose-entity` with the id as detail, and `count-rows` with
// how many rows there are.
@customElement("hearth-state-table")
export class StateTable extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() filter = "";
  @property() chosen = "";
  @state() private first = 0;
  @state() private rows: string[] = [];
  // The row that the Tab key goes to.
  @state() private current = 0;
  @query(".scroll") private scroller!: HTMLElement;
  private all: string[] = [];
  private counted: number | undefined;
  private rowHeight = 48;
  private stops: Unsubscribe[] = [];
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private matching: ReturnType<typeof setTimeout> | undefined;
  private sizes = new ResizeObserver(() => this.measure());

  static override styles = [
    shared,
    css`
      :host {
        container-type: inline-size;
      }

      .grid {
        display: flex;
        flex-direction: column;
        max-height: var(--table-height, clamp(22rem, 100dvh - 17rem, 70rem));
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--shadow);
        overflow: hidden;
      }

      .scroll {
        position: relative;
        flex: 0 1 auto;
        overflow-y: auto;
        overscroll-behavior: contain;
      }

      .window {
        position: absolute;
        inset: 0 0 auto;
      }

      [role="row"] {
        display: grid;
        grid-template-columns: minmax(0, 2.2fr) minmax(0, 1.6fr) minmax(0, 1.2fr) minmax(0, 2.4fr) 10.5rem;
        align-items: center;
        gap: 0 0.9rem;
        height: 3rem;
        padding: 0 1rem;
        border-bottom: 1px solid var(--border);
      }

      .window [role="row"] {
        cursor: pointer;
      }

      .window [role="row"]:hover {
        background: var(--surface-2);
      }

      .window [role="row"]:focus-visible {
        outline-offset: -3px;
      }

      .window [role="row"][aria-selected="true"] {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      [aria-selected="true"] .muted {
        color: inherit;
      }

      .head [role="row"] {
        height: 2.5rem;
        padding-right: calc(1rem + var(--scrollbar, 0px));
        color: var(--text-2);
        font-size: 0.85rem;
        font-weight: 600;
      }

      [role="gridcell"] {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .id,
      .attributes {
        font-family: var(--font-mono);
        font-size: 0.86rem;
      }

      .state {
        font-weight: 600;
      }

      .time {
        font-variant-numeric: tabular-nums;
        font-size: 0.9rem;
      }

      .empty {
        padding: 2rem 1rem;
        text-align: center;
      }

      @container (max-width: 54rem) {
        [role="row"] {
          grid-template: "name state" auto "id time" auto / minmax(0, 1.2fr) minmax(0, 1fr);
          align-content: center;
          height: 4rem;
        }

        .head {
          display: none;
        }

        .id {
          grid-area: id;
        }

        .name {
          grid-area: name;
          font-weight: 550;
        }

        .state,
        .time {
          grid-area: state;
          text-align: end;
        }

        .time {
          grid-area: time;
          font-size: 0.82rem;
        }

        .attributes {
          display: none;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stops = [this.home.on("structure", () => this.collect()), this.home.on("any", () => this.changed())];
    this.collect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    clearTimeout(this.drawing);
    clearTimeout(this.matching);
    this.drawing = this.matching = undefined;
    this.sizes.disconnect();
  }

  override firstUpdated(): void {
    this.sizes.observe(this.scroller);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("filter")) return;
    this.match();
    this.current = 0;
    if (this.scroller) this.scroller.scrollTop = this.first = 0;
  }

  override updated(): void {
    if (this.counted !== this.rows.length) {
      this.counted = this.rows.length;
      this.dispatchEvent(new CustomEvent<number>("count-rows", { detail: this.counted }));
    }
    this.renderRoot
      .querySelector<HTMLElement>(".space")
      ?.style.setProperty("height", `${Math.max(this.rows.length, 1) * this.rowHeight}px`);
    this.renderRoot.querySelector<HTMLElement>(".window")?.style.setProperty("translate", `0 ${this.first * this.rowHeight}px`);
  }

  private collect(): void {
    this.all = [...this.home.entities.keys()].sort();
    this.match();
  }

  // A word of the filter is looked for in the id, the name and the state.
  private match(): void {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      this.rows = this.all;
      return;
    }
    this.rows = this.all.filter((id) => {
      const text = `${id}\n${this.home.nameOf(id)}\n${this.home.entity(id)?.state ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  private changed(): void {
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      this.requestUpdate();
    }, drawInterval);
    if (this.filter === "") return;
    this.matching ??= setTimeout(() => {
      this.matching = undefined;
      this.match();
    }, matchInterval);
  }

  private measure(): void {
    const row = this.renderRoot.querySelector<HTMLElement>(".window [role=row]");
    if (row) this.rowHeight = row.getBoundingClientRect().height;
    this.style.setProperty("--scrollbar", `${this.scroller.offsetWidth - this.scroller.clientWidth}px`);
    this.follow();
    this.requestUpdate();
  }

  private follow(): void {
    this.first = Math.max(0, Math.floor(this.scroller.scrollTop / this.rowHeight) - margin);
  }

  private choose(id: string, index: number): void {
    this.current = index;
    this.dispatchEvent(new CustomEvent<string>("choose-entity", { detail: id }));
  }

  private press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    const id = this.rows[this.current];
    if (step !== undefined) {
      event.preventDefault();
      void this.go(Math.min(this.rows.length - 1, Math.max(0, this.current + step)));
    } else if ((event.key === "Enter" || event.key === " ") && id !== undefined) {
      event.preventDefault();
      this.choose(id, this.current);
    }
  }

  private async go(index: number): Promise<void> {
    this.current = index;
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + clientHeight) this.scroller.scrollTop = top + this.rowHeight - clientHeight;
    this.follow();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true });
  }

  override render() {
    const seen = this.scroller ? Math.ceil(this.scroller.clientHeight / this.rowHeight) : 20;
    const shown = this.rows.slice(this.first, this.first + seen + 2 * margin);
    // Tab has to reach a row that is drawn.
    const current = Math.min(Math.max(this.current, this.first), this.first + shown.length - 1);
    const titles = [
      t("developer.entityId"),
      t("developer.name"),
      t("developer.state"),
      t("developer.attributes"),
      t("developer.lastChanged"),
    ];
    return html`<div
      class="grid"
      role="grid"
      aria-label=${t("developer.states")}
      aria-rowcount=${this.rows.length + 1}
      @keydown=${(event: KeyboardEvent) => this.press(event)}
    >
      <div class="head" role="rowgroup">
        <div role="row" aria-rowindex="1">${titles.map((title) => html`<div role="columnheader">${title}</div>`)}</div>
      </div>
      <div class="scroll" role="rowgroup" tabindex="-1" @scroll=${() => this.follow()}>
        <div class="space" role="presentation"></div>
        <div class="window" role="presentation">
          ${repeat(
            shown,
            (id) => id,
            (id, offset) => this.row(id, this.first + offset, this.first + offset === current),
          )}
          ${this.rows.length === 0
            ? html`<div role="row" class="none"><div role="gridcell" class="muted">${t("developer.noStates")}</div></div>`
            : nothing}
        </div>
      </div>
    </div>`;
  }

  private row(id: string, index: number, isCurrent: boolean): TemplateResult {
    const entity = this.home.entity(id);
    if (!entity) return html``;
    const time = formatTime(new Date(entity.last_changed * 1000), this.home.configuration.time_zone, {
      day: "2-digit",
      month: "2-digit",
      hour: "numeric",
      minute: "2-digit",
      second: "2-digit",
    });
    return html`<div
      role="row"
      aria-rowindex=${index + 2}
      aria-selected=${id === this.chosen ? "true" : "false"}
      tabindex=${isCurrent ? 0 : -1}
      @click=${() => this.choose(id, index)}
    >
      <div role="gridcell" class="id" title=${id}>${id}</div>
      <div role="gridcell" class="name muted">${this.home.nameOf(id)}</div>
      <div role="gridcell" class="state" title=${entity.state}>${entity.state}</div>
      <div role="gridcell" class="attributes muted">${brief(entity)}</div>
      <div role="gridcell" class="time muted">${time}</div>
    </div>`;
  }
}
