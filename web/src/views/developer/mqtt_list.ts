// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { SeenMessage } from "../../api/mqtt";
import { t } from "../../i18n/catalogue";
import { EventLog, most } from "./event_log";
import { LiveList, type Line } from "./live_list";
import "../../elements/json_view";

// Of a payload in the list, in characters.
const briefly = 200;

// A payload that is JSON, in lines; any other as it is.
function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

// Shows messages as they come.
@customElement("hearth-mqtt-list")
export class MqttList extends LiveList<SeenMessage> {
  @state() private topic = "#";
  @state() private dropped = false;
  protected readonly log = new EventLog<SeenMessage>(({ topic, payload }) => `${topic} ${payload}`);

  static override styles = [
    ...LiveList.styles,
    css`
      :host {
        --name-width: 20rem;
      }
    `,
  ];

  protected get words() {
    return {
      heading: t("developer.mqtt.listen"),
      filterHint: t("developer.mqtt.filterHint"),
      notListening: t("developer.mqtt.notListening", { most }),
      waiting: (count: number) => t("developer.mqtt.waiting", { count }),
    };
  }

  protected override question() {
    return { type: "mqtt/subscribe", topic: this.topic.trim() };
  }

  protected override begun(): void {
    this.dropped = false;
  }

  protected override hear(message: SeenMessage | { dropped: true }): void {
    if ("dropped" in message) this.dropped = true;
    else super.hear(message);
  }

  protected override note(): TemplateResult | typeof nothing {
    return this.dropped ? html`<p class="notice">${t("developer.mqtt.dropped")}</p>` : nothing;
  }

  protected override choice(): TemplateResult {
    return html`<label>
      ${t("developer.mqtt.topicFilter")}
      <input
        name="filter"
        class="mono"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        placeholder="zigbee2mqtt/#"
        ?disabled=${this.listening}
        .value=${this.topic}
        @input=${(event: Event) => (this.topic = (event.target as HTMLInputElement).value)}
      />
    </label>`;
  }

  protected override line({ topic, payload, qos, retain, time }: SeenMessage): Line {
    return {
      time,
      name: topic,
      brief: payload.slice(0, briefly),
      whole: () =>
        html`<p class="hint">${t("developer.mqtt.quality", { qos })} ${retain ? t("developer.mqtt.retained") : nothing}</p>
          <hearth-json-view .label=${t("developer.mqtt.payload")} .text=${readable(payload)}></hearth-json-view>`,
    };
  }
}
