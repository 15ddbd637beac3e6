// SPDX-License-Identifier: Apache-2.0
import { mdiPencil } from "@mdi/js";
import { mdiDownload } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import {
  devicesOf,
  diagnosisOf,
  disableEntry,
  entitiesAlone,
  entitiesOf,
  EntriesController,
  reloadEntry,
  statusOf,
  type ConfigEntry,
} from "../../../api/connections/entries";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { confirm } from "../../../elements/confirm";
import { HomeController } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { TitleController } from "../../../elements/title";
import { formatDateTime, language, t } from "../../../i18n/catalogue";
import { base, navigate } from "../../../router";
import { figures } from "../../../styles/figures";
import { shared } from "../../../styles/shared";
import { entryBadge, entryState, entryStates } from "./entry_state";
import { connectPath, connectionsPath } from "./paths";
import { integrationName } from "./words";
import "../../../elements/action";
import "../../../elements/back_link";
import "../../../elements/icon";
import "../../../elements/loading";
import "./entry_devices";
import "./entry_entities";
import "./remove_connection";
import "./rename_connection";

// All about one connection: how it is, its devices, and what can be done with it.
@customElement("hearth-connection-page")
export class ConnectionPage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entryId = "";
  @state() private dialog: "rename" | "remove" | undefined;
  private readonly entries = new EntriesController(this, () => this.home);

  static override styles = [shared, figures, entryStates];

  constructor() {
    super();
    new TitleController(this, 2, () => this.entry?.title ?? "");
    new HomeController(this, "structure", () => this.home);
  }

  private get entry(): ConfigEntry | undefined {
    return this.entries.named(this.entryId);
  }

  private async reload(entry: ConfigEntry): Promise<void> {
    await reloadEntry(this.home, entry);
    notifyDone(t("connections.reloaded", { name: entry.title }));
  }

  private async disable(entry: ConfigEntry): Promise<void> {
    const name = entry.title;
    const isOff = entry.disabled_by !== null;
    const question = {
      heading: t("connections.disableHeading", { name }),
      text: t("connections.disableText"),
      action: t("connections.disable"),
    };
    if (!isOff && !(await confirm(question))) return;
    await disableEntry(this.home, entry, !isOff);
    notifyDone(t(isOff ? "connections.enabled" : "connections.disabled", { name }));
  }

  private async download(entry: ConfigEntry): Promise<void> {
    const text = JSON.stringify(await diagnosisOf(this.home, entry), undefined, 2);
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${entry.domain}-${entry.entry_id}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000); // the browser may still be reading it
  }

  override render() {
    const { entry, entries } = this;
    return html`<div class="stack">
      <hearth-back-link href=${connectionsPath()} label=${t("connections.all")}></hearth-back-link>
      ${entry
        ? this.content(entry)
        : entries.items
          ? html`<h2>${t("connections.unknown")}</h2>
              <p>${t("connections.unknownHint")}</p>`
          : html`<hearth-loading .problem=${entries.failure === undefined ? "" : errorText(entries.failure)}></hearth-loading>`}
    </div>`;
  }

  private content(entry: ConfigEntry): TemplateResult {
    return html`${this.about(entry)} ${this.bridge(entry)} ${this.devices(entry)} ${this.diagnosis(entry)} ${this.open(entry)}`;
  }

  private about(entry: ConfigEntry): TemplateResult {
    const figure = (name: string, value: string) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
    const isOff = entry.disabled_by !== null;
    const added = formatDateTime(new Date(entry.created_at * 1000), this.home.configuration.time_zone);
    const ofFile = entry.source === "yaml";
    return html`<section class="card stack">
      <div class="row">
        <h2>${entry.title}</h2>
        ${entryBadge(entry)}
      </div>
      ${entryState(entry)}
      <dl>
        ${figure(t("connections.integration"), integrationName(entry.domain))}
        ${figure(t("connections.source"), t(`connections.source.${entry.source}`))}
        ${ofFile ? nothing : figure(t("connections.since"), added)}
      </dl>
      <div class="row">
        ${isOff ? nothing : html`<hearth-action .label=${t("connections.reload")} .run=${() => this.reload(entry)}></hearth-action>`}
        <hearth-action
          .label=${t(isOff ? "connections.enable" : "connections.disable")}
          look=${isOff ? "primary" : ""}
          .run=${() => this.disable(entry)}
        ></hearth-action>
        <button type="button" @click=${() => (this.dialog = "rename")}>
          <hearth-icon .path=${mdiPencil}></hearth-icon>${t("connections.rename")}
        </button>
        ${entry.supports_reconfigure
          ? html`<a class="button" href=${connectPath({ handler: entry.domain, change: entry.entry_id })}>${t("connections.change")}</a>`
          : nothing}
        ${entry.domain === "mqtt" ? html`<a class="button" href="${base}/settings/mqtt">${t("connections.settings")}</a>` : nothing}
        ${ofFile
          ? nothing
          : html`<button type="button" class="danger" @click=${() => (this.dialog = "remove")}>${t("connections.remove")}</button>`}
      </div>
      ${ofFile ? html`<p class="hint">${t(hintOf(entry.domain))}</p>` : nothing}
    </section>`;
  }

  // Another hub that is mirrored here.
  private bridge(entry: ConfigEntry): TemplateResult | typeof nothing {
    if (entry.domain !== "home_assistant") return nothing;
    void import("./bridge_card");
    return html`<hearth-bridge-card .home=${this.home} .entryId=${entry.entry_id} .status=${statusOf(entry)}></hearth-bridge-card>`;
  }

  private devices(entry: ConfigEntry): TemplateResult {
    const devices = devicesOf(this.home, entry, language());
    const entities = entitiesOf(this.home, entry).length;
    const alone = entitiesAlone(this.home, entry);
    if (devices.length === 0 && alone.length > 0) return this.entitiesAlone(alone, t("connections.entities"));
    return html`<section class="card stack">
        <div class="spread">
          <h2>${t("connections.devices")}</h2>
          <span class="hint">
            ${t("removal.devices", { count: devices.length })}${entities > 0
              ? html` · ${t("removal.entities", { count: entities })}`
              : nothing}
          </span>
        </div>
        ${devices.length === 0
          ? html`<p class="muted">${t("connections.noDevices")}</p>`
          : html`<hearth-entry-devices .home=${this.home} .devices=${devices}></hearth-entry-devices>`}
      </section>
      ${alone.length > 0 ? this.entitiesAlone(alone, t("connections.otherEntities")) : nothing}`;
  }

  private entitiesAlone(ids: string[], heading: string): TemplateResult {
    return html`<section class="card stack">
      <div class="spread">
        <h2>${heading}</h2>
        <span class="hint">${t("removal.entities", { count: ids.length })}</span>
      </div>
      <hearth-entry-entities .home=${this.home} .ids=${ids}></hearth-entry-entities>
    </section>`;
  }

  private diagnosis(entry: ConfigEntry): TemplateResult {
    return html`<section class="card stack">
      <h2>${t("connections.more")}</h2>
      <p class="hint">${t("connections.diagnosisHint")}</p>
      <div>
        <button type="button" @click=${() => void attempt(() => this.download(entry))}>
          <hearth-icon .path=${mdiDownload}></hearth-icon>${t("connections.diagnosis")}
        </button>
      </div>
    </section>`;
  }

  private open(entry: ConfigEntry): TemplateResult | typeof nothing {
    const close = () => (this.dialog = undefined);
    if (this.dialog === "rename")
      return html`<hearth-rename-connection .home=${this.home} .entry=${entry} @closed=${close}></hearth-rename-connection>`;
    if (this.dialog !== "remove") return nothing;
    return html`<hearth-remove-connection
      .home=${this.home}
      .entry=${entry}
      @closed=${close}
      @removed=${() => navigate(connectionsPath(), "replace")}
    ></hearth-remove-connection>`;
  }
}

// Where a connection that no page has added is changed and removed.
function hintOf(domain: string) {
  if (domain === "mqtt") return "connections.mqttHint";
  return domain === "demo" ? "connections.demoHint" : "connections.fileHint";
}
