// SPDX-License-Identifier: Apache-2.0
import { mdiApplicationBrackets, mdiHomeHeart, mdiShapeOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { MqttStatus } from "../../../api/mqtt";
import type { Device, IntegrationStatus } from "../../../api/types";
import { HomeController, PollController } from "../../../elements/controllers";
import { t, type Key } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import "../../../elements/icon";
import "./mqtt_connection";

// How often it is asked for what runs, in milliseconds.
const interval = 3000;

// How devices come into the home: the connection to the MQTT broker with what was found there, and other ways.
@customElement("hearth-add-devices")
export class AddDevices extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private status: MqttStatus | null | undefined;
  @state() private integrations: IntegrationStatus[] | undefined;

  static override styles = [
    shared,
    rows,
    css`
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

  // What is known stays; the page itself says that the hub is away.
  private async load(): Promise<void> {
    this.status = await this.home.command<MqttStatus | null>("hearth/mqtt").catch(() => this.status);
    this.integrations = await this.home.rest<IntegrationStatus[]>("GET", "/api/integrations").catch(() => this.integrations);
  }

  override render() {
    return html`<div class="stack">
      <section class="card stack">
        <h2>${t("addDevices.heading")}</h2>
        <p class="hint">${t("addDevices.hint")}</p>
        ${this.status
          ? this.found([...this.home.devices.values()].filter(({ primary_config_entry }) => primary_config_entry === "mqtt"))
          : nothing}
      </section>
      <hearth-mqtt-connection
        class="card"
        .home=${this.home}
        .status=${this.status}
        @changed=${() => void this.load()}
      ></hearth-mqtt-connection>
      <section class="card stack">
        <h2>${t("addDevices.others")}</h2>
        <ul>
          ${this.way(mdiShapeOutline, "addDevices.helpers", "addDevices.helpersText", "/settings/automations")}
          ${this.way(mdiApplicationBrackets, "addDevices.programs", "addDevices.programsText", "/profile")}
          ${this.way(mdiHomeHeart, "addDevices.demo", "addDevices.demoText", undefined, "demo")}
        </ul>
      </section>
    </div>`;
  }

  private found(devices: Device[]): TemplateResult {
    const free = devices.filter(({ area_id }) => !area_id).length;
    return html`<div class="spread" role="status">
      <p class=${devices.length > 0 ? "found" : "muted"}>
        ${devices.length > 0 ? t("addDevices.found", { count: devices.length }) : t("addDevices.none")}
      </p>
      <div class="row">
        ${free > 0
          ? html`<a class="button primary" href="${base}/settings/devices?show=withoutArea">${t("addDevices.rooms", { count: free })}</a>`
          : nothing}
        <a class="button" href="${base}/settings/mqtt">${t("addDevices.report")}</a>
      </div>
    </div>`;
  }

  private way(icon: string, name: Key, text: Key, path?: string, integration?: string): TemplateResult {
    const runs = this.integrations?.some((one) => one.name === integration);
    return html`<li>
      <hearth-icon .path=${icon}></hearth-icon>
      <div>
        ${path ? html`<a href="${base}${path}">${t(name)}</a>` : html`<strong>${t(name)}</strong>`}
        <div class="hint">${t(text)}</div>
      </div>
      ${integration && this.integrations ? html`<span class="badge">${t(runs ? "addDevices.on" : "addDevices.off")}</span>` : nothing}
    </li>`;
  }
}
