// SPDX-License-Identifier: Apache-2.0
import { mdiSofaOutline } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { orderedAreas } from "../../api/floors";
import type { Home } from "../../api/home";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { setQuery } from "../../router";
import { shared } from "../../styles/shared";
import { lastChoice, type LastChoice } from "./last_choice";
import "../../elements/icon";

// A room with more is drawn without the rest; so many names are told of the last choice.
const most = 16;
const few = 4;

// The entities of a room that somebody may want to see: not those that are hidden, or that only set up or diagnose a device.
export function entitiesOfArea(home: Home, area: string): string[] {
  return [...home.registry.values()]
    .filter(({ entity_id, hidden_by, entity_category }) => !hidden_by && !entity_category && home.entity(entity_id))
    .map(({ entity_id }) => entity_id)
    .filter((id) => home.areaOf(id)?.area_id === area)
    .sort((a, b) => home.nameOf(a).localeCompare(home.nameOf(b)));
}

// The things to look at if nothing is chosen: the last choice, or a room.
@customElement("hearth-history-offers")
export class HistoryOffers extends LitElement {
  @property({ attribute: false }) home!: Home;

  static override styles = [
    shared,
    css`
      .card {
        display: grid;
        gap: 1.2rem;
        padding: 1.6rem 1.2rem;
      }

      h2 {
        margin: 0 0 0.5rem;
        font-size: 1rem;
      }

      .row {
        flex-wrap: wrap;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  private last(): LastChoice | undefined {
    const last = lastChoice();
    const ids = last?.ids.filter((id) => this.home.entity(id)) ?? [];
    return last && ids.length > 0 ? { ...last, ids } : undefined;
  }

  override render() {
    const last = this.last();
    const rooms = orderedAreas(this.home).filter(({ area_id }) => entitiesOfArea(this.home, area_id).length > 0);
    return html`<div class="card">
      <p class="muted">${t("history.pick")}</p>
      ${last
        ? html`<div>
            <h2>${t("history.last")}</h2>
            <button type="button" @click=${() => setQuery({ entity: last.ids.join(","), ...last.span })}>${this.nameOf(last.ids)}</button>
          </div>`
        : nothing}
      ${rooms.length > 0
        ? html`<div>
            <h2>${t("history.rooms")}</h2>
            <div class="row">
              ${rooms.map(
                ({ area_id, name, icon }) =>
                  html`<button
                    type="button"
                    @click=${() => setQuery({ entity: entitiesOfArea(this.home, area_id).slice(0, most).join(",") })}
                  >
                    <hearth-icon .name=${icon ?? ""} .path=${mdiSofaOutline}></hearth-icon>${name}
                  </button>`,
              )}
            </div>
          </div>`
        : nothing}
    </div>`;
  }

  private nameOf(ids: string[]): string {
    const names = ids.slice(0, few).map((id) => this.home.nameOf(id));
    return ids.length > few ? `${names.join(", ")} …` : names.join(", ");
  }
}
