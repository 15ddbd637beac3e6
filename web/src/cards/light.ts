// SPDX-License-Identifier: Apache-2.0
import { mdiBrightness6, mdiInvertColors, mdiPaletteSwatch, mdiThermometer } from "@mdi/js";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { styles } from "../elements/styles_directive";
import { formatNumber, t } from "../i18n/catalogue";
import { shineOf } from "../undo/shine";
import { numberIn, textIn, textsIn } from "./attributes";
import { Card, type Content } from "./card";
import { withUnit } from "./state_text";
import { SwitchCard } from "./switch";
import "../elements/fields/choice";
import "../elements/icon";
import "../elements/fields/slider";

const colourModes = ["hs", "xy", "rgb", "rgbw", "rgbww"];

type Rgb = [number, number, number];

// The colour of a lamp at full brightness.
function rgbOf(entity: Entity): Rgb | undefined {
  const rgb = entity.attributes.rgb_color;
  if (entity.state !== "on" || !Array.isArray(rgb) || rgb.length !== 3) return undefined;
  if (!rgb.every((part): part is number => typeof part === "number" && part >= 0 && part <= 255)) return undefined;
  const most = Math.max(...(rgb as Rgb), 1);
  return rgb.map((part) => Math.round((part * 255) / most)) as Rgb;
}

// Lamplight, in which white is drawn: on a white card, white itself would look as if the lamp were off.
const warm: Rgb = [255, 176, 46];

// The colour in which a lamp's card glows: the less colour its light has, the more it is that of lamplight.
function glowOf(rgb: Rgb): Rgb {
  const whiteness = Math.min(...rgb) / Math.max(...rgb, 1);
  return rgb.map((part, index) => Math.round(part + ((warm[index] as number) - part) * whiteness)) as Rgb;
}

// Relative luminance as WCAG 2.2 defines it.
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

@customElement("hearth-light-card")
export class LightCard extends SwitchCard {
  // The last color of a lamp that is off, or shows another.
  private kelvin: number | undefined;
  private hue = 30;
  private saturation = 0;
  // Of a drag over its colours, which the lamp shows while it lasts: how to put back what was there.
  private takeBack = (): void => undefined;

  static override styles = [
    ...Card.styles,
    css`
      .tile.tinted {
        border-color: color-mix(in srgb, var(--sign) 55%, var(--border));
        background: color-mix(in srgb, var(--sign) 14%, var(--surface));
      }

      .tile.tinted .state {
        color: var(--text);
      }

      .level {
        --fill: color-mix(in srgb, var(--sign, var(--active-border)) 30%, transparent);
      }

      hearth-slider[big] {
        --fill: color-mix(in srgb, var(--sign, var(--active-border)) 75%, var(--surface-2));
      }

      .colour {
        display: grid;
        gap: 0.35rem;
      }
    `,
  ];

  constructor() {
    super();
    this.addEventListener("begin-drag", () => {
      const entity = this.home.entity(this.entityId);
      const { hue, saturation } = this;
      this.takeBack = () => {
        [this.hue, this.saturation] = [hue, saturation];
        if (entity) void this.putBack("turn_on", shineOf(entity));
      };
    });
    this.addEventListener("take-back", () => this.takeBack());
  }

  override updated(): void {
    const entity = this.home.entity(this.entityId);
    const shown = entity && rgbOf(entity);
    const rgb = shown && glowOf(shown);
    this.renderRoot.querySelector(".tile")?.classList.toggle("tinted", rgb !== undefined && !this.detailed);
    this.style.setProperty("--sign", rgb ? `rgb(${rgb.join(" ")})` : "");
    this.style.setProperty("--sign-icon", rgb ? (luminance(rgb) > 0.18 ? "#000" : "#fff") : "");
  }

  protected override say(entity: Entity): string {
    const text = super.say(entity);
    const level = this.percentOf(entity);
    return entity.state === "on" && level > 0 ? `${text} · ${this.percent(level)}` : text;
  }

  private percent(value: number): string {
    return withUnit(formatNumber(value), "%");
  }

  private percentOf(entity: Entity): number {
    const brightness = numberIn(entity, "brightness");
    if (entity.state !== "on" || brightness === undefined) return 0;
    return brightness > 0 ? Math.max(1, Math.round((brightness * 100) / 255)) : 0;
  }

  private turnOn(data: object, event: Event): void {
    void this.call("turn_on", data, event.target);
  }

  private dims(entity: Entity): boolean {
    const modes = textsIn(entity, "supported_color_modes");
    return modes.some((mode) => mode !== "onoff") || (modes.length === 0 && numberIn(entity, "brightness") !== undefined);
  }

  private brightness(entity: Entity, onTile: boolean) {
    return html`<hearth-slider
      class=${onTile ? "level" : ""}
      ?tile=${onTile}
      ?big=${!onTile}
      .label=${t("light.brightness", { name: this.name })}
      .value=${this.percentOf(entity)}
      .text=${(value: number) => this.percent(value)}
      .disabled=${this.isFixed}
      @tap=${() => this.open()}
      @change-value=${(event: CustomEvent<number>) => this.turnOn({ brightness_pct: event.detail }, event)}
    ></hearth-slider>`;
  }

  protected override level(entity: Entity): Content {
    return this.dims(entity) ? this.brightness(entity, true) : nothing;
  }

  protected override body(entity: Entity): Content {
    if (!this.detailed) return nothing;
    const modes = textsIn(entity, "supported_color_modes");
    return html`
      ${this.dims(entity)
        ? html`<div class="setting"><hearth-icon .path=${mdiBrightness6}></hearth-icon>${this.brightness(entity, false)}</div>`
        : nothing}
      ${this.swatches(entity, modes)} ${modes.includes("color_temp") ? this.temperature(entity) : nothing} ${this.colours(entity, modes)}
    `;
  }

  // At one tap.
  private swatches(entity: Entity, modes: string[]): Content {
    const [white, colourful] = [modes.includes("color_temp"), this.isColourful(modes)];
    if (!white && !colourful && !this.dims(entity)) return nothing;
    return html`<hearth-light-colours
      .home=${this.home}
      .entity=${entity}
      .white=${white}
      .colourful=${colourful}
      .disabled=${this.isFixed}
      @choose=${(event: CustomEvent<object>) => this.turnOn(event.detail, event)}
    ></hearth-light-colours>`;
  }

  private isColourful(modes: string[]): boolean {
    return modes.some((mode) => colourModes.includes(mode));
  }

  // True if its colours are seen while they are chosen. One that is off is not turned on by a drag that may be put back.
  private get shines(): boolean {
    return this.home.entity(this.entityId)?.state === "on";
  }

  private temperature(entity: Entity) {
    const low = numberIn(entity, "min_color_temp_kelvin") ?? 2000;
    const high = numberIn(entity, "max_color_temp_kelvin") ?? 6500;
    this.kelvin = numberIn(entity, "color_temp_kelvin") ?? this.kelvin;
    return html`<div class="setting">
      <hearth-icon .path=${mdiThermometer}></hearth-icon>
      <hearth-slider
        scale="temperature"
        .live=${this.shines}
        .label=${t("light.temperature", { name: this.name })}
        .min=${low}
        .max=${high}
        .step=${50}
        .value=${this.kelvin ?? (low + high) / 2}
        .text=${(value: number) => withUnit(formatNumber(value), "K")}
        .disabled=${this.isFixed}
        @change-value=${(event: CustomEvent<number>) => this.turnOn({ color_temp_kelvin: event.detail }, event)}
      ></hearth-slider>
    </div>`;
  }

  private colours(entity: Entity, modes: string[]) {
    const effects = textsIn(entity, "effect_list");
    return html`<div class="colour">
      ${this.isColourful(modes) ? this.picker(entity, modes) : nothing}
      ${effects.length > 0
        ? html`<hearth-choice
            .caption=${t("light.effect")}
            .label=${t("light.effectOf", { name: this.name })}
            .value=${textIn(entity, "effect")}
            .options=${effects.map((value) => ({ value, text: value }))}
            .disabled=${this.isFixed}
            @choose=${(event: CustomEvent<string>) => this.turnOn({ effect: event.detail }, event)}
          ></hearth-choice>`
        : nothing}
    </div>`;
  }

  private picker(entity: Entity, modes: string[]) {
    const reported = entity.attributes.hs_color;
    if (Array.isArray(reported) && typeof reported[0] === "number" && typeof reported[1] === "number") {
      if (reported[1] > 0) this.hue = reported[0]; // white has no hue of its own
      this.saturation = reported[1];
    }
    const choose = (hue: number, saturation: number, event: Event) => {
      [this.hue, this.saturation] = [hue, saturation];
      this.turnOn({ hs_color: [hue, saturation] }, event);
    };
    return html`
      <div class="setting">
        <hearth-icon .path=${mdiPaletteSwatch}></hearth-icon>
        <hearth-slider
          scale="hue"
          .live=${this.shines}
          .label=${t("light.hue", { name: this.name })}
          .max=${360}
          .value=${Math.round(this.hue)}
          .text=${(value: number) => withUnit(formatNumber(value), "°")}
          .disabled=${this.isFixed}
          @change-value=${(event: CustomEvent<number>) => choose(event.detail, this.saturation < 5 ? 100 : this.saturation, event)}
        ></hearth-slider>
      </div>
      <div class="setting">
        <hearth-icon .path=${mdiInvertColors}></hearth-icon>
        <hearth-slider
          scale="saturation"
          .live=${this.shines}
          ${styles({ "--scale-colour": `hsl(${this.hue} 100% 50%)` })}
          .label=${t("light.saturation", { name: this.name })}
          .value=${Math.round(this.saturation)}
          .text=${(value: number) => this.percent(value)}
          .disabled=${this.isFixed}
          @change-value=${(event: CustomEvent<number>) => choose(this.hue, event.detail, event)}
        ></hearth-slider>
      </div>
      <div class="buttons">
        <button
          type="button"
          aria-label=${t("light.whiteOf", { name: this.name })}
          ?disabled=${this.isFixed}
          @click=${(event: Event) => this.turnOn(this.white(entity, modes), event)}
        >
          ${t("light.white")}
        </button>
      </div>
    `;
  }

  // The command that makes a lamp of these modes white.
  private white(entity: Entity, modes: string[]): object {
    if (modes.includes("white")) return { white: numberIn(entity, "brightness") ?? 255 };
    if (modes.includes("rgbw")) return { rgbw_color: [0, 0, 0, 255] };
    if (modes.includes("rgbww")) return { rgbww_color: [0, 0, 0, 255, 255] };
    if (modes.includes("color_temp")) return { color_temp_kelvin: this.kelvin ?? 4000 };
    return { hs_color: [0, 0] };
  }
}
