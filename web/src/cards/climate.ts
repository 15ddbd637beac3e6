// SPDX-License-Identifier: Apache-2.0
import { mdiWaterPercent } from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, maybeT, t, type Key } from "../i18n/catalogue";
import { numberIn, textIn, textsIn } from "./attributes";
import { Card } from "./card";
import { withUnit } from "./state_text";
import "../elements/fields/choice";
import "../elements/icon";
import "../elements/fields/slider";
import "../elements/fields/stepper";

const targetTemperature = 1;
const targetRange = 2;
const targetHumidity = 4;

const working = new Set(["preheating", "heating", "cooling", "drying", "fan", "defrosting"]);

@customElement("hearth-climate-card")
export class ClimateCard extends Card {
  static override styles = [
    ...Card.styles,
    css`
      .now {
        font-size: 1.2rem;
        font-weight: 600;
        max-width: 45%;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .aims {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr));
        gap: 0.5rem;
      }

      .aims span {
        display: block;
        color: var(--text-2);
        font-size: 0.88rem;
        text-align: center;
      }

      .modes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr));
        gap: 0.5rem;
      }
    `,
  ];

  protected override isActive(entity: Entity): boolean {
    return working.has(textIn(entity, "hvac_action"));
  }

  // Its action and, where it does nothing, its setting: "Heating", "Heat · Idle".
  protected override say(entity: Entity): string {
    const action = textIn(entity, "hvac_action");
    const mode = super.say(entity);
    if (!action || action === entity.state || this.isGone) return mode;
    const words = maybeT(`state.hvac_action.${action}`) ?? action;
    return working.has(action) ? words : `${mode} · ${words}`;
  }

  private degrees(value: number): string {
    const unit = this.home.configuration.unit_system.temperature ?? "°C";
    return withUnit(formatNumber(value, { minimumFractionDigits: 1, maximumFractionDigits: 2 }), unit);
  }

  protected override control(entity: Entity) {
    const now = numberIn(entity, "current_temperature");
    return now === undefined ? nothing : html`<div class="now" title=${t("climate.now")}>${this.degrees(now)}</div>`;
  }

  private stepper(entity: Entity, attribute: string, label: string, less: Key, more: Key, data: (value: number) => object) {
    return html`<hearth-stepper
      .label=${label}
      .value=${numberIn(entity, attribute)}
      .min=${numberIn(entity, "min_temp") ?? 7}
      .max=${numberIn(entity, "max_temp") ?? 35}
      .step=${numberIn(entity, "target_temp_step") ?? 0.5}
      .less=${t(less, { name: this.name })}
      .more=${t(more, { name: this.name })}
      .text=${(value: number | undefined) => (value === undefined ? "–" : this.degrees(value))}
      .disabled=${this.isFixed}
      @change-value=${(event: CustomEvent<number>) => void this.call("set_temperature", data(event.detail), event.target)}
    ></hearth-stepper>`;
  }

  private aims(entity: Entity): TemplateResult[] {
    const aims: TemplateResult[] = [];
    const { name } = this;
    const low = numberIn(entity, "target_temp_low");
    const high = numberIn(entity, "target_temp_high");
    if (this.can(entity, targetTemperature) && (numberIn(entity, "temperature") !== undefined || low === undefined)) {
      aims.push(
        this.stepper(entity, "temperature", t("climate.target", { name }), "climate.less", "climate.more", (temperature) => ({
          temperature,
        })),
      );
    }
    if (this.can(entity, targetRange) && low !== undefined && high !== undefined) {
      aims.push(
        html`<div>
          ${this.detailed ? html`<span>${t("climate.from")}</span>` : nothing}
          ${this.stepper(entity, "target_temp_low", t("climate.targetLow", { name }), "climate.lessLow", "climate.moreLow", (value) => ({
            target_temp_low: Math.min(value, high),
            target_temp_high: high,
          }))}
        </div>`,
        html`<div>
          ${this.detailed ? html`<span>${t("climate.to")}</span>` : nothing}
          ${this.stepper(
            entity,
            "target_temp_high",
            t("climate.targetHigh", { name }),
            "climate.lessHigh",
            "climate.moreHigh",
            (value) => ({
              target_temp_low: low,
              target_temp_high: Math.max(value, low),
            }),
          )}
        </div>`,
      );
    }
    return aims;
  }

  // One or both temperatures on an arc.
  private dial(entity: Entity) {
    const { name } = this;
    const number = (attribute: string) => numberIn(entity, attribute);
    const [low, high, single] = [number("target_temp_low"), number("target_temp_high"), number("temperature")];
    const isRange = this.can(entity, targetRange) && low !== undefined && high !== undefined;
    const isSingle = !isRange && this.can(entity, targetTemperature) && single !== undefined;
    if (!isRange && !isSingle) return nothing;
    const hands = isRange
      ? [
          { key: "target_temp_low", label: t("climate.targetLow", { name }), value: low, look: "heat" },
          { key: "target_temp_high", label: t("climate.targetHigh", { name }), value: high, look: "cool" },
        ]
      : [{ key: "temperature", label: t("climate.target", { name }), value: single, look: entity.state === "cool" ? "cool" : "heat" }];
    return html`<hearth-dial
      .hands=${hands}
      .now=${number("current_temperature")}
      .min=${number("min_temp") ?? 7}
      .max=${number("max_temp") ?? 35}
      .step=${number("target_temp_step") ?? 0.5}
      .text=${(value: number) => this.degrees(value)}
      .said=${this.say(entity)}
      .active=${this.isActive(entity)}
      .disabled=${this.isFixed}
      @change-values=${(event: CustomEvent<Record<string, number>>) => void this.call("set_temperature", event.detail, event.target)}
    ></hearth-dial>`;
  }

  private choice(entity: Entity, list: string, attribute: string, caption: Key, words: string) {
    const options = textsIn(entity, list);
    if (options.length === 0) return nothing;
    const label = `${t(caption)}: ${this.name}`;
    return html`<hearth-choice
      ?stacked=${this.detailed}
      .caption=${this.detailed ? t(caption) : ""}
      .label=${label}
      .value=${attribute === "hvac_mode" ? entity.state : textIn(entity, attribute)}
      .options=${options.map((value) => ({ value, text: maybeT(`state.${words}.${value}`) ?? maybeT(`state.${value}`) ?? value }))}
      .disabled=${this.isFixed}
      @choose=${(event: CustomEvent<string>) => void this.call(`set_${attribute}`, { [attribute]: event.detail }, event.target)}
    ></hearth-choice>`;
  }

  protected override body(entity: Entity) {
    return html`
      ${this.detailed ? this.dial(entity) : nothing}
      <div class="aims">${this.aims(entity)}</div>
      ${this.detailed && this.can(entity, targetHumidity) ? this.humidity(entity) : nothing}
      <div class="modes">
        ${this.choice(entity, "hvac_modes", "hvac_mode", "climate.mode", "climate")}
        ${this.choice(entity, "preset_modes", "preset_mode", "climate.preset", "preset")}
        ${this.detailed
          ? html`${this.choice(entity, "fan_modes", "fan_mode", "climate.fan", "fan_mode")}
            ${this.choice(entity, "swing_modes", "swing_mode", "climate.swing", "swing")}
            ${this.choice(entity, "swing_horizontal_modes", "swing_horizontal_mode", "climate.swingHorizontal", "swing")}`
          : nothing}
      </div>
    `;
  }

  private humidity(entity: Entity) {
    return html`<div class="setting">
      <hearth-icon .path=${mdiWaterPercent}></hearth-icon>
      <hearth-slider
        .label=${t("climate.humidity", { name: this.name })}
        .min=${numberIn(entity, "min_humidity") ?? 30}
        .max=${numberIn(entity, "max_humidity") ?? 99}
        .value=${numberIn(entity, "humidity") ?? 50}
        .text=${(value: number) => withUnit(formatNumber(value), "%")}
        .disabled=${this.isFixed}
        @change-value=${(event: CustomEvent<number>) => void this.call("set_humidity", { humidity: event.detail }, event.target)}
      ></hearth-slider>
    </div>`;
  }
}
