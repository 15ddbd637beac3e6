// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";

import type { Entity } from "../api/types";
import { askCode } from "../elements/codes/ask_code";
import { t } from "../i18n/catalogue";
import { textIn } from "./attributes";
import { Card, type Content } from "./card";

const openLatch = 1;

type Service = "lock" | "unlock" | "open";

@customElement("hearth-lock-card")
export class LockCard extends Card {
  protected override isActive(entity: Entity): boolean {
    return entity.state !== "locked";
  }

  private async run(service: Service, entity: Entity): Promise<void> {
    const format = textIn(entity, "code_format");
    if (!format) return void (await this.call(service));
    const question = {
      heading: t(`lock.${service}Question`, { name: this.name }),
      text: service === "open" ? t("lock.openText") : "",
      action: t(`lock.${service}`),
    };
    const code = await askCode(question, format);
    if (code !== undefined) await this.send(service, { code });
  }

  private button(entity: Entity, service: Service) {
    return html`<button
      type="button"
      aria-label=${t(`lock.${service}Of`, { name: this.name })}
      ?disabled=${this.isFixed}
      @click=${() => void this.run(service, entity)}
    >
      ${t(`lock.${service}`)}
    </button>`;
  }

  private buttons(entity: Entity) {
    const locked = entity.state === "locked" || entity.state === "locking";
    const unlocked = entity.state === "unlocked" || entity.state === "unlocking";
    return html`<div class="buttons">
      ${locked ? nothing : this.button(entity, "lock")} ${unlocked ? nothing : this.button(entity, "unlock")}
      ${this.detailed && this.can(entity, openLatch) ? this.button(entity, "open") : nothing}
    </div>`;
  }

  protected override control(entity: Entity): Content {
    return this.detailed ? nothing : this.buttons(entity);
  }

  protected override body(entity: Entity): Content {
    return this.detailed ? this.buttons(entity) : nothing;
  }
}
