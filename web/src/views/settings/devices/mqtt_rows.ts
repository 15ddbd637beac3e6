// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { DiscoveryRow } from "../../../api/mqtt";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { longList } from "../long_list";
import { devicePath } from "./device_row";

// Rows of the report on discovery.
@customElement("hearth-mqtt-rows")
export class MqttRows extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) rows: DiscoveryRow[] = [];

  static override styles = [
    shared,
    css`
      hearth-lazy-block {
        --card-gap: 0;
      }

      .line {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: start;
        gap: 0.2rem 0.9rem;
        padding: 0.6rem 0;
        border-bottom: 1px solid var(--border);
        overflow-wrap: anywhere;
      }

      .line > div {
        min-width: 0;
      }

      .refused {
        background: var(--danger-soft);
        color: var(--text);
      }

      .dropped {
        background: var(--warning-soft);
        color: var(--text);
      }
    `,
  ];

  override render() {
    return longList(
      this.rows,
      ({ topic, component }) => `${topic} ${component ?? ""}`,
      (block) => block.map((row) => html`<hearth-mqtt-row .home=${this.home} .row=${row}></hearth-mqtt-row>`),
    );
  }
}

// The result for one component: where it was described, the parts that were left out or the reason why it was refused, and its present form.
@customElement("hearth-mqtt-row")
export class MqttRow extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) row!: DiscoveryRow;

  static override styles = MqttRows.styles;

  override render() {
    const { topic, component, verdict, dropped, reason } = this.row;
    return html`<div class="line">
      <div>
        ${this.what()}
        <div><code>${topic}</code>${component ? html` <code>${component}</code>` : nothing}</div>
        ${dropped.length > 0 ? html`<p class="hint">${t("mqtt.leftOut", { keys: dropped.join(", ") })}</p>` : nothing}
        ${reason ? html`<p class="hint">${reason}</p>` : nothing}
      </div>
      <span class="badge ${verdict}">${t(`mqtt.verdict.${verdict}`)}</span>
    </div>`;
  }

  private what(): TemplateResult | typeof nothing {
    const { entity_id } = this.row;
    if (!entity_id) return nothing;
    const device = this.home.registry.get(entity_id)?.device_id;
    const name = this.home.nameOf(entity_id);
    return html`<div>${device ? html`<a href=${devicePath(device)}>${name}</a>` : name} <span class="hint mono">${entity_id}</span></div>`;
  }
}
