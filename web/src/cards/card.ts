// SPDX-License-Identifier: Apache-2.0
import { mdiAlert } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";

import { nameOnDevice } from "../api/devices";
import type { Home } from "../api/home";
import type { Device, Entity } from "../api/types";
import { EntityController } from "../elements/controllers";
import { notifyDone } from "../elements/notify";
import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { act } from "./act";
import { iconOf } from "./icons";
import { stateText } from "./state_text";
import "../elements/icon";

// Shows at once the value that the user chose, and takes it back.
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
  // In a row that says what it is: its main control alone.
  @property({ type: Boolean, reflect: true }) bare = false;
  // On the page of this device, whose name is not said again.
  @property({ attribute: false }) device: Device | undefined;

  static override styles = [
    shared,
    css`
      :host {
        min-width: 0;
      }

      .tile {
        position: relative;
        isolation: isolate;
        display: flex;
        flex-direction: column;
        gap: 0.35rem;
        height: 100%;
        min-height: 3.75rem;
        padding: 0 0.75rem;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--shadow);
      }

      .tile > :last-child:not(.head) {
        margin-bottom: 0.7rem;
      }

      :host([detailed]) .tile {
        gap: 0.6rem;
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

      .tile.danger {
        --alert: var(--danger);
        border-color: var(--danger);
        background: var(--danger-soft);
      }

      .tile.warning {
        --alert: var(--warning);
        border-color: var(--warning);
        background: var(--warning-soft);
      }

      :host(:not([detailed])) :is(.danger, .warning).tile {
        border-width: 2px;
      }

      :host([detailed]) :is(.danger, .warning).tile {
        padding: 0.6rem 0.8rem;
        border: 2px solid var(--alert);
        border-radius: var(--radius);
        background: none;
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
        gap: 0.7rem;
        min-height: 3.6rem;
      }

      :host([bare]) .head {
        justify-content: flex-end;
        min-height: 0;
      }

      .sign {
        display: grid;
        flex: none;
        place-items: center;
        width: 2.4rem;
        height: 2.4rem;
        border-radius: 50%;
        background: var(--surface-2);
        color: var(--text-2);
      }

      .active .sign {
        background: var(--sign, var(--surface));
        color: var(--sign-icon, var(--active-icon));
      }

      .danger .sign,
      .warning .sign {
        background: var(--alert);
        color: var(--surface);
      }

      .danger .state,
      .warning .state {
        color: var(--alert);
        font-weight: 650;
        -webkit-line-clamp: 2;
      }

      .state hearth-icon {
        width: 1.1rem;
        height: 1.1rem;
        margin-inline-end: 0.25rem;
        vertical-align: -0.2rem;
      }

      .words {
        flex: 1;
        min-width: 0;
        padding-block: 0.25rem;
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
        line-height: 1.2;
        -webkit-box-orient: vertical;
      }

      .name {
        font-size: 0.95rem;
        -webkit-line-clamp: 2;
      }

      .name:focus-within {
        overflow: visible;
      }

      .state {
        color: var(--text-2);
        font-size: 0.87rem;
        -webkit-line-clamp: 1;
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
        z-index: 2;
        flex: none;
      }

      .level {
        position: absolute;
        inset: 0;
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
        min-width: 2.75rem;
        min-height: 2.75rem;
        padding: 0.35rem 0.7rem;
      }

      .head .buttons {
        flex-wrap: nowrap;
        gap: 0.3rem;
      }

      .head button {
        min-width: 2.75rem;
        min-height: 2.75rem;
        padding: 0.35rem 0.6rem;
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

  // The control under the pointer in the head's end: its main control.
  protected control(_entity: Entity): Content {
    return nothing;
  }

  // The content below the head.
  protected body(_entity: Entity): Content {
    return nothing;
  }

  // The surface by which the tile as a whole is moved, under its controls; only on the overview.
  protected level(_entity: Entity): Content {
    return nothing;
  }

  // True if it is to be seen that something is on.
  protected isActive(_entity: Entity): boolean {
    return false;
  }

  protected say(entity: Entity): string {
    return stateText(this.home, entity);
  }

  // True if a control beside the name shows the state, which is then only read aloud.
  protected isShown(): boolean {
    return false;
  }

  protected get name(): string {
    return this.device ? nameOnDevice(this.home, this.entityId, this.device) : this.home.nameOf(this.entityId);
  }

  protected get isGone(): boolean {
    return this.home.entity(this.entityId)?.state === "unavailable";
  }

  // True if there is nothing to be seen of it.
  protected isMissing(entity: Entity): boolean {
    return entity.state === "unavailable" || entity.state === "unknown";
  }

  // True if its controls are to be disabled: nothing is there to be controlled, or the user may only look.
  protected get isFixed(): boolean {
    return this.isGone || this.home.user.is_read_only;
  }

  // True if bits of `supported_features` are set.
  protected can(entity: Entity, feature: number): boolean {
    return (Number(entity.attributes.supported_features) & feature) !== 0;
  }

  // Calls a service for this entity, after a question where one tap is not enough. Where that fails, says why, and `control` goes back to what is reported; also
  // where it has waited until nothing may be sent any more. Resolves to whether it worked.
  protected call(service: string, data: object = {}, control?: EventTarget | null): Promise<boolean> {
    return this.tell(service, data, control);
  }

  // The same of what has been asked already.
  protected send(service: string, data: object = {}, control?: EventTarget | null): Promise<boolean> {
    return this.tell(service, data, control, { asked: true });
  }

  // The same of what brings back what was before: a finger was taken away during a drag.
  protected putBack(service: string, data: object): Promise<boolean> {
    return this.tell(service, data, undefined, { asked: true, takesBack: true });
  }

  private async tell(service: string, data: object, control: EventTarget | null | undefined, manner: object = {}): Promise<boolean> {
    const domain = this.entityId.split(".")[0] as string;
    const wish = { domain, service, data, ids: this.entityId };
    if (!this.isFixed && (await act(this.home, [wish], { name: this.name, ...manner }))) return true;
    this.setBack(control);
    return false;
  }

  protected setBack(control: EventTarget | null | undefined): void {
    if (control && "reset" in control) (control as unknown as Control).reset();
  }

  // A tap on the tile, where its slider is above the link.
  protected open(): void {
    const link = this.renderRoot.querySelector<HTMLElement>(".name a");
    link?.focus({ preventScroll: true });
    link?.click();
  }

  private grade({ entity_id: id }: Entity): string | undefined {
    return this.home.alerts.get(id)?.grade;
  }

  private look(entity: Entity): string {
    if (this.isMissing(entity)) return "missing";
    return this.grade(entity) ?? (this.isActive(entity) ? "active" : "");
  }

  override render() {
    const entity = this.home.entity(this.entityId);
    if (!entity) return nothing;
    if (this.bare) return html`<div class="head">${this.control(entity)}</div>`;
    const { name, path } = iconOf(this.home, entity);
    const alert = this.isMissing(entity) ? undefined : this.grade(entity);
    return html`<div class="tile ${this.look(entity)}">
      ${this.detailed ? nothing : this.level(entity)}
      <div class="head">
        <div class="sign"><hearth-icon .name=${name} .path=${path}></hearth-icon></div>
        <div class="words">
          ${this.detailed ? nothing : html`<div class="name" title=${this.name}><a href=${linkTo(this.entityId)}>${this.name}</a></div>`}
          <div class="state ${this.isShown() ? "visually-hidden" : ""}">
            ${alert ? html`<hearth-icon .path=${mdiAlert}></hearth-icon>` : nothing}${this.say(entity)}
          </div>
        </div>
        ${this.control(entity)}
      </div>
      ${this.body(entity)}
    </div>`;
  }
}

// The address of the page as it is, with the entity's dialog.
function linkTo(id: string): string {
  const parameters = new URLSearchParams(location.search);
  parameters.set("entity", id);
  return `?${parameters.toString()}`;
}
