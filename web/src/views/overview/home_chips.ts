// SPDX-License-Identifier: Apache-2.0
import { mdiAccountArrowRight, mdiAlert, mdiHomeAccount, mdiLightbulb, mdiLockOpenVariant, mdiMusicNote, mdiWindowOpen } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { groupsOf, type AlertGroup } from "../../api/alerts";
import type { Home } from "../../api/home";
import { counts, type Count } from "../../cards/domains";
import { stateText } from "../../cards/state_text";
import { formatList, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import { SummaryController, countText, type Place } from "./summary";
import "../../elements/icon";

const icons: Record<Count, string> = {
  lights: mdiLightbulb,
  open: mdiWindowOpen,
  unlocked: mdiLockOpenVariant,
  playing: mdiMusicNote,
};
// So many dangers are named.
const most = 6;

// The things that are wrong in the home, and those that are on, open and unlocked, each with a link to it.
@customElement("hearth-home-chips")
export class HomeChips extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) ids: string[] = [];
  private summary = new SummaryController(
    this,
    () => this.home,
    () => this.ids,
    true,
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

      a > span {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .who {
        display: flex;
        align-items: center;
        gap: 0.45rem;
        min-height: 2.75rem;
        padding: 0 0.3rem;
      }

      .calm {
        display: flex;
        align-items: center;
      }

      .calm,
      .snoozed {
        color: var(--text-2);
        font-weight: inherit;
      }

      hearth-icon {
        flex: none;
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

  // A danger, or a warning that is alone, by its name; the others with their number.
  private group({ kind, grade, alerts }: AlertGroup): TemplateResult {
    const id = (alerts[0] as AlertGroup["alerts"][number]).entity_id;
    const entity = this.home.entity(id);
    const words =
      alerts.length === 1 && entity
        ? `${this.home.nameOf(id)}: ${stateText(this.home, entity)}`
        : t(`alert.${kind}` as "alert.battery", { count: alerts.length });
    const address = `${base}/overview?${new URLSearchParams({ show: "alerts", kind }).toString()}`;
    return html`<li>
      <a class=${grade} href=${address} title=${words}><hearth-icon .path=${mdiAlert}></hearth-icon><span>${words}</span></a>
    </li>`;
  }

  private more(amount: number, words: string, grade: string): TemplateResult | typeof nothing {
    if (amount <= 0) return nothing;
    return html`<li><a class=${grade} href="${base}/overview?show=alerts">${words}</a></li>`;
  }

  // "At home: Ann and Ben", "Work: Cleo", "Away: Dora"; at least whether anybody is at home.
  private who(places: Place[]): TemplateResult[] {
    if (places.length === 0) return [];
    const isEmpty = places.every(({ zone }) => zone !== "home");
    const said = places.map(({ zone, names }) => {
      const place = zone === "home" ? t("summary.atHome") : zone === "not_home" ? t("summary.away") : zone;
      return { isHome: zone === "home", words: `${place}: ${formatList(names)}` };
    });
    const all = isEmpty ? [{ isHome: true, words: t("summary.nobody") }, ...said] : said;
    return all.map(
      ({ isHome, words }) =>
        html`<li class="who"><hearth-icon .path=${isHome ? mdiHomeAccount : mdiAccountArrowRight}></hearth-icon><span>${words}</span></li>`,
    );
  }

  override render() {
    const { summary } = this.summary;
    if (!summary) return nothing;
    const { told, snoozed, counted, places } = summary;
    const groups = groupsOf(told);
    const dangers = groups.filter(({ grade }) => grade === "danger");
    const more = dangers.length - most;
    const isCalm = told.length === 0 && counts.every((count) => counted[count].length === 0);
    if (isCalm && snoozed === 0 && places.length === 0) return html`<p>${t("overview.calm")}</p>`;
    return html`<ul aria-label=${t("overview.now")}>
      ${dangers.slice(0, most).map((group) => this.group(group))} ${this.more(more, t("items.more", { count: more }), "danger")}
      ${groups.filter(({ grade }) => grade === "warning").map((group) => this.group(group))} ${this.who(places)}
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
      ${isCalm ? html`<li class="calm">${t("overview.calm")}</li>` : nothing}
      ${this.more(snoozed, t("alerts.snoozed", { count: snoozed }), "snoozed")}
    </ul>`;
  }
}
