// SPDX-License-Identifier: Apache-2.0
import { mdiPlus } from "virtual:icons/lazy";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { addedRow } from "./add_row";
import { drag } from "../../../elements/fields/drag";
import { inserted, keyOf, moved, type Path } from "./edit";
import { problemsOfList, type DrawnRows, type Editing } from "./editing";
import type { Section } from "./kinds";
import { isWithin, mayStand, samePath } from "./moving";
import { rowStyles } from "./row_styles";
import type { RowMoves, SentenceRow } from "./sentence_row";
import "../../../elements/icon";
import "./sentence_row";

// When all is drawn that a change redraws, from the page down to this list.
export function drawn(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}

const first = 25;
const more = 475;

// A list of triggers, conditions or steps, in their order.
@customElement("hearth-sentence-rows")
export class SentenceRows extends LitElement implements DrawnRows {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) section: Section = "triggers";
  @property({ attribute: false }) path: Path = [];
  @property({ attribute: false }) rows: readonly unknown[] = [];
  // The accessible name.
  @property() label = "";
  // Before which row a line shows that one would land there.
  @state() private drop: number | undefined;
  // How many rows there are: at first as many as a window shows, then more while nothing else is to do, the rest when they are
  // wanted. All but the first are drawn as they come near the window.
  @state() private shown = first;
  private most = first + more;
  private later: ReturnType<typeof setTimeout> | undefined;
  private stopDrag: (() => void) | undefined;
  private known: Editing["lists"] | undefined;

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

      .drop {
        height: 4px;
        border-radius: 2px;
        background: var(--accent);
      }

      .rest,
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

  override connectedCallback(): void {
    super.connectedCallback();
    this.known?.add(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopDrag?.();
    this.known?.delete(this);
    clearTimeout(this.later);
    this.later = undefined;
  }

  // A change elsewhere in the item does not change these rows, which ask their editor for what is newest.
  override shouldUpdate(changes: Map<string, unknown>): boolean {
    for (const [name, before] of changes) {
      if (name === "editing" && (before as Editing | undefined)?.version === this.editing.version) continue;
      if (name === "path" && before && samePath(before as Path, this.path)) continue;
      return true;
    }
    return changes.size === 0;
  }

  override willUpdate(): void {
    if (this.known === this.editing.lists && this.known.has(this)) return;
    this.known?.delete(this);
    this.known = this.editing.lists.add(this);
  }

  override updated(): void {
    if (this.later !== undefined || this.shown >= Math.min(this.most, this.rows.length)) return;
    this.later = setTimeout(() => {
      this.later = undefined;
      this.shown = Math.min(this.shown + first, this.most);
    });
  }

  ensure(index: number): void {
    this.shown = Math.max(this.shown, index + 1);
    this.row(index)?.ensure();
  }

  showDrop(y: number): number {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>("ul > li")];
    const found = items.findIndex((item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return y < (top + bottom) / 2;
    });
    this.drop = found < 0 ? items.length : found;
    return this.drop;
  }

  hideDrop(): void {
    this.drop = undefined;
  }

  private change(rows: unknown[]): void {
    this.editing.change(this.path, rows);
  }

  private showMore(): void {
    this.most = Math.max(this.shown, this.most) + more;
    this.requestUpdate();
  }

  private row(index: number): SentenceRow | undefined {
    return this.renderRoot.querySelectorAll<SentenceRow>("hearth-sentence-row")[index];
  }

  async focusAt(index: number, what: "focusHandle" | "focusFirst"): Promise<void> {
    this.ensure(index);
    await drawn();
    const row = this.row(index);
    row?.ensure();
    await row?.updateComplete;
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
    const row = await addedRow(this.editing, this.section, heading);
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

  private grab(event: PointerEvent, from: number): void {
    if (event.button !== 0) return;
    const { editing } = this;
    this.stopDrag = drag({
      event,
      items: [...this.renderRoot.querySelectorAll<HTMLElement>("ul > li")],
      from,
      own: this,
      others: [...editing.lists].filter(
        (list) => list !== this && !isWithin(list.path, [...this.path, from]) && mayStand(this.rows[from], this.section, list.section),
      ),
      done: (list, index) => {
        this.stopDrag = undefined;
        if (list === this) void this.move(from, index);
        else if (list) editing.move({ from: [...this.path, from], list: list.path, index });
      },
    });
  }

  private movesOf(index: number): RowMoves {
    return {
      index,
      count: this.rows.length,
      isFirst: index < first,
      move: (step) => void this.move(index, index + step),
      duplicate: () => void this.duplicate(index),
      erase: () => void this.erase(index),
      grab: (event) => this.grab(event, index),
    };
  }

  override render() {
    const { editing, rows, section } = this;
    const problems = problemsOfList(editing.problems, this.path, rows.length);
    const shown = rows.length > this.shown ? rows.slice(0, this.shown) : rows;
    const rest = rows.length - Math.max(this.shown, this.most);
    return html`${problems.map(({ path, message }) => html`<p class="said" tabindex="-1" data-path=${path}>${message}</p>`)}
    ${rows.length === 0
      ? nothing
      : html`<ul role="list" aria-label=${this.label}>
          ${repeat(
            shown,
            (row, index) => keyOf(row, index),
            (row, index) =>
              html`<li>
                ${this.drop === index ? html`<div class="drop"></div>` : nothing}<hearth-sentence-row
                  .editing=${editing}
                  .section=${section}
                  .path=${[...this.path, index]}
                  .config=${row}
                  .moves=${this.movesOf(index)}
                ></hearth-sentence-row>
              </li>`,
          )}
        </ul>`}
    ${rest > 0
      ? html`<p class="rest">
          ${t("row.rest", { count: rest })}
          <button type="button" class="small" @click=${() => this.showMore()}>${t("row.showMore", { count: Math.min(rest, more) })}</button>
        </p>`
      : nothing}
    ${this.drop === rows.length ? html`<div class="drop"></div>` : nothing}
    ${editing.fixed
      ? nothing
      : html`<button type="button" class="small add" aria-haspopup="dialog" @click=${() => void this.add()}>
          <hearth-icon .path=${mdiPlus}></hearth-icon>${t(`add.${section}`)}
        </button>`}`;
  }
}
