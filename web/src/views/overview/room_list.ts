// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import { scale } from "../../elements/charts/scale";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { arrange, below, type Part } from "./columns";
import { blocksOf } from "./flow";
import { foldedRooms, keepFolded } from "./folded";
import type { Section } from "./layout";
import "../../elements/lazy_block";
import "./card_flow";
import "./room_head";

// The rows of the grid that rooms are set in, in rem.
const unit = 0.25;
// As many cards are all drawn.
const few = 120;
// So many cards of a big room are shown at first. A room with hardly more is shown whole.
const first = 12;
const hardlyMore = 3;

// All rooms with their cards, below and beside each other.
@customElement("hearth-room-list")
export class RoomList extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) sections: Section[] = [];
  // The ids of all that is in a room, by its key.
  @property({ attribute: false }) ids = new Map<string, string[]>();
  @property({ type: Number }) columns = 1;
  // The page has had its first picture: until then only the cards that it begins with are drawn.
  @property({ type: Boolean }) begun = false;
  @state() private folded = foldedRooms();
  @state() private whole = new Set<string>();
  private heights = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) this.place(target as HTMLElement, (borderBoxSize[0]?.blockSize ?? 0) / (16 * scale()));
  });

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-columns: repeat(var(--room-columns, 1), minmax(0, 1fr));
        grid-auto-flow: row dense;
        grid-auto-rows: 0.25rem;
        column-gap: 1rem;
        align-items: start;
      }

      section {
        display: contents;
      }

      .goes-on {
        overflow: hidden;
        height: 1.6rem;
        color: var(--text-2);
        font-size: 0.82rem;
        font-weight: 600;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .floor {
        overflow: hidden;
        color: var(--text-2);
        font-size: 0.82rem;
        font-weight: 600;
        line-height: 1.4rem;
        letter-spacing: 0.03em;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      hearth-room-head {
        margin-bottom: 0.4rem;
      }

      hearth-lazy-block + hearth-lazy-block {
        margin-top: 0.5rem;
      }

      .more {
        width: 100%;
        margin-top: 0.5rem;
        color: var(--text-2);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.heights.disconnect();
  }

  private fold(key: string): void {
    const folded = new Set(this.folded);
    if (!folded.delete(key)) folded.add(key);
    this.folded = folded;
    keepFolded(folded);
  }

  // Rooms stand one below the other in columns. Until they have been measured they are as high as they are expected to be.
  private place(room: HTMLElement, height: number): void {
    const span = `span ${Math.ceil((height + below) / unit)}`;
    if (room.style.gridRowEnd !== span) room.style.gridRowEnd = span;
  }

  override updated(): void {
    this.style.setProperty("--room-columns", String(this.columns));
    for (const room of this.renderRoot.querySelectorAll<HTMLElement>(".room")) {
      const expected = Number(room.dataset.height);
      room.style.gridColumn = `${Number(room.dataset.column) + 1} / span ${room.dataset.span}`;
      if (room.dataset.placed !== room.dataset.height) this.place(room, expected);
      room.dataset.placed = room.dataset.height;
      this.heights.observe(room);
    }
  }

  private shown({ key, tiles }: Section): Section["tiles"] {
    return this.whole.has(key) || tiles.length <= first + hardlyMore ? tiles : tiles.slice(0, first);
  }

  // A room that is spread has parts, of which each begins in its column below what stands there.
  private room(section: Section, parts: Part[], hasFloors: boolean, always: boolean): TemplateResult {
    const { key, floor, isFirst, heading, tiles } = section;
    const folded = this.folded.has(key);
    const more = tiles.length - this.shown(section).length;
    const top = html`${hasFloors
        ? isFirst
          ? html`<h2 class="floor">${floor}</h2>`
          : html`<div class="floor" aria-hidden="true">${floor ?? "\u00a0"}</div>`
        : nothing}
      <hearth-room-head
        .home=${this.home}
        .section=${section}
        .ids=${this.ids.get(key) ?? []}
        .folded=${folded}
        @fold=${() => this.fold(key)}
      ></hearth-room-head>`;
    return html`<section aria-label=${heading}>
      ${parts.map(
        ({ column, span, tiles: within, height }, index) =>
          html`<div class="room" data-height=${height} data-column=${column} data-span=${span}>
            ${index === 0 ? top : html`<div class="goes-on" aria-hidden="true">${heading}</div>`}
            ${folded
              ? nothing
              : blocksOf(within, span).map(
                  (block) =>
                    html`<hearth-lazy-block
                      .always=${always}
                      .height=${block.height}
                      .content=${() => html`<hearth-card-flow .home=${this.home} .block=${block}></hearth-card-flow>`}
                    ></hearth-lazy-block>`,
                )}
            ${!folded && more > 0 && index === parts.length - 1
              ? html`<button type="button" class="more" @click=${() => (this.whole = new Set([...this.whole, key]))}>
                  ${t("overview.moreCards", { count: more })}
                </button>`
              : nothing}
          </div>`,
      )}
    </section>`;
  }

  override render() {
    const hasFloors = this.sections.some(({ floor }) => floor !== undefined);
    const shown = this.sections.map((section) => this.shown(section));
    const isShort = shown.reduce((sum, tiles) => sum + tiles.length, 0) <= few;
    const parts = arrange(
      this.sections.map(({ key }, index) => ({ tiles: shown[index] ?? [], folded: this.folded.has(key) })),
      this.columns,
      hasFloors,
    );
    return repeat(
      this.sections,
      ({ key }) => key,
      (section, index) => this.room(section, parts[index] ?? [], hasFloors, isShort && (this.begun || index < this.columns)),
    );
  }
}
