// SPDX-License-Identifier: Apache-2.0
import { mdiArrowOscillating, mdiRotateLeft, mdiSpeedometer } from "@mdi/js";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, maybeT, t } from "../i18n/catalogue";
import { numberIn, textIn, textsIn } from "./attributes";
import type { Content } from "./card";
import { withUnit } from "./state_text";
import { SwitchCard } from "./switch";
import "../elements/fields/choice";
import "../elements/icon";
import "../elements/fields/slider";

const setSpeed = 1;
const oscillate = 2;
const direction = 4;
const presetMode = 8;

@customElement("hearth-fan-card")
export class FanCard extends SwitchCard {
  private percent(value: number): string {
    return withUnit(formatNumber(value, { maximumFractionDigits: 0 }), "%");
  }

  protected override say(entity: Entity): string {
    const text = super.say(entity);
    const speed = numberIn(entity, "percentage");
    return entity.state === "on" && speed ? `${text} · ${this.percent(speed)}` : text;
  }

  private speed(entity: Entity, onTile: boolean) {
    return html`<hearth-slider
      class=${onTile ? "level" : ""}
      ?tile=${onTile}
      .label=${t("fan.speed", { name: this.name })}
      .step=${numberIn(entity, "percentage_step") || 1}
      .value=${entity.state === "on" ? (numberIn(entity, "percentage") ?? 0) : 0}
      .text=${(value: number) => this.percent(value)}
      .disabled=${this.isFixed}
      @tap=${() => this.open()}
      @change-value=${(event: CustomEvent<number>) =>
        void this.call("set_percentage", { percentage: Math.round(event.detail) }, event.target)}
    ></hearth-slider>`;
  }

  protected override level(entity: Entity): Content {
    return this.can(entity, setSpeed) ? this.speed(entity, true) : nothing;
  }

  protected override body(entity: Entity): Content {
    if (!this.detailed) return nothing;
    const { attributes } = entity;
    const backward = attributes.direction === "reverse";
    return html`
      ${this.can(entity, setSpeed)
        ? html`<div class="setting"><hearth-icon .path=${mdiSpeedometer}></hearth-icon>${this.speed(entity, false)}</div>`
        : nothing}
      ${this.can(entity, presetMode)
        ? html`<hearth-choice
            .caption=${t("fan.preset")}
            .label=${t("fan.presetOf", { name: this.name })}
            .value=${textIn(entity, "preset_mode")}
            .options=${textsIn(entity, "preset_modes").map((value) => ({ value, text: maybeT(`state.preset.${value}`) ?? value }))}
            .disabled=${this.isFixed}
            @choose=${(event: CustomEvent<string>) => void this.call("set_preset_mode", { preset_mode: event.detail }, event.target)}
          ></hearth-choice>`
        : nothing}
      ${this.can(entity, oscillate | direction)
        ? html`<div class="buttons">
            ${this.can(entity, oscillate)
              ? html`<button
                  type="button"
                  aria-pressed=${attributes.oscillating === true ? "true" : "false"}
                  aria-label=${t("fan.oscillateOf", { name: this.name })}
                  ?disabled=${this.isFixed}
                  @click=${() => void this.call("oscillate", { oscillating: attributes.oscillating !== true })}
                >
                  <hearth-icon .path=${mdiArrowOscillating}></hearth-icon>${t("fan.oscillate")}
                </button>`
              : nothing}
            ${this.can(entity, direction)
              ? html`<button
                  type="button"
                  aria-pressed=${backward ? "true" : "false"}
                  aria-label=${t("fan.reverseOf", { name: this.name })}
                  ?disabled=${this.isFixed}
                  @click=${() => void this.call("set_direction", { direction: backward ? "forward" : "reverse" })}
                >
                  <hearth-icon .path=${mdiRotateLeft}></hearth-icon>${t("fan.reverse")}
                </button>`
              : nothing}
          </div>`
        : nothing}
    `;
  }
}
