// SPDX-License-Identifier: Apache-2.0
import { mdiAlert, mdiChevronDown, mdiChevronRight, mdiLightbulbOffOutline, mdiShapeOutline, mdiSofaOutline } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { act } from "../../cards/act";
import { t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import type { Section } from "./layout";
import { SummaryController, summaryText } from "./summary";
import "../../elements/icon";

// The head of a room: its name, which leads to its page, what is on in it, and a button for all its lights. Fires `fold` if the room is
// to be folded or unfolded.
@customElement("hearth-room-head")
export class RoomHead extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) section!: Section;
  @property({ attribute: false }) ids: string[] = [];
  @property({ type: Boolean, reflect: true }) folded = false;
  // On the room's own page.
  @property({ type: Boolean }) alone = false;
  private summary = new SummaryController(
    this,
    () => this.home,
    () => this.ids,
  );

  static override styles = [
    shared,
    css`
      .head {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 3rem;
      }

      .head > hearth-icon {
        color: var(--text-2);
      }

      .words {
        flex: 1;
        min-width: 0;
      }

      h2,
      h3,
      p {
        overflow: hidden;
        line-height: 1.25;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      h2,
      h3 {
        font-size: 1.1rem;
        font-weight: 650;
      }

      .words a {
        display: inline-block;
        max-width: 100%;
        padding-block: 0.15rem;
        overflow: hidden;
        color: inherit;
        text-decoration: none;
        text-overflow: ellipsis;
        vertical-align: bottom;
      }

      .words a:hover {
        text-decoration: underline;
      }

      p {
        color: var(--text-2);
        font-size: 0.87rem;
      }

      /* Faults are never cut. */
      p:has(strong) {
        white-space: normal;
      }

      strong.danger {
        color: var(--danger);
      }

      strong.warning {
        color: var(--warning);
      }

      strong hearth-icon {
        width: 1rem;
        height: 1rem;
        margin-inline-end: 0.2rem;
        vertical-align: -0.15rem;
      }

      .head button {
        color: var(--text-2);
      }
    `,
  ];

  private async darken(lights: string[]): Promise<void> {
    await act(this.home, [{ domain: "light", service: "turn_off", ids: lights }]);
  }

  override render() {
    const { heading, icon, key, floor } = this.section;
    const link = html`<a href="${base}/overview?area=${encodeURIComponent(key)}" title=${heading}>${heading}</a>`;
    const { summary } = this.summary;
    const told = summary?.told ?? [];
    const alerts = told.length;
    const grade = told[0]?.grade; // the gravest is the first
    const said = summary ? summaryText(summary) : "";
    const lights = summary?.counted.lights ?? [];
    const fold = t(this.folded ? "overview.unfold" : "overview.fold", { room: heading });
    const off = t("overview.allOff", { room: heading });
    return html`<div class="head">
      <hearth-icon .name=${icon ?? ""} .path=${icon === undefined ? mdiShapeOutline : mdiSofaOutline}></hearth-icon>
      <div class="words">
        ${this.alone ? nothing : floor === undefined ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
        ${said || alerts > 0
          ? html`<p>
              ${alerts > 0
                ? html`<strong class=${grade}><hearth-icon .path=${mdiAlert}></hearth-icon>${t("summary.alerts", { count: alerts })}</strong
                    >${said && " · "}`
                : nothing}${said}
            </p>`
          : nothing}
      </div>
      ${lights.length > 0 && !this.home.user.is_read_only
        ? html`<button type="button" class="plain round" aria-label=${off} title=${off} @click=${() => void this.darken(lights)}>
            <hearth-icon .path=${mdiLightbulbOffOutline}></hearth-icon>
          </button>`
        : nothing}
      ${this.alone
        ? nothing
        : html`<button
            type="button"
            class="plain round"
            aria-expanded=${this.folded ? "false" : "true"}
            aria-label=${fold}
            title=${fold}
            @click=${() => this.dispatchEvent(new CustomEvent("fold"))}
          >
            <hearth-icon .path=${this.folded ? mdiChevronRight : mdiChevronDown}></hearth-icon>
          </button>`}
    </div>`;
  }
}
