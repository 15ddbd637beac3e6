// SPDX-License-Identifier: Apache-2.0
import { mdiApplicationBrackets, mdiHomeHeart, mdiPuzzleOutline, mdiShapeOutline, mdiTransitConnectionVariant } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { flowHandlers } from "../../../api/connections/flows";
import { integrationOf } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { KnownIntegration } from "../../../api/integrations";
import type { MqttStatus } from "../../../api/mqtt";
import type { Device, IntegrationStatus } from "../../../api/types";
import { HomeController, PollController } from "../../../elements/controllers";
import { maybeT, t, type Key } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { connectionsPath } from "../connections/paths";
import { integrationName } from "../connections/words";
import "../../../elements/icon";
import "../../../elements/remove_integration";
import "./mqtt_connection";
import "./offers";
import "./pairing";

// How often it is asked for what runs, in milliseconds.
const interval = 3000;

// How devices come into the home: what was found in the network, integrations, the connection to the MQTT broker with what was found
// there, and other ways.
@customElement("hearth-add-devices")
export class AddDevices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private status: MqttStatus | null | undefined;
  @state() private integrations: IntegrationStatus[] | undefined;
  @state() private known: KnownIntegration[] = [];
  // The devices that are added by a flow.
  @state() private handlers: readonly string[] = [];
  @state() private leaving: KnownIntegration | undefined;

  static override styles = [
    shared,
    rows,
    css`
      a.primary {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-text);
      }

      a.primary:hover {
        filter: brightness(1.08);
      }

      li .row {
        gap: 0.6rem;
      }

      .found {
        font-size: 1.1rem;
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new PollController(this, interval, () => this.load());
  }

  // Known facts stay; the page itself says that the hub is away.
  private async load(): Promise<void> {
    this.status = await this.home.command<MqttStatus | null>("hearth/mqtt").catch(() => this.status);
    this.integrations = await this.home.rest<IntegrationStatus[]>("GET", "/api/integrations").catch(() => this.integrations);
    this.known = await this.home.command<KnownIntegration[]>("hearth/integrations/list").catch(() => this.known);
    if (this.handlers.length === 0) this.handlers = await flowHandlers(this.home).catch(() => []);
  }

  override render() {
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("addDevices.heading")}</h2>
        <a class="button" href=${connectionsPath()}>${t("addDevices.connections")}</a>
      </div>
      <hearth-connection-offers .home=${this.home} .handlers=${this.handlers}></hearth-connection-offers>
      <section class="card stack">
        <h2>${t("addDevices.mqttHeading")}</h2>
        <p class="hint">${t("addDevices.hint")}</p>
        ${this.status ? this.found([...this.home.devices.values()].filter((device) => integrationOf(device) === "mqtt")) : nothing}
      </section>
      ${this.status?.connected ? html`<hearth-pairing .home=${this.home}></hearth-pairing>` : nothing}
      <hearth-mqtt-connection
        class="card"
        .home=${this.home}
        .status=${this.status}
        @changed=${() => void this.load()}
      ></hearth-mqtt-connection>
      <section class="card stack">
        <h2>${t("integrations.heading")}</h2>
        <ul>
          ${this.known.filter(({ name, place }) => place || !this.handlers.includes(name)).map((one) => this.integration(one))}
        </ul>
      </section>
      <section class="card stack">
        <h2>${t("addDevices.others")}</h2>
        <ul>
          ${this.way(mdiShapeOutline, "addDevices.helpers", "addDevices.helpersText", "/settings/automations")}
          ${this.way(mdiApplicationBrackets, "addDevices.programs", "addDevices.programsText", "/profile")}
        </ul>
      </section>
      ${this.leaving ? this.dialog(this.leaving) : nothing}
    </div>`;
  }

  private entityCount(devices: Device[]): number {
    const ids = new Set(devices.map(({ id }) => id));
    return [...this.home.registry.values()].filter(({ device_id }) => device_id && ids.has(device_id)).length;
  }

  private found(devices: Device[]): TemplateResult {
    const free = devices.filter(({ area_id }) => !area_id).length;
    return html`<div class="spread" role="status">
      <p class=${devices.length > 0 ? "found" : "muted"}>
        ${devices.length > 0 ? t("addDevices.found", { count: devices.length }) : t("addDevices.none")}
        ${devices.length > 0 ? html`<span class="hint">${t("removal.entities", { count: this.entityCount(devices) })}</span>` : nothing}
      </p>
      <div class="row">
        ${free > 0
          ? html`<a class="button primary" href="${base}/settings/devices/rooms">${t("addDevices.rooms", { count: free })}</a>`
          : nothing}
        <a class="button" href="${base}/settings/mqtt">${t("addDevices.report")}</a>
      </div>
    </div>`;
  }

  private integration({ name, set_by, place, removable }: KnownIntegration): TemplateResult {
    const icons: Record<string, string> = { mqtt: mdiTransitConnectionVariant, demo: mdiHomeHeart };
    const runs = this.integrations?.some((one) => one.name === name && one.state === "running");
    const how = place
      ? t("addDevices.setIn", { place })
      : set_by === "page"
        ? t("addDevices.setOnPage")
        : t("addDevices.turnOn", { section: `${name}:` });
    return html`<li>
      <hearth-icon .path=${icons[name] ?? mdiPuzzleOutline}></hearth-icon>
      <div>
        <strong>${integrationName(name)}</strong>
        <div class="hint">${maybeT(`integration.${name}.text`) ?? ""} ${how}</div>
      </div>
      <span class="row">
        ${this.integrations ? html`<span class="badge">${t(runs ? "addDevices.on" : "addDevices.off")}</span>` : nothing}
        ${removable
          ? html`<button type="button" class="danger" @click=${() => (this.leaving = this.known.find((one) => one.name === name))}>
              ${t("removal.button")}
            </button>`
          : nothing}
      </span>
    </li>`;
  }

  private dialog({ name, place }: KnownIntegration): TemplateResult {
    return html`<hearth-remove-integration
      .home=${this.home}
      .integration=${name}
      .name=${integrationName(name)}
      .place=${place ?? ""}
      @removed=${() => void this.load()}
      @closed=${() => (this.leaving = undefined)}
    ></hearth-remove-integration>`;
  }

  private way(icon: string, name: Key, text: Key, path: string): TemplateResult {
    return html`<li>
      <hearth-icon .path=${icon}></hearth-icon>
      <div>
        <a href="${base}${path}">${t(name)}</a>
        <div class="hint">${t(text)}</div>
      </div>
    </li>`;
  }
}
