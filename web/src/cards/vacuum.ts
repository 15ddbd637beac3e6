// SPDX-License-Identifier: Apache-2.0
import {
  mdiBattery,
  mdiBattery30,
  mdiBattery50,
  mdiBattery80,
  mdiBatteryAlert,
  mdiCrosshairsGps,
  mdiHomeImportOutline,
  mdiMapMarkerRadius,
  mdiPause,
  mdiPlay,
  mdiStop,
} from "@mdi/js";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import { hasLowBattery } from "../api/alerts";
import type { Entity } from "../api/types";
import { formatNumber, maybeT, t, type Key } from "../i18n/catalogue";
import { numberIn, textIn, textsIn } from "./attributes";
import { Card, type Content } from "./card";
import { isActive } from "./domains";
import { withUnit } from "./state_text";
import { HomeController } from "../elements/controllers";
import "../elements/fields/choice";
import "../elements/icon";

const pause = 4;
const stop = 8;
const returnHome = 16;
const fanSpeed = 32;
const locate = 512;
const cleanSpot = 1024;
const start = 8192;

// It is on its way, or has stopped in the middle of it.
const underWay = new Set(["cleaning", "paused", "returning", "error"]);
function batteryIcon(level: number, isLow: boolean): string {
  if (isLow) return mdiBatteryAlert;
  return level < 45 ? mdiBattery30 : level < 70 ? mdiBattery50 : level < 95 ? mdiBattery80 : mdiBattery;
}

// A robot that cleans floors: what it does, its battery, and what it can be told. Who may only look sees no buttons.
@customElement("hearth-vacuum-card")
export class VacuumCard extends Card {
  static override styles = [
    ...Card.styles,
    css`
      .battery {
        display: flex;
        align-items: center;
        color: var(--text-2);
        font-size: 0.92rem;
        font-variant-numeric: tabular-nums;
      }

      .battery.low {
        color: var(--danger);
        font-weight: 650;
      }

      .orders {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 0.5rem;
      }

      .orders button {
        min-height: 2.75rem;
        padding: 0.35rem 0.4rem;
        line-height: 1.2;
      }

      .orders .main:only-child,
      .orders button:nth-child(odd):last-child {
        grid-column: 1 / -1;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "alerts", () => this.home); // also those of its battery
  }

  protected override isActive(entity: Entity): boolean {
    return isActive(entity);
  }

  // Some say more of what they do than their state: "Cleaning · Kitchen".
  protected override say(entity: Entity): string {
    const state = super.say(entity);
    const status = textIn(entity, "status");
    const isSaid = [state, entity.state].some((text) => text.toLowerCase() === status.toLowerCase());
    return !status || isSaid || this.isGone ? state : `${state} · ${status}`;
  }

  protected override control(entity: Entity): Content {
    const level = numberIn(entity, "battery_level");
    if (level === undefined || this.isGone) return nothing;
    const isLow = hasLowBattery(this.home, this.entityId);
    return html`<div class="battery ${isLow ? "low" : ""}">
      <hearth-icon .path=${batteryIcon(level, isLow)}></hearth-icon>
      <span class="visually-hidden">${t("field.battery")}</span>${withUnit(formatNumber(level, { maximumFractionDigits: 0 }), "%")}
    </div>`;
  }

  private button(word: Key, icon: string, service: string, look = ""): TemplateResult {
    return html`<button
      type="button"
      class=${look}
      aria-label="${t(word)}: ${this.name}"
      ?disabled=${this.isFixed}
      @click=${() => void this.call(service)}
    >
      <hearth-icon .path=${icon}></hearth-icon>${t(word)}
    </button>`;
  }

  // Pause while it cleans, otherwise start, or go on.
  private main(entity: Entity): Content {
    const cleans = entity.state === "cleaning";
    if (cleans && this.can(entity, pause)) return this.button("do.pause", mdiPause, "pause", "main primary");
    if (cleans || !this.can(entity, start)) return nothing;
    return this.button(entity.state === "paused" ? "do.resume" : "do.start", mdiPlay, "start", "main primary");
  }

  protected override body(entity: Entity): Content {
    if (this.home.user.is_read_only || this.isGone) return nothing;
    const can = (feature: number) => this.can(entity, feature);
    const isUnderWay = underWay.has(entity.state);
    const isHome = entity.state === "docked" || entity.state === "returning";
    const speeds = textsIn(entity, "fan_speed_list");
    return html`
      ${can(pause | stop | returnHome | locate | cleanSpot | start)
        ? html`<div class="orders">
            ${this.main(entity)} ${can(stop) && isUnderWay ? this.button("do.stop", mdiStop, "stop") : nothing}
            ${can(returnHome) && !isHome ? this.button("do.dock", mdiHomeImportOutline, "return_to_base") : nothing}
            ${can(locate) ? this.button("do.locate", mdiMapMarkerRadius, "locate") : nothing}
            ${can(cleanSpot) && this.detailed ? this.button("do.cleanSpot", mdiCrosshairsGps, "clean_spot") : nothing}
          </div>`
        : nothing}
      ${this.detailed && can(fanSpeed) && speeds.length > 0
        ? html`<hearth-choice
            .caption=${t("field.fanSpeed")}
            .label=${t("kind.fieldOf", { field: t("field.fanSpeed"), name: this.name })}
            .value=${textIn(entity, "fan_speed")}
            .options=${speeds.map((value) => ({ value, text: maybeT(`state.fan_speed.${value}`) ?? value }))}
            .disabled=${this.isFixed}
            @choose=${(event: CustomEvent<string>) => void this.call("set_fan_speed", { fan_speed: event.detail }, event.target)}
          ></hearth-choice>`
        : nothing}
    `;
  }
}
