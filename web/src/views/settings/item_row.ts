// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { kindOf } from "../../api/automations";
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { iconOf } from "../../cards/icons";
import { EntityController } from "../../elements/controllers";
import { attempt, notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { faultMessages } from "../../i18n/hub_messages";
import { lastRun } from "../../items/last_run";
import { started } from "../../items/started";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/action";
import "../../elements/icon";
import "../../elements/fields/switch";

// An automation, a script or a scene in its list: a link to its page, when it ran last, why it failed, and what starts it.
@customElement("hearth-item-row")
export class ItemRow extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  // Why the last run failed.
  @property({ attribute: false }) failure = "";
  // It can be chosen among others. Fires `choose`.
  @property({ type: Boolean }) choosing = false;
  @property({ type: Boolean }) chosen = false;
  @property({ attribute: false }) category = "";

  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.1rem 0.8rem;
        padding: 0.45rem 0;
        border-bottom: 1px solid var(--border);
        overflow-wrap: anywhere;
      }

      .words {
        flex: 1 1 8rem;
        min-width: 0;
      }

      .name {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }

      .row {
        gap: 0.6rem;
        margin-inline-start: auto;
      }

      .error {
        flex: 1 0 100%;
        color: var(--danger);
        font-size: 0.9rem;
        white-space: pre-line;
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  private async run(): Promise<void> {
    if (!(await started(this.home, this.entityId))) return;
    notifyDone(t("automations.started", { name: this.home.nameOf(this.entityId) }));
  }

  override render() {
    const entity = this.home.entity(this.entityId);
    const domain = kindOf(this.entityId);
    if (!entity || !domain) return nothing;
    const { entity_id: id, attributes } = entity;
    const name = this.home.nameOf(id);
    const label = t(domain === "scene" ? "automations.activate" : "automations.run");
    const icon = iconOf(this.home, entity);
    const runs = Number(attributes.current) || 0;
    const error = typeof attributes.error === "string" ? faultMessages(attributes.error) : "";
    const failure = error || this.failure;
    return html`${this.choosing
        ? html`<input
            type="checkbox"
            aria-label=${t("automations.choose.named", { name })}
            .checked=${live(this.chosen)}
            @change=${() => this.dispatchEvent(new CustomEvent("choose"))}
          />`
        : nothing}
      <hearth-icon .path=${icon.path} .name=${icon.name}></hearth-icon>
      <div class="words">
        <a class="name" title=${name} href="${base}/settings/automations/${encodeURIComponent(id)}">${name}</a>
        ${runs > 0 ? html`<span class="badge">${t("automations.running", { count: runs })}</span>` : nothing}
        <div class="hint">${lastRun(this.home, entity)}${this.category ? html` · ${this.category}` : nothing}</div>
      </div>
      <div class="row">
        ${domain === "script" && runs > 0
          ? html`<hearth-action
              .label=${t("automations.stop")}
              .name=${`${t("automations.stop")}: ${name}`}
              .run=${() => this.home.call(domain, "turn_off", {}, { entity_id: id })}
            ></hearth-action>`
          : nothing}
        <hearth-action .label=${label} .name=${`${label}: ${name}`} ?disabled=${error !== ""} .run=${() => this.run()}></hearth-action>
        ${domain === "automation" ? this.switch(entity, name, error !== "") : nothing}
      </div>
      ${failure ? html`<p class="error">${failure}</p>` : nothing}`;
  }

  private switch({ entity_id: id, state }: Entity, name: string, disabled: boolean): TemplateResult {
    const toggle = (event: CustomEvent<boolean>) =>
      void attempt(() => this.home.call("automation", event.detail ? "turn_on" : "turn_off", {}, { entity_id: id }));
    return html`<hearth-switch .checked=${state === "on"} .disabled=${disabled} .label=${name} @toggle=${toggle}></hearth-switch>`;
  }
}
