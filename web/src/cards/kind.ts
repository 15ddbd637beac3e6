// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import { numberOf } from "../api/samples";
import type { Entity, Kind, KindAction } from "../api/types";
import type { Limits, ValueField } from "../elements/fields/value_field";
import { t } from "../i18n/catalogue";
import { numberIn, textIn } from "./attributes";
import { Card, type Content } from "./card";
import { domainOf, isActive, isIdle } from "./domains";
import { controlsOf, placesOf, type Controls, type FieldControl, type Form, type Places, type Switch } from "./kind_controls";
import { actionWord, besideText, clockTime, fieldWord, localTime, optionWord, quantity, sentTime } from "./kind_words";
import "../elements/fields/choice";
import "../elements/picture";
import "../elements/fields/slider";
import "../elements/fields/stepper";
import "../elements/fields/switch";
import "../elements/fields/value_field";

const inputTypes: Partial<Record<Form["as"], ValueField["type"]>> = {
  number: "number",
  date: "date",
  time: "time",
  datetime: "datetime-local",
};
const none: Controls = { toggle: undefined, buttons: [], switches: [], fields: [] };

// An entity whose domain has no card of its own, with what the hub tells of that domain. Who may only look sees no controls.
@customElement("hearth-kind-card")
export class KindCard extends Card {
  static override styles = [
    ...Card.styles,
    css`
      .line {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.6rem;
        color: var(--text-2);
        font-size: 0.88rem;
      }

      .field {
        width: 9rem;
      }
    `,
  ];

  private kind!: Kind;
  private controls = none;

  override willUpdate(): void {
    const entity = this.home.entity(this.entityId);
    const kind = this.home.kinds.get(this.entityId.split(".")[0] as string);
    if (kind) this.kind = kind;
    this.controls = entity && kind && !this.home.user.is_read_only ? controlsOf(kind, entity, this.detailed) : none;
  }

  // A time that has never come is not missing.
  protected override isMissing(entity: Entity): boolean {
    return super.isMissing(entity) && !(entity.state === "unknown" && this.kind.value.stamped);
  }

  protected override isActive(entity: Entity): boolean {
    return isActive(entity);
  }

  protected override say(entity: Entity): string {
    return super.say(entity) + (this.isGone ? "" : besideText(this.home, this.kind, entity));
  }

  private button(action: KindAction): TemplateResult {
    const word = actionWord(this.kind, action);
    const entity = this.home.entity(this.entityId);
    return html`<button
      type="button"
      aria-label="${word}: ${this.name}"
      ?disabled=${this.isFixed || (entity !== undefined && isIdle(entity, action.service))}
      @click=${() => void this.call(action.service)}
    >
      ${word}
    </button>`;
  }

  protected override isShown(): boolean {
    return this.places.field !== undefined;
  }

  private get places(): Places {
    if (!this.detailed) return placesOf(this.kind.domain, this.controls);
    const { toggle, buttons, fields } = this.controls;
    const isSingle = !toggle && fields.length === 0 && buttons.length === 1;
    return {
      button: isSingle ? buttons[0] : undefined,
      field: undefined,
      level: undefined,
      hasButtons: buttons.length > 0 && !isSingle,
      fields,
    };
  }

  protected override control(entity: Entity): Content {
    const { toggle } = this.controls;
    const { button, field } = this.places;
    if (button) return this.button(button);
    if (field) return html`<div class="field">${this.field(entity, field)}</div>`;
    if (!toggle) return nothing;
    return html`<hearth-switch
      .label=${this.name}
      .checked=${(this.kind.active ?? ["on"]).includes(entity.state)}
      .disabled=${this.isFixed}
      @toggle=${(event: CustomEvent<boolean>) => void this.call(event.detail ? toggle.on : toggle.off, {}, event.target)}
    ></hearth-switch>`;
  }

  protected override level(entity: Entity): Content {
    const { level } = this.places;
    return level ? this.field(entity, level, true) : nothing;
  }

  protected override body(entity: Entity): Content {
    const { hasButtons, fields } = this.places;
    const isPictured = domainOf(this.kind.domain)?.pictured && (this.detailed || textIn(entity, "entity_picture") !== "");
    return html`
      ${isPictured ? this.picture(entity) : nothing}
      ${hasButtons ? html`<div class="buttons">${this.controls.buttons.map((action) => this.button(action))}</div>` : nothing}
      ${this.controls.switches.map((pair) => this.pair(entity, pair))} ${fields.map((control) => this.field(entity, control))}
    `;
  }

  private pair(entity: Entity, { attribute, on, off }: Switch): TemplateResult {
    const caption = fieldWord(this.kind, attribute);
    return html`<div class="line">
      <span aria-hidden="true">${caption}</span>
      <hearth-switch
        .label=${t("kind.fieldOf", { field: caption, name: this.name })}
        .checked=${entity.attributes[attribute] === true}
        .disabled=${this.isFixed}
        @toggle=${(event: CustomEvent<boolean>) => void this.call(event.detail ? on : off, {}, event.target)}
      ></hearth-switch>
    </div>`;
  }

  private picture(entity: Entity): TemplateResult {
    return html`<hearth-picture
      .src=${this.isGone ? "" : (textIn(entity, "entity_picture") ?? "")}
      .label=${t("kind.picture", { name: this.name })}
      .missing=${t("kind.noPicture")}
      .seconds=${this.kind.value.stamped ? 0 : 10}
    ></hearth-picture>`;
  }

  // The name of the field; the entity's name says it where it sets the value itself.
  private field(entity: Entity, control: FieldControl, onTile = false): TemplateResult {
    const { form, sets, unit, field } = control;
    const isValue = sets === "state";
    const caption = isValue ? "" : fieldWord(this.kind, field);
    const label = isValue ? this.name : t("kind.fieldOf", { field: caption, name: this.name });
    const text = (value: number) => quantity(this.home, sets ?? "", value, unit);
    if (form.as === "choice" || form.as === "switch") return this.choice(entity, control, caption, label);
    if (form.as !== "slider" && form.as !== "stepper") return this.input(entity, control, caption, label);

    const value = sets === undefined ? undefined : isValue ? numberOf(entity.state) : numberIn(entity, sets);
    const send = (event: CustomEvent<number>) => void this.call(control.service, { [field]: event.detail }, event.target);
    if (form.as === "stepper") {
      return html`<hearth-stepper
        .value=${value}
        .min=${form.min}
        .max=${form.max}
        .step=${form.step}
        .label=${label}
        .less=${t("kind.less", { name: label })}
        .more=${t("kind.more", { name: label })}
        .text=${(shown: number | undefined) => (shown === undefined ? "–" : text(shown))}
        .disabled=${this.isFixed}
        @change-value=${send}
      ></hearth-stepper>`;
    }
    const own = domainOf(this.kind.domain);
    const slider = html`<hearth-slider
      class=${onTile ? "level" : ""}
      ?tile=${onTile}
      ?relative=${own?.motor ?? false}
      .label=${label}
      .min=${form.min}
      .max=${form.max}
      .step=${form.step}
      .value=${value ?? form.min}
      .text=${text}
      .disabled=${this.isFixed}
      @tap=${() => this.open()}
      @change-value=${send}
    ></hearth-slider>`;
    if (onTile) return slider;
    const isSaid = isValue || (sets !== undefined && own?.beside?.includes(sets));
    return html`<div>
      ${isSaid
        ? nothing
        : html`<div class="line" aria-hidden="true"><span>${caption}</span><span>${value === undefined ? "–" : text(value)}</span></div>`}
      ${slider}
    </div>`;
  }

  private choice(entity: Entity, { form, sets = "", service, field }: FieldControl, caption: string, label: string): TemplateResult {
    const value = sets === "state" ? entity.state : entity.attributes[sets];
    if (form.as === "switch") {
      return html`<div class="line">
        <span aria-hidden="true">${caption}</span>
        <hearth-switch
          .label=${label}
          .checked=${value === true || value === "on"}
          .disabled=${this.isFixed}
          @toggle=${(event: CustomEvent<boolean>) => void this.call(service, { [field]: event.detail }, event.target)}
        ></hearth-switch>
      </div>`;
    }
    const options = form.as === "choice" ? form.options : [];
    return html`<hearth-choice
      .caption=${caption}
      .label=${label}
      .value=${typeof value === "string" ? value : ""}
      .options=${options.map((option) => ({ value: option, text: optionWord(this.kind, sets, option) }))}
      .disabled=${this.isFixed}
      @choose=${(event: CustomEvent<string>) => void this.call(service, { [field]: event.detail }, event.target)}
    ></hearth-choice>`;
  }

  private input(entity: Entity, { form, sets, service, field }: FieldControl, caption: string, label: string): TemplateResult {
    const reported = sets === undefined ? "" : sets === "state" ? entity.state : String(entity.attributes[sets] ?? "");
    const isThere = reported !== "unknown" && reported !== "unavailable";
    const isTime = form.as === "time" || form.as === "datetime";
    const shown = form.as === "datetime" ? localTime(this.home, reported) : form.as === "time" ? clockTime(reported) : reported;
    const isSecret = form.as === "text" && textIn(entity, "mode") === "password";
    const type = isSecret ? "password" : (inputTypes[form.as] ?? "text");
    const action = this.kind.actions.find((known) => known.service === service) as KindAction;
    const send = async (event: Event, text: string) => {
      const value = form.as === "number" ? Number(text) : isTime ? sentTime(text) : text;
      const target = event.target as ValueField;
      if (await this.call(service, { [field]: value })) target.done();
    };
    return html`<hearth-value-field
      .type=${type}
      .value=${isThere ? shown : ""}
      .limits=${limitsOf(entity, form)}
      .disabled=${this.isFixed}
      ?passing=${sets === undefined}
      .label=${label}
      .hint=${sets === undefined ? caption : ""}
      .action=${actionWord(this.kind, action)}
      .actionLabel=${`${actionWord(this.kind, action)}: ${this.name}`}
      @send-value=${(event: CustomEvent<string>) => void send(event, event.detail)}
    ></hearth-value-field>`;
  }
}

function limitsOf(entity: Entity, form: Form): Limits {
  if (form.as === "number") return { min: form.min, max: form.max, step: form.step };
  if (form.as === "time" || form.as === "datetime") return { step: /\d\d:\d\d:(?!00)/.test(entity.state) ? 1 : 60 };
  if (form.as !== "text") return {};
  return { minLength: numberIn(entity, "min"), maxLength: numberIn(entity, "max"), pattern: textIn(entity, "pattern") };
}
