// SPDX-License-Identifier: Apache-2.0
import { mdiMagnify, mdiShapeOutline, mdiSofaOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import { cardOf } from "../../cards/card_of";
import { t } from "../../i18n/catalogue";
import { scale } from "../../elements/scale";
import { shared } from "../../styles/shared";
import { search, sectionsOf, type Section, type Tile } from "./layout";
import "../../elements/icon";
import "../../elements/lazy_block";

// A change of what there is is drawn after this, together with those that come meanwhile. Milliseconds.
const patience = 200;
// Where a rem is 16 pixels.
const cardWidth = 272;
const gap = 13;
// About how high a row of cards is, and how many cards are drawn and dropped together.
const rowHeight = 130;
const atOnce = 24;
// As many cards are all drawn.
const few = 120;

// All of the home at a glance, area by area.
@customElement("hearth-overview")
export class Overview extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private sections: Section[] = [];
  @state() private wanted = "";
  @state() private columns = 1;
  @query("input") private field!: HTMLInputElement;
  private stop: (() => void) | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private sizes = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    this.columns = Math.max(1, Math.floor((width / scale() + gap) / (cardWidth + gap)));
  });

  static override styles = [
    shared,
    css`
      :host {
        --card-width: 17rem;
      }

      header {
        margin-bottom: 0.4rem;
      }

      form {
        position: relative;
        flex: 0 1 22rem;
      }

      form hearth-icon {
        position: absolute;
        top: 50%;
        left: 0.75rem;
        width: 1.3rem;
        height: 1.3rem;
        color: var(--text-2);
        translate: 0 -50%;
        pointer-events: none;
      }

      form input[type="search"] {
        padding-left: 2.6rem;
      }

      .floor {
        margin: 0 0 -1.2rem;
        padding-top: 2.2rem;
        color: var(--text-2);
        font-size: 1.05rem;
      }

      .area {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        margin: 0 0 0.7rem;
        padding-top: 2rem;
        font-size: 1.15rem;
        font-weight: 650;
      }

      .area hearth-icon {
        color: var(--text-2);
      }

      section {
        margin-bottom: -0.8rem; /* what a packed grid has below its last card */
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.home.on("structure", () => {
      this.waiting ??= setTimeout(() => this.arrange(), patience);
    });
    this.arrange();
    this.sizes.observe(this);
    document.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.sizes.disconnect();
    clearTimeout(this.waiting);
    this.waiting = undefined;
    document.removeEventListener("keydown", this.onKey);
  }

  private arrange(): void {
    this.waiting = undefined;
    this.sections = sectionsOf(this.home);
  }

  // "/" goes to the search, unless it is being written.
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    if (target instanceof HTMLElement && target.matches("input, select, textarea, dialog, dialog *")) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  };

  private blocks(tiles: Tile[], always: boolean): TemplateResult[] {
    const size = this.columns * Math.max(1, Math.round(atOnce / this.columns));
    const blocks: TemplateResult[] = [];
    for (let from = 0; from < tiles.length; from += size) {
      const part = tiles.slice(from, from + size);
      blocks.push(
        html`<hearth-lazy-block
          packed
          .always=${always}
          .height=${Math.ceil(part.length / this.columns) * rowHeight}
          .content=${() =>
            html`${repeat(
              part,
              ({ id }) => id,
              ({ id }) => cardOf(this.home, id),
            )}`}
        ></hearth-lazy-block>`,
      );
    }
    return blocks;
  }

  private section(section: Section, always: boolean): TemplateResult {
    const { floor, heading, icon, isOnFloor, tiles } = section;
    const content = html`<hearth-icon .name=${icon ?? ""} .path=${icon === undefined ? mdiShapeOutline : mdiSofaOutline}></hearth-icon
      >${heading}`;
    return html`
      ${floor === undefined ? nothing : html`<h2 class="floor">${floor}</h2>`}
      <section>
        ${isOnFloor ? html`<h3 class="area">${content}</h3>` : html`<h2 class="area">${content}</h2>`} ${this.blocks(tiles, always)}
      </section>
    `;
  }

  override render() {
    const found = search(this.sections, this.wanted);
    const isSearching = this.wanted.trim() !== "";
    const count = found.reduce((sum, { tiles }) => sum + tiles.length, 0);
    return html`
      <header class="spread">
        <h1>${t("page.overview")}</h1>
        <form role="search" @submit=${(event: Event) => event.preventDefault()}>
          <label class="visually-hidden" for="search">${t("action.search")}</label>
          <hearth-icon .path=${mdiMagnify}></hearth-icon>
          <input
            id="search"
            type="search"
            autocomplete="off"
            placeholder=${t("overview.searchHint")}
            @input=${(event: Event) => (this.wanted = (event.target as HTMLInputElement).value)}
          />
        </form>
      </header>
      <p class="muted" role="status">${isSearching ? t("overview.found", { count }) : nothing}</p>
      ${this.sections.length === 0 ? html`<p class="card">${t("overview.empty")}</p>` : nothing}
      ${repeat(
        found,
        ({ key }) => key,
        (section) => this.section(section, count <= few),
      )}
    `;
  }
}
