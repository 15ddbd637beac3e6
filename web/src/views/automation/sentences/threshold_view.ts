// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { digits } from "../../../elements/fields/number_range";
import { styles } from "../../../elements/styles_directive";
import { t, type Key } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { at, isConfig, pathOf, type Config } from "./edit";
import type { Editing } from "./editing";
import type { Slot } from "./kinds";
import { entityOffers } from "./offers";
import { pick } from "./pick";
import { writtenUnit } from "./purpose_pieces";
import { purposeOf } from "./purpose_words";
import { slotStyles } from "./slots/slot_styles";
import { limitUnit } from "./slots/slot_text";
import { edgesOf, withEdge, withType, type EdgeKey, type ThresholdType } from "./threshold";

const labels: Record<EdgeKey, Key> = { value: "purpose.limit", value_min: "purpose.lowerLimit", value_max: "purpose.upperLimit" };
// Limits can be in another unit than the home's.
const temperatures = ["°C", "°F"];

// On which side of which limits a number is. Fires `change-value`.
@customElement("hearth-threshold")
export class ThresholdView extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) slotOf!: Slot;
  @property({ attribute: false }) config: Config = {};

  static override styles = [shared, slotStyles];

  private get value(): Config {
    const value = at(this.config, pathOf(this.slotOf.key));
    if (isConfig(value)) return value;
    return this.options[0]?.value === "any" ? { type: "any" } : {};
  }

  private get options() {
    return this.slotOf.options ?? [];
  }

  private get unit(): string {
    const purpose = purposeOf(this.config);
    return purpose ? writtenUnit(this.editing, purpose) : "";
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".empty, select")?.focus();
  }

  private tell(value: unknown): void {
    this.dispatchEvent(new CustomEvent("change-value", { detail: value }));
  }

  private put(key: EdgeKey, part: Config): void {
    this.tell(withEdge(this.value, key, part));
  }

  override render() {
    const { value, slotOf, editing, options } = this;
    const isEmpty = value.type === undefined;
    const choose = (event: Event) => this.tell(withType(value, (event.target as HTMLSelectElement).value as ThresholdType, this.unit));
    const joint = t(value.type === "outside" ? "purpose.to.outside" : "purpose.to.between");
    return html`<select class="token ${isEmpty ? "empty" : ""}" aria-label=${t("slot.side")} ?disabled=${editing.fixed} @change=${choose}>
        ${isEmpty ? html`<option value="" selected disabled>${t("sentence.choose", { what: slotOf.label() })}</option>` : nothing}
        ${options.map(
          (option) => html`<option value=${String(option.value)} .selected=${option.value === value.type}>${option.text()}</option>`,
        )}
      </select>
      ${edgesOf(value.type).map(
        (key, index) => html`${index > 0 ? html`<span>${joint}</span>` : nothing}${this.edge(key, isConfig(value[key]) ? value[key] : {})}`,
      )}`;
  }

  private edge(key: EdgeKey, edge: Config): TemplateResult {
    const label = t(labels[key]);
    if (typeof edge.entity === "string") return this.entity(key, edge.entity, label);
    const { editing, slotOf, config } = this;
    const shown = edge.number === null || edge.number === undefined ? "" : String(edge.number);
    const unit = limitUnit(editing, slotOf, edge, config);
    const write = (event: InputEvent) => {
      const field = event.target as HTMLInputElement;
      if (!field.validity.badInput) this.put(key, { number: field.value === "" ? null : Number(field.value) });
    };
    return html`<input
        class="token ${shown === "" ? "empty" : ""}"
        type="number"
        inputmode="decimal"
        step="any"
        aria-label=${unit ? `${label} (${unit})` : label}
        ?disabled=${editing.fixed}
        .value=${shown}
        ${styles(digits({}, shown))}
        @input=${write}
      />${this.unitOf(key, edge, unit, label)}`;
  }

  private unitOf(key: EdgeKey, edge: Config, unit: string, label: string): TemplateResult | typeof nothing {
    if (!unit) return nothing;
    if (this.slotOf.unit !== "°C" || !temperatures.includes(String(edge.unit_of_measurement))) return html`<span>${unit}</span>`;
    const choose = (event: Event) => this.put(key, { unit_of_measurement: (event.target as HTMLSelectElement).value });
    return html`<select class="token" aria-label="${label}: ${t("slot.unit")}" ?disabled=${this.editing.fixed} @change=${choose}>
      ${temperatures.map((one) => html`<option value=${one} .selected=${one === unit}>${one}</option>`)}
    </select>`;
  }

  private entity(key: EdgeKey, id: string, label: string): TemplateResult {
    const { editing } = this;
    const text = id === "" ? t("sentence.choose", { what: label }) : editing.home.nameOf(id);
    const choose = async () => {
      const choices = entityOffers(editing, ["input_number", "number", "sensor"]);
      const found = (await pick({ heading: label, choices, chosen: [id], many: false }))?.[0];
      if (found !== undefined) this.put(key, { entity: found });
    };
    return html`<button
      type="button"
      class="token ${id === "" ? "empty" : ""}"
      aria-haspopup="dialog"
      aria-label="${label}: ${text}"
      ?disabled=${editing.fixed}
      @click=${() => void choose()}
    >
      ${text}
    </button>`;
  }
}
