// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { EntriesController, groupsOf, statusOf, type ConfigEntry, type EntryGroup } from "../../../api/connections/entries";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { HomeController } from "../../../elements/controllers";
import { TitleController } from "../../../elements/title";
import { language, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { searchField } from "../long_list";
import { entryBadge, entryStates, reasonText } from "./entry_state";
import { connectionPath } from "./paths";
import { integrationName } from "./words";
import "../../../elements/back_link";
import "../../../elements/loading";

// From so many on they can be searched.
const many = 9;

// All connections, by integration.
@customElement("hearth-connections")
export class Connections extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private search = "";
  private readonly entries = new EntriesController(this, () => this.home);

  static override styles = [
    shared,
    rows,
    entryStates,
    css`
      h3 {
        margin-bottom: 0.2rem;
      }

      li > div:first-of-type > a {
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 2, () => t("connections.heading"));
    new HomeController(this, "structure", () => this.home);
  }

  override render() {
    const { items, failure } = this.entries;
    return html`<div class="stack">
      <hearth-back-link href="${base}/settings/devices" label=${t("devices.back")}></hearth-back-link>
      <div class="card stack">
        <div class="spread">
          <h2>${t("connections.heading")}</h2>
          <a class="button" href="${base}/settings/devices/add">${t("addDevices.heading")}</a>
        </div>
        <p class="hint">${t("connections.hint")}</p>
        ${items ? this.content(items) : html`<hearth-loading .problem=${failure === undefined ? "" : errorText(failure)}></hearth-loading>`}
      </div>
    </div>`;
  }

  private content(items: ConfigEntry[]): TemplateResult {
    if (items.length === 0) return html`<p class="muted">${t("connections.none")}</p>`;
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const found = items.filter((entry) => {
      const text = `${entry.title} ${entry.domain} ${integrationName(entry.domain)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const needing = items.filter((entry) => statusOf(entry) === "setup_error").length;
    return html`
      ${items.length >= many ? searchField(t("connections.search"), this.search, (search) => (this.search = search)) : nothing}
      <p class="hint" role="status">
        ${t("connections.count", { count: found.length })}${needing > 0
          ? html` · ${t("connections.needing", { count: needing })}`
          : nothing}
      </p>
      ${found.length === 0 ? html`<p class="muted">${t("connections.nothingFound")}</p>` : nothing} ${this.groups(found)}
    `;
  }

  // An integration with one connection needs no heading: those stand together, before the others.
  private groups(found: ConfigEntry[]): TemplateResult {
    const groups = groupsOf(found, integrationName, language());
    const single = groups.filter(({ entries }) => entries.length === 1).flatMap(({ entries }) => entries);
    const several = groups.filter(({ entries }) => entries.length > 1);
    return html`${single.length > 0 ? this.list(single, true) : nothing}
    ${repeat(
      several,
      ({ domain }) => domain,
      (group) => this.group(group),
    )}`;
  }

  private group({ name, entries }: EntryGroup): TemplateResult {
    return html`<section>
      <h3>${name} <span class="hint">${t("connections.count", { count: entries.length })}</span></h3>
      ${this.list(entries, false)}
    </section>`;
  }

  private list(entries: ConfigEntry[], isNamed: boolean): TemplateResult {
    return html`<ul>
      ${repeat(
        entries,
        ({ entry_id }) => entry_id,
        (entry) => this.row(entry, isNamed),
      )}
    </ul>`;
  }

  private row(entry: ConfigEntry, isNamed: boolean): TemplateResult {
    const status = statusOf(entry);
    const name = integrationName(entry.domain);
    const reason = status === "loaded" || status === "disabled" ? "" : reasonText(entry);
    const devices = [...this.home.devices.values()].filter((device) => device.primary_config_entry === entry.entry_id).length;
    const facts = [isNamed && name !== entry.title ? name : "", devices > 0 ? t("removal.devices", { count: devices }) : "", reason];
    const text = facts.filter(Boolean).join(" · ");
    return html`<li>
      <div>
        <a href=${connectionPath(entry.entry_id)}>${entry.title}</a>
        ${text ? html`<div class="hint">${text}</div>` : nothing}
      </div>
      ${entryBadge(entry)}
    </li>`;
  }
}
