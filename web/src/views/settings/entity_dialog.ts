// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Device, Entity, EntityEntry } from "../../api/types";
import { textIn } from "../../cards/attributes";
import { askingOf, cautionOption, type Asking, isGuarded } from "../../cards/caution";
import { confirm } from "../../elements/confirm";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { attempt, notifyDone } from "../../elements/notify";
import { loadWords, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";
import "../../elements/fields/label_field";
import type { LabelField } from "../../elements/fields/label_field";
import { clients } from "./entity_row";
import { isMeasure, optionChanges, precisionField, unitField, unitsOf } from "./sensor_options";

// The user's settings of an entity and of its device. Fires `closed`.
// A thing that is no door may still be wired to one.
const mayBeWired = ["button", "cover", "script", "switch", "valve"];

// The choices of people for the question about it. A thing with a code of its own needs no PIN.
function choicesOf(entity: Entity, kept: Asking): Asking[] {
  const hasPin = kept === "pin" || textIn(entity, "code_format") === "";
  if (isGuarded(entity)) return hasPin ? ["always", "never", "pin"] : ["always", "never"];
  return kept === "pin" || mayBeWired.includes(entity.entity_id.split(".")[0] as string) ? ["always", "pin"] : [];
}

@customElement("hearth-registered-entity-dialog")
export class RegisteredEntityDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @query("hearth-label-field") private labelField!: LabelField;
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      fieldset {
        display: grid;
        gap: 1rem;
        min-width: 0;
        margin: 0;
        padding: 1rem 0 0;
        border: 0;
        border-top: 1px solid var(--border);
      }

      .ends {
        display: flex;
        flex-wrap: wrap;
        gap: 0.8rem;
      }

      .ends > :last-child {
        flex: 1;
      }

      legend {
        float: inline-start;
        padding: 0;
        font-weight: 650;
      }
    `,
  ];

  // As it was when the dialog was opened, so that the fields stay when something else changes.
  @state() private entity: EntityEntry | undefined;
  // The units that it can be shown in.
  @state() private units: string[] = [];
  @state() private missing = false;
  // The choice of the question, until it is saved.
  @state() private asking: Asking | undefined;
  private device: Device | undefined;

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("entityId")) void this.load();
  }

  private async load(): Promise<void> {
    try {
      const entity = await this.home.command<EntityEntry>("config/entity_registry/get", { entity_id: this.entityId });
      this.device = entity.device_id ? this.home.devices.get(entity.device_id) : undefined;
      [this.units] = await Promise.all([unitsOf(this.home, entity), loadWords("dialogs")]);
      this.entity = entity;
    } catch {
      this.missing = true;
    }
  }

  private async save(values: Values): Promise<void> {
    const { entity, device } = this;
    if (!entity) return;
    if (values.pin && !/^\d{4,12}$/.test(values.pin)) throw new FieldProblems({ pin: t("entities.pinDigits") });
    const labels = await this.labelField.finished();
    const changes: Record<string, unknown> = { ...optionChanges(entity, values), ...this.askChange(entity, values) };
    const take = (key: "name" | "icon" | "area_id", value = "") => {
      if ((value.trim() || null) !== entity[key]) changes[key] = value.trim() || null;
    };
    take("name", values.name);
    take("icon", values.icon);
    take("area_id", values.area);
    if (Boolean(values.hidden) !== (entity.hidden_by !== null)) changes.hidden_by = values.hidden ? "user" : null;
    if (entity.platform !== clients && entity.disabled_by !== "device" && Boolean(values.disabled) !== (entity.disabled_by !== null)) {
      changes.disabled_by = values.disabled ? "user" : null;
    }
    const id = values.entityId?.trim() ?? "";
    if (id !== entity.entity_id) changes.new_entity_id = id;
    if (labels.join("\n") !== entity.labels.join("\n")) changes.labels = labels;
    if (Object.keys(changes).length > 0) {
      await this.home.command("config/entity_registry/update", { entity_id: entity.entity_id, ...changes });
    }
    const area_id = values.deviceArea || null;
    if (device && area_id !== device.area_id) {
      await this.home.command("config/device_registry/update", { device_id: device.id, area_id });
    }
    notifyDone(t("action.saved"));
    this.leave();
  }

  private askChange(entity: EntityEntry, { asks, pin = "" }: Values): Record<string, unknown> {
    if (asks === undefined || (asks === askingOf(entity.options) && pin === "")) return {};
    const { key, domain } = cautionOption;
    const options = { always: null, never: { [key]: false }, pin: { [key]: "pin", ...(pin && { pin }) } };
    return { options_domain: domain, options: options[asks as Asking] };
  }

  private async erase(): Promise<void> {
    const name = this.home.nameOf(this.entityId);
    const yes = await confirm({
      heading: t("entities.deleteNamed", { name }),
      text: t("entities.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (!yes) return;
    const done = await attempt(() => this.home.command("config/entity_registry/remove", { entity_id: this.entityId }));
    if (done) this.leave();
  }

  // Nothing provides it now, or clients write it.
  private mayGo(entity: EntityEntry): boolean {
    const state = this.home.entity(entity.entity_id);
    return entity.platform === clients || !state || state.attributes.restored === true;
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  private areas(first: string): [string, string][] {
    return [["", first], ...[...this.home.areas.values()].map((area): [string, string] => [area.area_id, area.name])];
  }

  override render() {
    const { form, entity, device } = this;
    return html`<hearth-dialog .heading=${this.home.nameOf(this.entityId)} @closed=${() => this.leave()}>
      ${entity
        ? html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
            ${form.text({
              name: "name",
              label: t("areas.name"),
              value: entity.name ?? "",
              placeholder: entity.original_name ?? "",
              hint: t("entities.nameHint"),
            })}
            ${form.select({
              name: "area",
              label: t("entities.area"),
              value: entity.area_id ?? "",
              options: this.areas(device ? t("entities.areaOfDevice") : t("entities.noArea")),
            })}
            ${form.icon({ name: "icon", label: t("areas.icon"), value: entity.icon ?? "" })} ${this.measure(entity)}
            <hearth-label-field .home=${this.home} .chosen=${entity.labels}></hearth-label-field>
            ${form.text({
              name: "entityId",
              label: t("entity.id"),
              value: entity.entity_id,
              mono: true,
              required: true,
              hint: t("entities.idHint"),
            })}
            ${form.checkbox({
              name: "hidden",
              label: t("entities.hide"),
              checked: entity.hidden_by !== null,
              hint: t("entities.hideHint"),
            })}
            ${this.caution(entity)}
            ${entity.platform === clients
              ? nothing
              : form.checkbox({
                  name: "disabled",
                  label: t("entities.disable"),
                  checked: entity.disabled_by !== null,
                  disabled: entity.disabled_by === "device",
                  hint: entity.disabled_by === "device" ? t("entities.disabledByDevice") : t("entities.disableHint"),
                })}
            ${device ? this.aboutDevice(device) : nothing} ${form.failed()}
            <div class="ends">
              ${this.mayGo(entity)
                ? html`<button type="button" class="danger" @click=${() => void this.erase()}>${t("action.delete")}</button>`
                : nothing}
              ${form.end(t("action.save"), () => this.leave())}
            </div>
          </form>`
        : html`<p>${this.missing ? t("error.notFound") : ""}</p>`}
    </hearth-dialog>`;
  }

  private caution(entity: EntityEntry): TemplateResult | typeof nothing {
    const state = this.home.entity(entity.entity_id);
    const kept = askingOf(entity.options);
    const asks = this.asking ?? kept;
    const choices = state ? choicesOf(state, kept) : [];
    if (choices.length < 2) return nothing;
    const { form } = this;
    return html`${form.select({
      name: "asks",
      label: t("entities.asks"),
      value: asks,
      options: choices.map((choice) => [choice, t(`entities.asks.${choice === "always" && !isGuarded(state) ? "never" : choice}`)]),
      hint: asks === "pin" ? t("entities.pinHint") : asks === "never" ? t("entities.askHint") : "",
      changed: (choice) => (this.asking = choice as Asking),
    })}
    ${asks === "pin"
      ? form.text({
          name: "pin",
          label: t("entities.pin"),
          required: kept !== "pin",
          placeholder: kept === "pin" ? t("entities.pinKept") : "",
          maxLength: 12,
          mono: true,
        })
      : nothing}`;
  }

  private measure(entity: EntityEntry): TemplateResult | typeof nothing {
    if (!isMeasure(this.home, entity)) return nothing;
    return html`<div class="pair">
      ${this.units.length > 1 ? unitField(this.form, entity, this.units) : nothing} ${precisionField(this.form, this.home, entity)}
    </div>`;
  }

  private aboutDevice(device: Device): TemplateResult {
    const maker = [device.manufacturer, device.model].filter(Boolean).join(" ");
    return html`<fieldset>
      <legend>${t("entities.device")}</legend>
      <p>${device.name_by_user ?? device.name ?? device.id}${maker ? html` <span class="muted">${maker}</span>` : nothing}</p>
      ${this.form.select({
        name: "deviceArea",
        label: t("entities.deviceArea"),
        value: device.area_id ?? "",
        options: this.areas(t("entities.noArea")),
        hint: t("entities.deviceAreaHint"),
      })}
    </fieldset>`;
  }
}
