// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { MqttStatus } from "../../api/mqtt";
import { formatNumber, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/loading";
import "./mqtt_list";
import "./mqtt_publish";

// How often it is asked for, in milliseconds.
const interval = 3000;

// The tab MQTT: the messages of the home's broker.
@customElement("hearth-developer-mqtt")
export class DeveloperMqtt extends LitElement {
  @property({ attribute: false }) home!: Home;
  // Null: the home has no broker.
  @state() private status: MqttStatus | null | undefined;
  @state() private failure = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      .notice,
      .connected {
        margin-bottom: 1.2rem;
      }

      .both {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.2rem;
        align-items: start;
      }

      @media (min-width: 90rem) {
        .both {
          grid-template-columns: 26rem minmax(0, 1fr);
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.home.user.is_admin) void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async load(): Promise<void> {
    clearTimeout(this.timer);
    this.failure = "";
    try {
      this.status = await this.home.command<MqttStatus | null>("hearth/mqtt");
    } catch (error) {
      // The present list stays; the page itself says that the hub is away.
      if (this.status === undefined) this.failure = errorText(error);
    }
    if (this.isConnected) this.timer = setTimeout(() => void this.load(), interval);
  }

  override render() {
    if (!this.home.user.is_admin) return nothing;
    const { status } = this;
    if (status === undefined) return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`;
    if (status === null)
      return html`<p class="notice">${t("mqtt.none")} <a href="${base}/settings/mqtt">${t("developer.mqtt.connect")}</a></p>`;
    return html`${this.connection(status)}
      <div class="both">
        <hearth-mqtt-publish .home=${this.home}></hearth-mqtt-publish>
        <hearth-mqtt-list .home=${this.home}></hearth-mqtt-list>
      </div>`;
  }

  private connection({ connected, broker, protocol, error, received, published }: MqttStatus): TemplateResult {
    if (!connected)
      return html`<p class="notice" role="status">${t("developer.mqtt.away", { broker, error: hubMessage(error ?? "") })}</p>`;
    const figures = { broker, protocol: protocol ?? "", received: formatNumber(received), published: formatNumber(published) };
    return html`<p class="connected" role="status">${t("developer.mqtt.connected", figures)}</p>`;
  }
}
