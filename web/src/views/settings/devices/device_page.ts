// SPDX-License-Identifier: Apache-2.0
import { mdiChartLine, mdiDelete, mdiOpenInNew, mdiPencil } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import {
  deviceName,
  entitiesByDevice,
  factsOf,
  integrationOf,
  makerOf,
  nameOnDevice,
  seenAt,
  type DeviceFacts,
} from "../../../api/devices";
import type { Home } from "../../../api/home";
import { LabelsController } from "../../../api/labels";
import type { DeviceMessages } from "../../../api/mqtt";
import type { Device } from "../../../api/types";
import { cardOf } from "../../../cards/card_of";
import { stateText } from "../../../cards/state_text";
import { confirm } from "../../../elements/confirm";
import { EntitiesController, HomeController } from "../../../elements/controllers";
import { labelChip, labelChips } from "../../../elements/label_chip";
import { attempt, notifyDone } from "../../../elements/notify";
import { TitleController } from "../../../elements/title";
import { formatDateTime, formatRelative, language, t, type Key } from "../../../i18n/catalogue";
import { base, navigate } from "../../../router";
import { figures } from "../../../styles/figures";
import { shared } from "../../../styles/shared";
import { connectionPath } from "../connections/paths";
import { integrationName } from "../connections/words";
import { isRemovable, removeDevice } from "./device_removal";
import { devicePath } from "./device_row";
import "../../../elements/back_link";
import "../../../elements/icon";
import "./device_dialog";
import "./device_mqtt";

// As many curves are drawn of a device.
const mostCurves = 16;
const groups = ["controls", "config", "diagnostic"] as const;
type Group = (typeof groups)[number];

// All about one device: what it is, its entities with their controls and, if it comes from MQTT, its messages.
@customElement("hearth-device-page")
export class DevicePage extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) deviceId = "";
  @state() private edited: Device | undefined;
  private readonly labels = new LabelsController(this, () => this.home);
  // If it comes from MQTT, and the hub tells.
  @state() private messages: DeviceMessages | undefined;

  static override styles = [
    shared,
    figures,
    labelChips,
    css`
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
        align-items: start;
        gap: 0.6rem;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.6rem;
        min-height: 2.75rem;
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 2, () => (this.device ? deviceName(this.device) : ""));
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: this.ids }));
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("deviceId")) void this.load();
  }

  private get device(): Device | undefined {
    return this.home.devices.get(this.deviceId);
  }

  private get ids(): string[] {
    return entitiesByDevice(this.home).get(this.deviceId) ?? [];
  }

  private async load(): Promise<void> {
    const device_id = this.deviceId;
    this.messages = undefined;
    if (!this.device || integrationOf(this.device) !== "mqtt") return;
    const messages = await this.home.command<DeviceMessages>("mqtt/device/debug_info", { device_id }).catch(() => undefined);
    if (device_id === this.deviceId) this.messages = messages;
  }

  private async erase(device: Device): Promise<void> {
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name: deviceName(device) }),
      text: t(this.messages ? "devices.deleteMqttText" : "devices.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes || !(await attempt(() => removeDevice(this.home, this.ids, this.messages)))) return;
    notifyDone(t("devices.deleted", { name: deviceName(device) }));
    navigate(`${base}/settings/devices`);
  }

  override render() {
    const { device } = this;
    return html`<div class="stack">
      <hearth-back-link href="${base}/settings/devices" label=${t("devices.back")}></hearth-back-link>
      ${device
        ? this.content(device)
        : html`<h2>${t("devices.unknown")}</h2>
            <p>${t("devices.unknownHint")}</p>`}
    </div>`;
  }

  private content(device: Device): TemplateResult {
    const { ids } = this;
    const facts = factsOf(this.home, device, ids);
    return html`
      ${this.about(device, ids, facts)} ${groups.map((group) => this.group(group, ids, device))} ${this.without(ids, device)}
      ${this.messages
        ? html`<hearth-device-mqtt class="card" .home=${this.home} .device=${device} .messages=${this.messages}></hearth-device-mqtt>`
        : nothing}
      ${this.edited
        ? html`<hearth-device-dialog
            .home=${this.home}
            .device=${this.edited}
            @closed=${() => (this.edited = undefined)}
          ></hearth-device-dialog>`
        : nothing}
    `;
  }

  private about(device: Device, ids: string[], facts: DeviceFacts): TemplateResult {
    const drawn = ids.filter((id) => this.home.entity(id) && this.groupOf(id) !== "config").slice(0, mostCurves);
    const url = /^https?:\/\//.test(device.configuration_url ?? "") ? device.configuration_url : undefined;
    return html`<section class="card stack">
      <div class="row">
        <h2>${deviceName(device)}</h2>
        ${device.disabled_by ? html`<span class="badge">${t("devices.disabled")}</span>` : nothing}
        ${facts.isGone ? html`<span class="badge">${t("devices.gone")}</span>` : nothing}
      </div>
      <dl>${this.facts(device, facts)}</dl>
      <div class="row">
        <button type="button" @click=${() => (this.edited = device)}>
          <hearth-icon .path=${mdiPencil}></hearth-icon>${t("action.edit")}
        </button>
        ${drawn.length > 0
          ? html`<a class="button" href="${base}/history?entity=${drawn.map(encodeURIComponent).join(",")}&amp;span=24h">
              <hearth-icon .path=${mdiChartLine}></hearth-icon>${t("page.history")}
            </a>`
          : nothing}
        ${url
          ? html`<a class="button" href=${url} target="_blank" rel="noopener noreferrer">
              <hearth-icon .path=${mdiOpenInNew}></hearth-icon>${t("devices.ownPage")}
            </a>`
          : nothing}
        ${isRemovable(this.home, ids, this.messages)
          ? html`<button type="button" class="danger" @click=${() => void this.erase(device)}>
              <hearth-icon .path=${mdiDelete}></hearth-icon>${t("action.delete")}
            </button>`
          : nothing}
      </div>
    </section>`;
  }

  private facts(device: Device, facts: DeviceFacts): TemplateResult {
    const { battery, signal } = facts;
    const via = device.via_device_id ? this.home.devices.get(device.via_device_id) : undefined;
    const area = device.area_id ? this.home.areas.get(device.area_id)?.name : undefined;
    const seen = seenAt(facts);
    const zone = this.home.configuration.time_zone;
    const figure = (name: Key, value: TemplateResult | string | null | undefined) =>
      value
        ? html`<div>
            <dt>${t(name)}</dt>
            <dd>${value}</dd>
          </div>`
        : nothing;
    const when = (moment: Date) => html`${formatRelative(moment)}<small>${formatDateTime(moment, zone)}</small>`;
    const labels = device.labels.map((id) => labelChip(this.labels.named(id)));
    return html`
      ${figure("entities.area", area ?? html`<span class="muted">${t("entities.noArea")}</span>`)}
      ${figure("devices.battery", battery && stateText(this.home, battery))}
      ${figure("devices.signal", signal && stateText(this.home, signal))}
      ${figure("devices.lastSeen", seen === undefined ? undefined : when(new Date(seen)))} ${figure("devices.firmware", facts.firmware)}
      ${figure("devices.maker", makerOf(device))} ${figure("devices.model", device.model_id)}
      ${figure("devices.hardware", device.hw_version)} ${figure("devices.serial", device.serial_number)}
      ${figure("devices.via", via && html`<a href=${devicePath(via.id)}>${deviceName(via)}</a>`)}
      ${figure("devices.integration", this.origin(device))} ${figure("devices.since", when(new Date(device.created_at * 1000)))}
      ${figure("entities.labels", labels.length > 0 ? html`${labels}` : undefined)}
    `;
  }

  // The integration, which leads to the connection.
  private origin(device: Device): TemplateResult | string {
    const name = integrationOf(device);
    const entry = device.primary_config_entry;
    return entry ? html`<a href=${connectionPath(entry)}>${integrationName(name)}</a>` : name;
  }

  private groupOf(id: string): Group {
    const category = this.home.registry.get(id)?.entity_category;
    return category === "config" || category === "diagnostic" ? category : "controls";
  }

  private byName(ids: string[], device: Device): string[] {
    const collator = new Intl.Collator(language(), { numeric: true });
    const names = new Map(ids.map((id) => [id, nameOnDevice(this.home, id, device)]));
    return ids.sort((a, b) => collator.compare(names.get(a) ?? "", names.get(b) ?? ""));
  }

  private group(group: Group, ids: string[], device: Device): TemplateResult | typeof nothing {
    const shown = this.byName(
      ids.filter((id) => this.home.entity(id) && this.groupOf(id) === group),
      device,
    );
    if (shown.length === 0) return nothing;
    return html`<section class="stack">
      <h2>${t(`devices.group.${group}`)}</h2>
      <div class="cards">
        ${repeat(
          shown,
          (id) => id,
          (id) => cardOf(this.home, id, { device }),
        )}
      </div>
    </section>`;
  }

  // The entities that are disabled, or of which the hub knows nothing yet.
  private without(ids: string[], device: Device): TemplateResult | typeof nothing {
    const shown = this.byName(
      ids.filter((id) => !this.home.entity(id)),
      device,
    );
    if (shown.length === 0) return nothing;
    return html`<section class="card stack">
      <h2>${t("devices.withoutState")}</h2>
      <ul>
        ${shown.map(
          (id) =>
            html`<li>
              <a href="${base}/settings/areas?open=${encodeURIComponent(id)}">${nameOnDevice(this.home, id, device)}</a>
              ${this.home.registry.get(id)?.disabled_by ? html`<span class="badge">${t("entities.disabled")}</span>` : nothing}
            </li>`,
        )}
      </ul>
    </section>`;
  }
}
