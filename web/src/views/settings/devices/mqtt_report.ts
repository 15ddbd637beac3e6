// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { verdicts, type DiscoveryRow, type Verdict } from "../../../api/mqtt";
import { formStyles } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { filters } from "../../../styles/filters";
import { shared } from "../../../styles/shared";
import "../../../elements/action";
import "./mqtt_rows";

const steady = 20_000;

// The results of the messages in which devices describe themselves.
@customElement("hearth-mqtt-report")
export class MqttReport extends LitElement {
  @property({ attribute: false }) home!: Home;
  // How many messages have come: with them the report may be another.
  @property({ type: Number }) received = 0;
  @state() private rows: DiscoveryRow[] | undefined;
  @state() private failure = "";
  @state() private search = "";
  @state() private verdict: Verdict | "" = "";

  static override styles = [shared, formStyles, filters];

  // A report that stays as it is, while devices go on reporting, is read again less often. Milliseconds.
  private patience = 0;
  // When it was read last, and of how many messages.
  private readAt = 0;
  private readOf = -1;

  override updated(): void {
    if (this.received === this.readOf || Date.now() - this.readAt < this.patience) return;
    void this.load();
  }

  private async load(): Promise<void> {
    const { rows: before } = this;
    this.readAt = Date.now();
    this.readOf = this.received;
    try {
      this.rows = await this.home.rest<DiscoveryRow[]>("GET", "/api/mqtt/discovery");
      this.failure = "";
      this.patience = before?.length === this.rows.length ? steady : 0;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private found(rows: DiscoveryRow[]): DiscoveryRow[] {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter(({ topic, component, verdict, dropped, reason, entity_id }) => {
      if (this.verdict && verdict !== this.verdict) return false;
      if (words.length === 0) return true;
      const name = entity_id ? this.home.nameOf(entity_id) : "";
      const text = [topic, component, reason, entity_id, name, ...dropped].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  override render() {
    const rows = this.rows ?? [];
    const found = this.found(rows);
    const counts = new Map<Verdict, number>();
    for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    return html`<div class="stack">
      <div class="spread">
        <h2>${t("mqtt.report")}</h2>
        <hearth-action .label=${t("mqtt.again")} .run=${() => this.load()}></hearth-action>
      </div>
      <p class="hint">${t("mqtt.reportHint")}</p>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
      <div class="filters">
        <div class="field">
          <label for="search">${t("mqtt.search")}</label>
          <input
            id="search"
            type="search"
            autocomplete="off"
            @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
          />
        </div>
        <div class="field">
          <label for="verdict">${t("entities.show")}</label>
          <select id="verdict" @change=${(event: Event) => (this.verdict = (event.target as HTMLSelectElement).value as Verdict | "")}>
            <option value="">${t("mqtt.all", { count: rows.length })}</option>
            ${verdicts.map(
              (verdict) => html`<option value=${verdict}>${t(`mqtt.verdict.${verdict}`)} (${counts.get(verdict) ?? 0})</option>`,
            )}
          </select>
        </div>
      </div>
      ${this.rows ? html`<p class="hint" role="status">${t("mqtt.count", { count: found.length })}</p>` : nothing}
      <hearth-mqtt-rows .home=${this.home} .rows=${found}></hearth-mqtt-rows>
    </div>`;
  }
}
