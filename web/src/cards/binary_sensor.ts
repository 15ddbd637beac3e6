// SPDX-License-Identifier: Apache-2.0
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { Card } from "./card";

@customElement("hearth-binary-sensor-card")
export class BinarySensorCard extends Card {
  protected override isActive(entity: Entity): boolean {
    return entity.state === "on" && entity.attributes.device_class !== "connectivity";
  }
}
