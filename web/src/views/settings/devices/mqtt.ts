// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { MqttStatus } from "../../../api/mqtt";
import { PollController } from "../../../elements/controllers";
import { shared } from "../../../styles/shared";
import "./mqtt_connection";
import "./mqtt_report";

// How often the connection's state is asked for, in milliseconds.
const interval = 3000;

// The home's MQTT broker, and what devices have said of themselves there.
@customElement("hearth-settings-mqtt")
export class SettingsMqtt extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private status: MqttStatus | null | undefined;

  static override styles = [shared];

  constructor() {
    super();
    new PollController(this, interval, () => this.load());
  }

  // Known facts stay; the page itself says that the hub is away.
  private async load(): Promise<void> {
    this.status = await this.home.command<MqttStatus | null>("hearth/mqtt").catch(() => this.status);
  }

  override render() {
    return html`<div class="stack">
      <hearth-mqtt-connection
        class="card"
        .home=${this.home}
        .status=${this.status}
        @changed=${() => void this.load()}
      ></hearth-mqtt-connection>
      ${this.status
        ? html`<hearth-mqtt-report class="card" .home=${this.home} .received=${this.status.received}></hearth-mqtt-report>`
        : nothing}
    </div>`;
  }
}
