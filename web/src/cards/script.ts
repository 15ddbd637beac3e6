// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { attempt, notifyDone } from "../elements/notify";
import { formatDateTime, t, type Key } from "../i18n/catalogue";
import { textIn } from "./attributes";
import { Card, type Content } from "./card";

// A script: it is run, and stopped while it runs. One that has fields asks for them first.
@customElement("hearth-script-card")
export class ScriptCard extends Card {
  protected override isActive({ state }: Entity): boolean {
    return state === "on";
  }

  protected override say(entity: Entity): string {
    if (entity.state !== "off") return super.say(entity);
    const time = new Date(textIn(entity, "last_triggered"));
    if (Number.isNaN(time.getTime())) return t("script.neverRan");
    return t("script.lastRan", { time: formatDateTime(time, this.home.configuration.time_zone) });
  }

  protected override control({ state }: Entity): Content {
    if (this.home.user.is_read_only) return nothing;
    if (state === "on") return this.button("do.stop", "script.stopOf", () => this.call("turn_off"));
    return this.button("generic.trigger", "generic.triggerOf", () => this.start());
  }

  private button(text: Key, label: Key, run: () => Promise<unknown>): Content {
    return html`<button type="button" aria-label=${t(label, { name: this.name })} ?disabled=${this.isFixed} @click=${() => void run()}>
      ${t(text)}
    </button>`;
  }

  private start(): Promise<unknown> {
    return attempt(async () => {
      const { runAsking } = await import("../items/run_dialog");
      if (await runAsking(this.home, this.entityId)) notifyDone(t("script.started", { name: this.name }));
    });
  }
}
