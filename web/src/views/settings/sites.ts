// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { readSites, removeSite, type Site } from "../../api/sites";
import { confirm } from "../../elements/confirm";
import { Polled } from "../../elements/controllers";
import { attempt } from "../../elements/notify";
import { formatDateTime, formatRelative, t } from "../../i18n/catalogue";
import { lined } from "../../styles/lists";
import { shared } from "../../styles/shared";

const interval = 5000;
// With more, there is a field to search for them.
const few = 8;
// Seconds that a site may be behind, and its clock may differ, before the list speaks of it.
const tolerated = 60;

type State = "reachable" | "silent" | "new";

function stateOf({ reachable, heard }: Site): State {
  if (reachable) return "reachable";
  return heard === null ? "new" : "silent";
}

function needsCare(site: Site): boolean {
  return !site.reachable || site.problem !== "" || site.issues > 0 || site.behind > tolerated || Math.abs(site.clock_off) > tolerated;
}

// The sites that need somebody come first, then all by name.
function inOrder(sites: Site[]): Site[] {
  return [...sites].sort((a, b) => Number(needsCare(b)) - Number(needsCare(a)) || a.name.localeCompare(b.name));
}

// The sites of a fleet, and how each is.
@customElement("hearth-sites")
export class Sites extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  private readonly sites = new Polled(this, interval, () => readSites(this.home));

  static override styles = [
    shared,
    lined,
    css`
      .silent,
      .new {
        background: var(--danger-soft);
        color: var(--text);
      }

      p {
        margin: 0.3rem 0 0;
      }

      input {
        max-width: 24rem;
      }
    `,
  ];

  private async takeOut({ site, name }: Site): Promise<void> {
    const yes = await confirm({
      heading: t("sites.removeHeading", { name }),
      text: t("sites.removeText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes && (await attempt(() => removeSite(this.home, site)))) await this.sites.again();
  }

  override render() {
    const { value, failure } = this.sites;
    return html`<div class="stack">
      <h2>${t("sites.heading")}</h2>
      ${failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(failure)}</p>`}
      ${value ? this.content(value.sites) : nothing}
    </div>`;
  }

  private content(sites: Site[]): TemplateResult {
    if (sites.length === 0) return html`<p class="muted">${t("sites.none")}</p>`;
    const reachable = sites.filter((site) => site.reachable).length;
    const wanted = this.search.trim().toLowerCase();
    const found = inOrder(sites).filter(({ site, name }) => `${site} ${name}`.toLowerCase().includes(wanted));
    return html`<p>${t("sites.summary", { reachable, all: sites.length })}</p>
      ${sites.length > few
        ? html`<input
            type="search"
            aria-label=${t("sites.search")}
            placeholder=${t("sites.search")}
            .value=${this.search}
            @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          />`
        : nothing}
      ${found.length === 0
        ? html`<p class="muted">${t("sites.noneFound")}</p>`
        : html`<ul class="card">
            ${found.map((site) => this.item(site))}
          </ul>`}`;
  }

  private item(site: Site): TemplateResult {
    const state = stateOf(site);
    const heard = site.heard === null ? undefined : new Date(site.heard);
    return html`<li>
      <div class="spread">
        <strong>${site.name}</strong>
        <span class="row">
          ${state === "silent" || state === "new"
            ? html`<button type="button" aria-label=${t("sites.remove", { name: site.name })} @click=${() => this.takeOut(site)}>
                ${t("action.delete")}
              </button>`
            : nothing}
          <span class="badge ${state}">${t(`sites.state.${state}`)}</span>
        </span>
      </div>
      <p class="hint">
        ${site.name === site.site ? nothing : html`<code>${site.site}</code> · `}${t("sites.entities", { count: site.entities })}
        ${site.version ? html` · ${t("sites.version", { version: site.version })}` : nothing}
      </p>
      ${heard && !site.reachable
        ? html`<p class="hint">
            ${t("sites.heard")} <time datetime=${heard.toISOString()}>${formatDateTime(heard, this.home.configuration.time_zone)}</time>,
            ${formatRelative(heard)}
          </p>`
        : nothing}
      ${site.behind > tolerated ? html`<p>${t("sites.behind", { count: Math.round(site.behind / 60) })}</p>` : nothing}
      ${site.issues > 0 ? html`<p>${t("sites.issues", { count: site.issues })}</p>` : nothing}
      ${Math.abs(site.clock_off) > tolerated
        ? html`<p>${t("sites.clock", { count: Math.round(Math.abs(site.clock_off) / 60) })}</p>`
        : nothing}
      ${site.problem === "" ? nothing : html`<p>${t("sites.problem", { reason: site.problem })}</p>`}
    </li>`;
  }
}
