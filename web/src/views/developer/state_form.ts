// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { RestError } from "../../api/errors";
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import type { Action } from "../../elements/action";
import { confirm } from "../../elements/confirm";
import { EntityController } from "../../elements/controllers";
import { notifyDone } from "../../elements/notify";
import { formatDateTime, t } from "../../i18n/catalogue";
import { definitions } from "../../styles/lists";
import { shared } from "../../styles/shared";
import type { DataEditor } from "./data_editor";
import { hubText } from "./hub_text";
import "../../elements/action";
import "./data_editor";
import "../../elements/json_view";

function raw(entity: Entity): string {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const { last_changed, last_updated } = entity;
  return JSON.stringify({ ...entity, last_changed: iso(last_changed), last_updated: iso(last_updated) }, null, 2);
}

// Sets a state that is there or makes a new one; and what the chosen one is now.
@customElement("hearth-state-form")
export class StateForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  // Whose state fills the form when it changes.
  @property() chosen = "";
  @state() private entityId = "";
  @state() private value = "";
  @state() private problem = "";
  @query("hearth-data-editor") private editor!: DataEditor;
  @query("hearth-action") private action!: Action;

  static override styles = [
    shared,
    definitions,
    css`
      h2 {
        margin-bottom: 0.9rem;
      }

      label input {
        margin-top: 0.3rem;
      }

      hearth-data-editor {
        --editor-height: 14rem;
      }

      dl {
        margin: 0 0 0.9rem;
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.chosen }));
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("chosen") && this.chosen) this.fill();
  }

  // Takes what the chosen entity is now.
  fill(): void {
    const entity = this.home.entity(this.chosen);
    if (!entity) return;
    this.entityId = entity.entity_id;
    this.value = entity.state;
    this.problem = "";
    void this.updateComplete.then(() => this.editor?.write(entity.attributes));
  }

  private async set(): Promise<void> {
    this.problem = "";
    const attributes = await this.editor.read();
    if (!attributes) return;
    const id = this.entityId.trim().toLowerCase();
    try {
      const path = `/api/states/${encodeURIComponent(id)}`;
      const response = await this.home.fetch("POST", path, JSON.stringify({ state: this.value, attributes }));
      const answer = (await response.json()) as { message?: string };
      if (!response.ok) throw new RestError(response.status, answer.message ?? response.statusText);
      notifyDone(t(response.status === 201 ? "developer.stateCreated" : "developer.stateChanged", { id }));
    } catch (error) {
      this.problem = hubText(error);
    }
  }

  private async forget(): Promise<void> {
    const id = this.chosen;
    const question = { heading: t("developer.deleteState"), text: t("developer.deleteStateText", { id }), action: t("action.delete") };
    if (!(await confirm({ ...question, danger: true }))) return;
    this.problem = "";
    try {
      await this.home.rest("DELETE", `/api/states/${encodeURIComponent(id)}`);
      notifyDone(t("developer.stateDeleted", { id }));
    } catch (error) {
      this.problem = hubText(error);
    }
  }

  override render() {
    const entity = this.home.entity(this.chosen);
    return html`${this.home.user.is_admin ? this.form(entity) : nothing} ${entity ? this.now(entity) : this.nothingChosen()}`;
  }

  private nothingChosen() {
    if (this.home.user.is_admin) return nothing;
    return html`<section class="card"><p class="muted">${t("developer.chooseState")}</p></section>`;
  }

  private form(entity: Entity | undefined) {
    return html`<form
      class="card"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.action.start();
      }}
    >
      <h2>${t("developer.setState")}</h2>
      <div class="stack">
        <label>
          ${t("developer.entityId")}
          <input
            class="mono"
            name="entity_id"
            required
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            placeholder="sensor.example"
            .value=${live(this.entityId)}
            @input=${(event: Event) => (this.entityId = (event.target as HTMLInputElement).value)}
          />
        </label>
        <label>
          ${t("developer.state")}
          <input
            name="state"
            autocomplete="off"
            spellcheck="false"
            .value=${live(this.value)}
            @input=${(event: Event) => (this.value = (event.target as HTMLInputElement).value)}
          />
        </label>
        <hearth-data-editor .label=${t("developer.attributes")} .hint=${t("developer.asJson")} text="{}"></hearth-data-editor>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <div class="row">
          <hearth-action look="primary" .label=${t("developer.setState")} .run=${() => this.set()}></hearth-action>
          ${entity ? html`<hearth-action look="danger" .label=${t("action.delete")} .run=${() => this.forget()}></hearth-action>` : nothing}
        </div>
        <p class="hint">${t("developer.setStateHint")}</p>
      </div>
    </form>`;
  }

  private now(entity: Entity) {
    const zone = this.home.configuration.time_zone;
    return html`<section class="card" aria-labelledby="now">
      <h2 id="now">${this.home.nameOf(entity.entity_id)}</h2>
      <dl>
        <dt>${t("developer.state")}</dt>
        <dd><b>${entity.state}</b></dd>
        <dt>${t("developer.lastChanged")}</dt>
        <dd>${formatDateTime(new Date(entity.last_changed * 1000), zone)}</dd>
        <dt>${t("developer.lastUpdated")}</dt>
        <dd>${formatDateTime(new Date(entity.last_updated * 1000), zone)}</dd>
      </dl>
      <hearth-json-view .label=${t("developer.rawJson")} .text=${raw(entity)}></hearth-json-view>
    </section>`;
  }
}
