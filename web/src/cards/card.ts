// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";

import type { Home } from "../api/home";
import type { Entity } from "../api/types";
import { EntityController } from "../elements/controllers";
import { attempt, notifyDone } from "../elements/notify";
import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { iconOf } from "./icons";
import { stateText } from "./state_text";
import "../elements/icon";

// What shows at once what the user chose, and takes it back.
interface Control {
  reset(): void;
}

export type Content = TemplateResult | typeof nothing;

// The card of an entity: its icon, name and state, and what its domain adds. It is drawn when its entity has changed.
export abstract class Card extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  // In the entity's dialog: with all controls, without the name.
  @property({ type: Boolean, reflect: true }) detailed = false;

  static override styles = [
    shared,
    css`
      :host {
        min-width: 0;
      }

      .tile {
        display: flex;
        flex-direction: column;
        gap: 0.35rem;
        height: 100%;
        padding: 0.8rem 0.9rem;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--shadow);
      }

      :host([detailed]) .tile {
        padding: 0;
        border: 0;
        border-radius: 0;
        background: none;
        box-shadow: none;
      }

      .tile.active {
        border-color: var(--active-border);
        background: var(--active);
      }

      .tile.missing {
        border-style: dashed;
        background: transparent;
        box-shadow: none;
      }

      .head {
        position: relative;
        display: flex;
        align-items: center;
        gap: 0.75rem;
        min-height: 2.75rem;
      }

      .sign {
        display: grid;
        flex: none;
        place-items: center;
        width: 2.6rem;
        height: 2.6rem;
        border-radius: 50%;
        background: var(--surface-2);
        color: var(--text-2);
      }

      .active .sign {
        background: var(--sign, var(--surface));
        color: var(--sign-icon, var(--active-icon));
      }

      .words {
        flex: 1;
        min-width: 0;
      }

      .words a {
        color: inherit;
        font-weight: 600;
        text-decoration: none;
      }

      .words a::before {
        content: "";
        position: absolute;
        inset: 0;
      }

      .words a:hover {
        text-decoration: underline;
      }

      .name,
      .state {
        display: -webkit-box;
        overflow: hidden;
        overflow-wrap: anywhere;
        line-height: 1.3;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }

      .name:focus-within {
        overflow: visible;
      }

      .state {
        color: var(--text-2);
        font-size: 0.92rem;
      }

      :host([detailed]) .state {
        color: var(--text);
        font-size: 1.3rem;
        font-weight: 600;
        -webkit-line-clamp: 6;
      }

      .missing .state,
      .missing .name a {
        color: var(--text-2);
        font-style: italic;
      }

      .missing .name a {
        font-style: normal;
      }

      .head > :not(.words, .sign) {
        position: relative;
        flex: none;
      }

      .setting {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        align-items: center;
        gap: 0.7rem;
        color: var(--text-2);
      }

      .setting hearth-icon {
        width: 1.3rem;
        height: 1.3rem;
      }

      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }

      .buttons button {
        flex: 1 1 auto;
        min-width: 3rem;
        padding: 0.35rem 0.7rem;
      }

      button[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
    // A control has gone back to what was reported before, as where there is no device behind the entity.
    this.addEventListener("unreported", () => notifyDone(t("card.unreported", { name: this.name })));
  }

  // What is under the pointer in the head's end: its main control.
  protected control(_entity: Entity): Content {
    return nothing;
  }

  // What stands below the head.
  protected body(_entity: Entity): Content {
    return nothing;
  }

  // Whether it is to be seen that something is on.
  protected isActive(_entity: Entity): boolean {
    return false;
  }

  protected say(entity: Entity): string {
    return stateText(this.home, entity);
  }

  protected get name(): string {
    return this.home.nameOf(this.entityId);
  }

  protected get isGone(): boolean {
    return this.home.entity(this.entityId)?.state === "unavailable";
  }

  // Whether there is nothing to be seen of it.
  protected isMissing(entity: Entity): boolean {
    return entity.state === "unavailable" || entity.state === "unknown";
  }

  // Whether its controls are to be disabled: nothing is there to be controlled, or the user may only look.
  protected get isFixed(): boolean {
    return this.isGone || this.home.user.is_read_only;
  }

  // Whether bits of `supported_features` are set.
  protected can(entity: Entity, feature: number): boolean {
    return (Number(entity.attributes.supported_features) & feature) !== 0;
  }

  // Calls a service for this entity. Where that fails, says why, and `control` goes back to what is reported; also
  // where it has waited until nothing may be sent any more. Resolves to whether it worked.
  protected async call(service: string, data: object = {}, control?: EventTarget | null): Promise<boolean> {
    const domain = this.entityId.split(".")[0] as string;
    if (!this.isFixed && (await attempt(() => this.home.call(domain, service, data, { entity_id: this.entityId })))) return true;
    if (control && "reset" in control) (control as unknown as Control).reset();
    return false;
  }

  override render() {
    const entity = this.home.entity(this.entityId);
    if (!entity) return nothing;
    const { name, path } = iconOf(this.home, entity);
    return html`<div class="tile ${this.isMissing(entity) ? "missing" : this.isActive(entity) ? "active" : ""}">
      <div class="head">
        <div class="sign"><hearth-icon .name=${name} .path=${path}></hearth-icon></div>
        <div class="words">
          ${this.detailed ? nothing : html`<div class="name"><a href="?entity=${encodeURIComponent(this.entityId)}">${this.name}</a></div>`}
          <div class="state">${this.say(entity)}</div>
        </div>
        ${this.control(entity)}
      </div>
      ${this.body(entity)}
    </div>`;
  }
}
