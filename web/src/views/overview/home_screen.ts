// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { favoritesOf, type Section } from "./layout";
import "./card_list";
import "./room_tile";

// The home at a glance: a person's favourites, and each room as a tile.
@customElement("hearth-home-screen")
export class HomeScreen extends LitElement {
  @property({ attribute: false }) home!: Home;
  // As the settings have them, and as they were arranged.
  @property({ attribute: false }) found: Section[] = [];
  @property({ attribute: false }) sections: Section[] = [];
  // The ids of all that is in a room, by its key.
  @property({ attribute: false }) ids = new Map<string, string[]>();
  @property({ type: Number }) columns = 1;

  static override styles = [
    shared,
    css`
      section + section {
        margin-top: 1.2rem;
      }

      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        min-height: 2.75rem;
        margin-bottom: 0.2rem;
      }

      .rooms {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(clamp(9.5rem, 14vw, 15rem), 1fr));
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        min-width: 0;
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
    `,
  ];

  private favorites(): TemplateResult | typeof nothing {
    const { layout } = this.home.layouts;
    const tiles = favoritesOf(this.found, layout, this.columns);
    if (tiles.length === 0) return nothing;
    return html`<section aria-labelledby="favorites">
      <div class="head"><h2 id="favorites">${t(layout.favorites ? "overview.favorites" : "overview.atHand")}</h2></div>
      <hearth-card-list .home=${this.home} .tiles=${tiles} .columns=${this.columns}></hearth-card-list>
    </section>`;
  }

  override render() {
    const hasFloors = this.sections.some(({ floor }) => floor !== undefined);
    return html`${this.favorites()}
      <section aria-labelledby="rooms">
        <div class="head">
          <h2 id="rooms">${t("overview.rooms")}</h2>
          <slot></slot>
        </div>
        <ul class="rooms">
          ${repeat(
            this.sections,
            ({ key }) => key,
            (section) =>
              html`<li>
                ${hasFloors
                  ? html`<div
                      class="floor"
                      title=${(section.isFirst && section.floor) || nothing}
                      aria-hidden=${section.isFirst ? nothing : "true"}
                    >
                      ${section.isFirst ? section.floor : "\u00a0"}
                    </div>`
                  : nothing}
                <hearth-room-tile .home=${this.home} .section=${section} .ids=${this.ids.get(section.key) ?? []}></hearth-room-tile>
              </li>`,
          )}
        </ul>
      </section>`;
  }
}
