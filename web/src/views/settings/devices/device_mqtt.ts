// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { nameOnDevice } from "../../../api/devices";
import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { descriptionPlaces, type DeviceMessages, type DiscoveryRow, type SeenMessage } from "../../../api/mqtt";
import type { Device } from "../../../api/types";
import { formatDateTime, t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/json_view";
import "./mqtt_rows";

// The messages of a device over MQTT: its description and the result, and its last messages.
@customElement("hearth-device-mqtt")
export class DeviceMqtt extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) device!: Device;
  @property({ attribute: false }) messages!: DeviceMessages;
  // Asked for when they are to be seen: the report is about all devices.
  @state() private rows: DiscoveryRow[] | undefined;
  @state() private failure = "";
  private asked = false;

  static override styles = [
    shared,
    css`
      details {
        border-top: 1px solid var(--border);
      }

      summary {
        padding: 0.7rem 0;
        font-weight: 550;
        overflow-wrap: anywhere;
        cursor: pointer;
      }

      .topic {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.3rem;
        padding: 0.3rem 0;
        overflow-wrap: anywhere;
      }

      .topic pre {
        max-height: 8rem;
        margin: 0;
        padding: 0.4rem 0.6rem;
        border-radius: var(--radius-small);
        background: var(--surface-2);
        overflow: auto;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      hearth-json-view {
        padding-bottom: 0.8rem;
      }
    `,
  ];

  private async load(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      const topics = new Set(descriptionPlaces(this.messages));
      const all = await this.home.rest<DiscoveryRow[]>("GET", "/api/mqtt/discovery");
      this.rows = all.filter(({ topic }) => topics.has(topic));
      this.failure = "";
    } catch (error) {
      this.failure = errorText(error);
      this.asked = false;
    }
  }

  override render() {
    const { entities } = this.messages;
    return html`<div class="stack">
      <h2>${t("devices.mqtt")}</h2>
      <div>
        <details @toggle=${(event: Event) => (event.target as HTMLDetailsElement).open && void this.load()}>
          <summary>${t("devices.discovery")}</summary>
          ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
          ${this.rows ? html`<hearth-mqtt-rows .home=${this.home} .rows=${this.rows}></hearth-mqtt-rows>` : nothing}
        </details>
        ${entities.map(
          ({ entity_id, subscriptions, transmitted, discovery_data }) =>
            html`<details>
              <summary>${nameOnDevice(this.home, entity_id, this.device)}</summary>
              ${subscriptions.map(({ topic, messages }) => this.topic(topic, messages, false))}
              ${transmitted.map(({ topic, messages }) => this.topic(topic, messages, true))}
              <hearth-json-view
                .label=${t("devices.description")}
                .text=${JSON.stringify(discovery_data.payload, null, 2)}
              ></hearth-json-view>
            </details>`,
        )}
      </div>
    </div>`;
  }

  private topic(topic: string, messages: SeenMessage[], isSent: boolean): TemplateResult {
    const last = messages.at(-1);
    return html`<div class="topic">
      <div><span class="badge">${t(isSent ? "devices.sent" : "devices.received")}</span> <code>${topic}</code></div>
      ${last
        ? html`<div class="hint">
              <time datetime=${last.time}>${formatDateTime(new Date(last.time), this.home.configuration.time_zone)}</time>
            </div>
            <pre tabindex="0" role="group" aria-label=${topic}>${last.payload}</pre>`
        : html`<div class="hint">${t("devices.noMessage")}</div>`}
    </div>`;
  }
}
