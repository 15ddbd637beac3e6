// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../api/errors";
import type { Home } from "../api/home";
import type { IntegrationParts } from "../api/integrations";
import { notifyDone } from "./notify";
import { t } from "../i18n/catalogue";
import { base } from "../router";
import { shared } from "../styles/shared";
import "./action";
import "./dialog";
import "./loading";

// Says what goes with an integration, and removes it from the file and from the home. Fires `closed`, and `removed` before.
@customElement("hearth-remove-integration")
export class RemoveIntegration extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() integration = "";
  @property({ attribute: false }) name = "";
  @property({ attribute: false }) place = "";
  @state() private parts: IntegrationParts | undefined;
  @state() private failure = "";
  @state() private withRooms = true;

  static override styles = [
    shared,
    css`
      ul {
        margin: 0;
        padding-inline-start: 1.2rem;
      }

      .check {
        display: flex;
        align-items: flex-start;
        gap: 0.6rem;
      }

      .check input {
        flex: none;
        margin-top: 0.2rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.parts = await this.home.command<IntegrationParts>("hearth/integrations/parts", { integration: this.integration });
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  private async removeIt(): Promise<void> {
    this.failure = "";
    try {
      await this.home.command("hearth/integrations/remove", { integration: this.integration, with_areas: this.withRooms });
    } catch (error) {
      this.failure = errorText(error);
      return;
    }
    notifyDone(t("removal.done", { name: this.name }));
    this.dispatchEvent(new CustomEvent("removed"));
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    return html`<hearth-dialog .heading=${t("removal.heading", { name: this.name })} @closed=${() => this.leave()}>
      ${this.parts
        ? this.content(this.parts)
        : html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`}
      <button slot="actions" type="button" @click=${() => this.leave()}>${t("action.cancel")}</button>
      <hearth-action
        slot="actions"
        look="primary danger"
        .label=${t("removal.remove")}
        ?disabled=${!this.parts}
        .run=${() => this.removeIt()}
      ></hearth-action>
    </hearth-dialog>`;
  }

  private content({ devices, entities, named_by, areas, floors }: IntegrationParts): TemplateResult {
    return html`<div class="stack">
      <p>
        ${t("removal.goes", { devices: t("removal.devices", { count: devices }), entities: t("removal.entities", { count: entities }) })}
      </p>
      ${named_by.length > 0
        ? html`<div>
            <p>${t("removal.namedBy", { count: named_by.length })}</p>
            <ul>
              ${named_by.map(
                (id) => html`<li><a href="${base}/settings/automations/${encodeURIComponent(id)}">${this.home.nameOf(id)}</a></li>`,
              )}
            </ul>
          </div>`
        : nothing}
      ${areas.length > 0
        ? html`<label class="check">
            <input
              type="checkbox"
              .checked=${this.withRooms}
              @change=${(event: Event) => (this.withRooms = (event.target as HTMLInputElement).checked)}
            />
            <span>${t("removal.rooms")} <span class="hint">${[...areas, ...floors].join(", ")}</span></span>
          </label>`
        : nothing}
      <p class="hint">${t("removal.file", { place: this.place })} ${t("removal.history")}</p>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
    </div>`;
  }
}
