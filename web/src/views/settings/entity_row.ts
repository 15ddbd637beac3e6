// SPDX-License-Identifier: Apache-2.0
import { mdiShapeOutline } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { isReserved } from "../../api/types";
import { iconOf } from "../../cards/icons";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/icon";

// The platform of entities that clients write.
export const clients = "api";

// Fires `edit` with the entity's id.
@customElement("hearth-entity-row")
export class EntityRow extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";

  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 0.2rem 0.9rem;
        min-height: 4rem;
        padding: 0.4rem 0;
        border-bottom: 1px solid var(--border);
      }

      .name {
        flex: 3 1 0;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .area {
        flex: 2 1 0;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .platform {
        flex: 1 1 0;
        min-width: 0;
      }

      .mono {
        display: block;
        color: var(--text-2);
        font-size: 0.82rem;
      }

      @media (max-width: 40rem) {
        .area,
        .platform {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override render() {
    const entity = this.home.registry.get(this.entityId);
    const state = this.home.entity(this.entityId);
    if (!entity && !state) return nothing;
    const name = this.home.nameOf(this.entityId);
    const icon = state ? iconOf(this.home, state) : { path: mdiShapeOutline, name: entity?.icon ?? "" };
    return html`<hearth-icon .path=${icon.path} .name=${icon.name}></hearth-icon>
      <div class="name"><strong>${name}</strong><span class="mono">${this.entityId}</span></div>
      <div class="area">${this.home.areaOf(this.entityId)?.name ?? html`<span class="muted">–</span>`}</div>
      <div class="platform muted">${entity?.platform ?? clients}</div>
      ${isReserved(entity) ? html`<span class="badge">${t("entities.reserved")}</span>` : nothing}
      ${entity?.hidden_by ? html`<span class="badge">${t("entities.hidden")}</span>` : nothing}
      ${entity?.disabled_by ? html`<span class="badge">${t("entities.disabled")}</span>` : nothing}
      <button
        type="button"
        aria-label=${t("areas.editNamed", { name })}
        @click=${() => this.dispatchEvent(new CustomEvent("edit", { detail: this.entityId, bubbles: true, composed: true }))}
      >
        ${t("action.edit")}
      </button>`;
  }
}
