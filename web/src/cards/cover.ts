// SPDX-License-Identifier: Apache-2.0
import {
  mdiAngleAcute,
  mdiArrowDown,
  mdiArrowExpandHorizontal,
  mdiArrowCollapseHorizontal,
  mdiArrowUp,
  mdiArrowUpDown,
  mdiArrowBottomLeft,
  mdiArrowTopRight,
  mdiStop,
} from "@mdi/js";
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { formatNumber, t, type Key } from "../i18n/catalogue";
import { numberIn, textIn } from "./attributes";
import { Card, type Content } from "./card";
import { isEntrance, isIdle } from "./domains";
import { withUnit } from "./state_text";
import "../elements/icon";
import "../elements/fields/slider";

const open = 1;
const close = 2;
const setPosition = 4;
const stop = 8;
const openTilt = 16;
const closeTilt = 32;
const stopTilt = 64;
const setTiltPosition = 128;

// These open to the side.
const sideways = new Set(["curtain", "door", "gate", "window"]);

// A cover that tells no position is at an end, or its position is not known.
function positionOf(entity: Entity): number | undefined {
  return numberIn(entity, "current_position") ?? { open: 100, closed: 0 }[entity.state];
}

@customElement("hearth-cover-card")
export class CoverCard extends Card {
  protected override isActive(entity: Entity): boolean {
    return entity.state === "opening" || entity.state === "closing" || (entity.state === "open" && isEntrance(entity));
  }

  protected override say(entity: Entity): string {
    const text = super.say(entity);
    const position = numberIn(entity, "current_position");
    return position !== undefined && position > 0 && position < 100 ? `${text} · ${this.percent(position)}` : text;
  }

  private percent(value: number): string {
    return withUnit(formatNumber(value), "%");
  }

  private button(entity: Entity, feature: number, service: string, path: string, label: Key) {
    if (!this.can(entity, feature)) return nothing;
    return html`<button
      type="button"
      aria-label=${t(label, { name: this.name })}
      ?disabled=${this.isFixed || isIdle(entity, service)}
      @click=${() => void this.call(service)}
    >
      <hearth-icon .path=${path}></hearth-icon>
    </button>`;
  }

  private slider(value: number | undefined, field: string, service: string, label: Key, icon: string) {
    return html`<div class="setting">
      <hearth-icon .path=${icon}></hearth-icon>
      <hearth-slider
        relative
        .label=${t(label, { name: this.name })}
        .value=${value ?? 0}
        .text=${(value: number) => this.percent(value)}
        .disabled=${this.isFixed}
        @change-value=${(event: CustomEvent<number>) => void this.call(service, { [field]: event.detail }, event.target)}
      ></hearth-slider>
    </div>`;
  }

  // On the overview one that tells where it is has its stop in place of the way that it goes, and none while it rests.
  private buttons(entity: Entity) {
    const aside = sideways.has(textIn(entity, "device_class"));
    const isBrief = !this.detailed && this.can(entity, stop) && numberIn(entity, "current_position") !== undefined;
    const ofWay = (way: string, button: Content) => (isBrief && entity.state === way ? this.stop(entity) : button);
    return html`<div class="buttons">
      ${ofWay("opening", this.button(entity, open, "open_cover", aside ? mdiArrowExpandHorizontal : mdiArrowUp, "cover.open"))}
      ${isBrief ? nothing : this.stop(entity)}
      ${ofWay("closing", this.button(entity, close, "close_cover", aside ? mdiArrowCollapseHorizontal : mdiArrowDown, "cover.close"))}
    </div>`;
  }

  // How far it is closed, where it tells that or is at an end.
  private picture(entity: Entity): Content {
    const position = positionOf(entity);
    if (position === undefined) return nothing;
    return html`<hearth-cover-picture
      .position=${position}
      .tilt=${numberIn(entity, "current_tilt_position")}
      .sideways=${sideways.has(textIn(entity, "device_class"))}
      .label=${`${this.name}: ${this.say(entity)}`}
    ></hearth-cover-picture>`;
  }

  private stop(entity: Entity) {
    return this.button(entity, stop, "stop_cover", mdiStop, "cover.stop");
  }

  protected override control(entity: Entity): Content {
    return this.detailed || !this.can(entity, open | close | stop) ? nothing : this.buttons(entity);
  }

  protected override body(entity: Entity): Content {
    if (!this.detailed) return nothing;
    return html`
      ${this.picture(entity)} ${this.can(entity, open | close | stop) ? this.buttons(entity) : nothing}
      ${this.can(entity, setPosition)
        ? this.slider(positionOf(entity), "position", "set_cover_position", "cover.position", mdiArrowUpDown)
        : nothing}
      ${this.can(entity, openTilt | closeTilt | stopTilt)
        ? html`<div class="buttons">
            ${this.button(entity, openTilt, "open_cover_tilt", mdiArrowTopRight, "cover.openTilt")}
            ${this.button(entity, stopTilt, "stop_cover_tilt", mdiStop, "cover.stopTilt")}
            ${this.button(entity, closeTilt, "close_cover_tilt", mdiArrowBottomLeft, "cover.closeTilt")}
          </div>`
        : nothing}
      ${this.can(entity, setTiltPosition)
        ? this.slider(numberIn(entity, "current_tilt_position"), "tilt_position", "set_cover_tilt_position", "cover.tilt", mdiAngleAcute)
        : nothing}
    `;
  }
}
