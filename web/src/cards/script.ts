// SPDX-License-Identifier: Apache-2.0
import { customElement } from "lit/decorators.js";

import { attempt } from "../elements/notify";
import { GenericCard } from "./generic";

// A script: one that has fields asks for them before it is started.
@customElement("hearth-script-card")
export class ScriptCard extends GenericCard {
  protected override async call(service: string, data: object = {}, control?: EventTarget | null): Promise<boolean> {
    if (service !== "turn_on" || this.isFixed) return super.call(service, data, control);
    this.setBack(control); // nobody knows how long somebody fills in the form
    let isStarted = false;
    await attempt(async () => {
      const { runAsking } = await import("../views/automation/run_dialog");
      isStarted = await runAsking(this.home, this.entityId);
    });
    return isStarted;
  }
}
