// SPDX-License-Identifier: Apache-2.0
import { html } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { Card, type Content } from "./card";
import "../elements/fields/switch";

// Things that are on or off: switches, and whatever else has turn_on and turn_off.
@customElement("hearth-switch-card")
export class SwitchCard extends Card {
  protected override isActive(entity: Entity): boolean {
    return entity.state === "on";
  }

  protected override control(entity: Entity): Content {
    return html`<hearth-switch
      .label=${this.name}
      .checked=${entity.state === "on"}
      .disabled=${this.isFixed}
      @toggle=${(event: CustomEvent<boolean>) => void this.call(event.detail ? "turn_on" : "turn_off", {}, event.target)}
    ></hearth-switch>`;
  }
}
