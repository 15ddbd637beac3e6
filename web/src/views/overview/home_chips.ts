// SPDX-License-Identifier: Apache-2.0
import { mdiAlert, mdiLightbulb, mdiLockOpenVariant, mdiMusicNote, mdiWindowOpen } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { alertOf, counts, type Count } from "../../cards/domains";
import { stateText } from "../../cards/state_text";
import { t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import { SummaryController, countText } from "./summary";
import "../../elements/icon";

const icons: Record<Count, string> = {
  lights: mdiLightbulb,
  open: mdiWindowOpen,
  unlocked: mdiLockOpenVariant,
  playing: mdiMusicNote,
};
// So many of what is wrong are named.
const most = 4;

// What is wrong in the home, and what is on, open and unlocked, each with a link to it.
@customElement("hearth-home-chips")
export class HomeChips extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) ids: string[] = [];
  private summary = new SummaryController(
    this,
    () => this.home,
    () => this.ids,
  );

  static override styles = [
    shared,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        min-height: 2.75rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      p {
        display: flex;
        align-items: center;
        min-height: 2.75rem;
        color: var(--text-2);
      }

      li {
        min-width: 0;
        max-width: 100%;
      }

      a {
        display: flex;
        align-items: center;
        gap: 0.45rem;
        min-height: 2.75rem;
        padding: 0.3rem 0.95rem;
        border: 1px solid var(--border);
        border-radius: 999px;
        background: var(--surface);
        color: var(--text);
        font-weight: 550;
        text-decoration: none;
      }

      a:hover {
        background: var(--surface-2);
      }

      hearth-icon {
        width: 1.2rem;
        height: 1.2rem;
        color: var(--active-icon);
      }

      .danger {
        border: 2px solid var(--danger);
        background: var(--danger-soft);
      }

      .warning {
        border-color: var(--warning);
        background: var(--warning-soft);
      }

      .danger hearth-icon {
        color: var(--danger);
      }

      .warning hearth-icon {
        color: var(--warning);
      }
    `,
  ];

  private alert(id: string): TemplateResult | typeof nothing {
    const entity = this.home.entity(id);
    if (!entity) return nothing;
    return html`<li>
      <a class=${alertOf(entity) ?? "warning"} href="${base}/overview?entity=${encodeURIComponent(id)}">
        <hearth-icon .path=${mdiAlert}></hearth-icon>${this.home.nameOf(id)}: ${stateText(this.home, entity)}
      </a>
    </li>`;
  }

  override render() {
    const { summary } = this.summary;
    if (!summary) return nothing;
    const { alerts, silent, counted } = summary;
    const more = alerts.length - most;
    const isCalm = alerts.length === 0 && silent.length === 0 && counts.every((count) => counted[count].length === 0);
    if (isCalm) return html`<p>${t("overview.calm")}</p>`;
    return html`<ul aria-label=${t("overview.now")}>
      ${alerts.slice(0, most).map((id) => this.alert(id))}
      ${more > 0 ? html`<li><a class="warning" href="${base}/overview?show=alerts">${t("items.more", { count: more })}</a></li>` : nothing}
      ${silent.length === 1
        ? this.alert(silent[0] as string)
        : silent.length > 1
          ? html`<li>
              <a class="warning" href="${base}/overview?show=alerts"
                ><hearth-icon .path=${mdiAlert}></hearth-icon>${t("summary.silent", { count: silent.length })}</a
              >
            </li>`
          : nothing}
      ${counts
        .filter((count) => counted[count].length > 0)
        .map(
          (count) =>
            html`<li>
              <a href="${base}/overview?show=${count}"
                ><hearth-icon .path=${icons[count]}></hearth-icon>${countText(count, counted[count].length)}</a
              >
            </li>`,
        )}
    </ul>`;
  }
}
