// SPDX-License-Identifier: Apache-2.0
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { textsIn } from "./attributes";
import { KindCard } from "./kind";

// A place: who is there.
@customElement("hearth-zone-card")
export class ZoneCard extends KindCard {
  protected override say(entity: Entity): string {
    const names = textsIn(entity, "persons").map((id) => this.home.nameOf(id));
    return names.length > 0 ? names.join(", ") : super.say(entity);
  }
}
