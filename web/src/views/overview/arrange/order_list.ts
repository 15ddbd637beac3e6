// SPDX-License-Identifier: Apache-2.0
import { mdiDrag } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { drag, type DropList } from "../../../elements/fields/drag";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/icon";

export interface Row {
  id: string;
  name: string;
  // Drawn before the name, and after it.
  sign: TemplateResult | typeof nothing;
  controls: TemplateResult;
  // It is not shown to its person.
  isOff: boolean;
}

// Fires `move` as its rows are dragged by their handles, or moved by the arrow keys on a handle, and says where they are now.
@customElement("hearth-order-list")
export class OrderList extends LitElement implements DropList {
  @property() label = "";
  @property({ attribute: false }) rows: Row[] = [];
  private stopDrag: (() => void) | undefined;

  static override styles = [
    shared,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        min-height: 3.25rem;
        margin-bottom: 0.4rem;
        padding-inline-end: 0.4rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        background: var(--surface);
        content-visibility: auto;
        contain-intrinsic-height: auto 3.25rem;
      }

      li.off .name {
        color: var(--text-2);
        text-decoration: line-through;
      }

      ul.dragging li {
        content-visibility: visible;
        transition: translate 0.15s;
      }

      ul.dragging li.dragged {
        position: relative;
        z-index: 2;
        box-shadow: var(--shadow-high);
        transition: none;
      }

      @media (prefers-reduced-motion: reduce) {
        ul.dragging li {
          transition: none;
        }
      }

      .handle {
        cursor: grab;
        touch-action: none;
        color: var(--text-2);
      }

      .sign {
        flex: none;
        color: var(--text-2);
      }

      .on {
        color: var(--accent);
      }

      a.round {
        display: grid;
        flex: none;
        place-items: center;
        width: 2.75rem;
        min-height: 2.75rem;
        padding: 0;
        border: 0;
        border-radius: 50%;
        background: none;
      }

      li > .round:not(.on, .handle) {
        color: var(--text-2);
      }

      .name {
        display: -webkit-box;
        flex: 1;
        min-width: 0;
        overflow: hidden;
        line-height: 1.2;
        overflow-wrap: anywhere;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }
    `,
  ];

  showDrop(): number {
    return 0;
  }

  hideDrop(): void {
    // Nothing is dropped in from elsewhere.
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopDrag?.();
  }

  private move(from: number, to: number): void {
    if (to < 0 || to >= this.rows.length || to === from) return;
    this.dispatchEvent(new CustomEvent("move", { detail: { from, to } }));
  }

  private async onKey(event: KeyboardEvent, index: number): Promise<void> {
    const last = this.rows.length - 1;
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (to < 0 || to > last) return;
    this.move(index, to);
    await new Promise(requestAnimationFrame); // its owner has drawn the rows by then
    this.renderRoot.querySelectorAll<HTMLElement>(".handle")[to]?.focus();
  }

  private grab(event: PointerEvent, from: number): void {
    if (event.button !== 0) return;
    this.stopDrag = drag<OrderList>({
      event,
      items: [...this.renderRoot.querySelectorAll<HTMLElement>("li")],
      from,
      own: this,
      others: [],
      done: (list, to) => {
        this.stopDrag = undefined;
        if (list) this.move(from, to);
      },
    });
  }

  override render() {
    return html`<ul aria-label=${this.label}>
      ${repeat(
        this.rows,
        ({ id }) => id,
        ({ name, sign, controls, isOff }, index) => {
          const text = t("arrange.move", { name, place: index + 1, count: this.rows.length });
          return html`<li class=${isOff ? "off" : ""}>
            <button
              type="button"
              class="plain round handle"
              aria-label=${text}
              title=${text}
              @keydown=${(event: KeyboardEvent) => void this.onKey(event, index)}
              @pointerdown=${(event: PointerEvent) => this.grab(event, index)}
            >
              <hearth-icon .path=${mdiDrag}></hearth-icon>
            </button>
            ${sign}<span class="name" title=${name}>${name}</span>${controls}
          </li>`;
        },
      )}
    </ul>`;
  }
}
