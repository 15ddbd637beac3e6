// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Action } from "../../elements/action";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { hubText } from "./hub_text";
import "../../elements/action";
import "../../elements/fields/segments";

// Publishes a message.
@customElement("hearth-mqtt-publish")
export class MqttPublish extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private topic = "";
  @state() private payload = "";
  @state() private qos = "0";
  @state() private retain = false;
  @state() private problem = "";
  @query("hearth-action") private action!: Action;

  static override styles = [
    shared,
    css`
      label input:not([type="checkbox"]),
      label textarea {
        margin-top: 0.3rem;
      }

      .retain {
        display: flex;
        gap: 0.6rem;
        align-items: center;
        min-height: 2.75rem;
      }

      .retain input {
        width: auto;
        min-height: 0;
      }
    `,
  ];

  private async publish(): Promise<void> {
    this.problem = "";
    const topic = this.topic.trim();
    if (!topic) {
      this.problem = t("developer.mqtt.topicMissing");
      return;
    }
    const data = { topic, payload: this.payload, qos: Number(this.qos), retain: this.retain };
    try {
      await this.home.rest("POST", "/api/services/mqtt/publish", data);
      notifyDone(t("developer.mqtt.published", { topic }));
    } catch (error) {
      this.problem = hubText(error);
    }
  }

  override render() {
    const qualities = ["0", "1", "2"].map((id) => ({ id, name: id }));
    return html`<form
      class="card stack"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.action.start();
      }}
    >
      <h2>${t("developer.mqtt.publish")}</h2>
      <label>
        ${t("developer.mqtt.topic")}
        <input
          name="topic"
          class="mono"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          placeholder="home/bell/set"
          .value=${this.topic}
          @input=${(event: Event) => (this.topic = (event.target as HTMLInputElement).value)}
        />
      </label>
      <label>
        ${t("developer.mqtt.payload")}
        <textarea
          name="payload"
          class="mono"
          rows="5"
          autocapitalize="none"
          spellcheck="false"
          .value=${this.payload}
          @input=${(event: Event) => (this.payload = (event.target as HTMLTextAreaElement).value)}
        ></textarea>
      </label>
      <div>
        <hearth-segments
          .label=${t("developer.mqtt.qos")}
          .options=${qualities}
          .chosen=${this.qos}
          @choose=${(event: CustomEvent<string>) => (this.qos = event.detail)}
        ></hearth-segments>
        <p class="hint">${t("developer.mqtt.qosHint")}</p>
      </div>
      <label class="retain">
        <input
          type="checkbox"
          .checked=${this.retain}
          @change=${(event: Event) => (this.retain = (event.target as HTMLInputElement).checked)}
        />
        ${t("developer.mqtt.retain")}
      </label>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div><hearth-action look="primary" .label=${t("developer.mqtt.publish")} .run=${() => this.publish()}></hearth-action></div>
    </form>`;
  }
}
