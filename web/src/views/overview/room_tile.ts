// SPDX-License-Identifier: Apache-2.0
import { mdiAlert, mdiLightbulbOffOutline, mdiShapeOutline, mdiSofaOutline } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { counts } from "../../cards/domains";
import { attempt } from "../../elements/notify";
import { formatNumber, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import type { Section } from "./layout";
import { SummaryController, countText } from "./summary";
import "../../elements/icon";

// A room as one tile: how warm it is, what is on, open or wrong in it. It leads to the room; a button of its own turns its lights off.
@customElement("hearth-room-tile")
export class RoomTile extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) section!: Section;
  @property({ attribute: false }) ids: string[] = [];
  private summary = new SummaryController(
    this,
    () => this.home,
    () => this.ids,
  );

  static override styles = [
    shared,
    css`
      .tile {
        position: relative;
        isolation: isolate;
        display: flex;
        flex-direction: column;
        height: 6.9rem;
        padding: 0.45rem 0.75rem 0.55rem;
        container-type: inline-size;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--shadow);
      }

      .tile:hover {
        border-color: var(--border-strong);
      }

      .tile.active {
        border-color: var(--active-border);
        background: var(--active);
      }

      .tile.danger {
        border: 2px solid var(--danger);
        background: var(--danger-soft);
      }

      .top {
        display: flex;
        flex: 1;
        align-items: center;
        gap: 0.5rem;
        min-height: 2.75rem;
      }

      .sign {
        display: grid;
        flex: none;
        place-items: center;
        width: 2.4rem;
        height: 2.4rem;
        border-radius: 50%;
        background: var(--surface-2);
        color: var(--text-2);
      }

      .active .sign {
        background: var(--surface);
        color: var(--active-icon);
      }

      .temperature {
        flex: 1;
        overflow: hidden;
        color: var(--text-2);
        font-size: 0.87rem;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .top button {
        position: relative;
        z-index: 2;
        margin-inline-end: -0.4rem;
        color: var(--active-icon);
      }

      h3,
      p {
        overflow: hidden;
        line-height: 1.25;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      h3 {
        font-size: 1rem;
        font-weight: 650;
      }

      a {
        color: inherit;
        text-decoration: none;
      }

      a::before {
        content: "";
        position: absolute;
        z-index: 1;
        inset: 0;
        border-radius: var(--radius);
      }

      a:focus-visible {
        outline: none;
      }

      a:focus-visible::before {
        outline: 3px solid var(--accent);
        outline-offset: 2px;
      }

      p {
        min-height: 1.1rem;
        color: var(--text-2);
        font-size: 0.85rem;
      }

      strong.danger {
        color: var(--danger);
      }

      strong.warning {
        color: var(--warning);
      }

      .count {
        display: none;
      }

      /* Of two columns on a phone: what is wrong is told by its number, and the lamp's button leaves room for the temperature. */
      @container (max-width: 9.5rem) {
        .top {
          gap: 0.35rem;
        }

        .sign {
          width: 2rem;
          height: 2rem;
        }

        .temperature {
          font-size: 0.82rem;
        }

        .humidity {
          display: none;
        }

        .top button {
          margin-inline-end: -0.7rem;
        }

        .count {
          display: inline;
        }

        .told {
          position: absolute;
          width: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }

      @container (max-width: 15rem) {
        .more .count {
          display: inline;
        }

        .more .told {
          position: absolute;
          width: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }

      strong hearth-icon {
        width: 1rem;
        height: 1rem;
        margin-inline-end: 0.2rem;
        vertical-align: -0.15rem;
      }
    `,
  ];

  private async darken(lights: string[]): Promise<void> {
    await attempt(() => this.home.call("light", "turn_off", {}, { entity_id: lights }));
  }

  override render() {
    const { heading, icon, key } = this.section;
    const { summary } = this.summary;
    const told = summary?.told ?? [];
    const grade = told[0]?.grade; // the gravest is the first
    const lights = summary?.counted.lights ?? [];
    const said = summary
      ? counts.filter((one) => summary.counted[one].length > 0).map((one) => countText(one, summary.counted[one].length))
      : [];
    const off = t("overview.allOff", { room: heading });
    const text = said.join(" · ");
    const alerts = told.length > 0 ? t("summary.alerts", { count: told.length }) : "";
    return html`<div class="tile ${grade === "danger" ? "danger" : said.length > 0 ? "active" : ""}">
      <div class="top">
        <span class="sign"
          ><hearth-icon .name=${icon ?? ""} .path=${icon === undefined ? mdiShapeOutline : mdiSofaOutline}></hearth-icon
        ></span>
        <span class="temperature"
          >${summary?.temperature}${summary?.humidity
            ? html`<span class="humidity">${summary.temperature && " · "}${summary.humidity}</span>`
            : nothing}</span
        >
        ${lights.length > 0 && !this.home.user.is_read_only
          ? html`<button type="button" class="plain round" aria-label=${off} title=${off} @click=${() => void this.darken(lights)}>
              <hearth-icon .path=${mdiLightbulbOffOutline}></hearth-icon>
            </button>`
          : nothing}
      </div>
      <h3><a href="${base}/overview?area=${encodeURIComponent(key)}" title=${heading}>${heading}</a></h3>
      <p class=${text ? "more" : ""} title=${[alerts, text].filter(Boolean).join(" · ")}>
        ${alerts
          ? html`<strong class=${grade}
                ><hearth-icon .path=${mdiAlert}></hearth-icon><span class="count" aria-hidden="true">${formatNumber(told.length)}</span
                ><span class="told">${alerts}</span></strong
              >${text && " · "}`
          : nothing}${text}
      </p>
    </div>`;
  }
}
