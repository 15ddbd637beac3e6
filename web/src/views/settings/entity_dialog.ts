// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Device, RegisteredEntity } from "../../api/types";
import { FormController, formStyles, type Values } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";

// What the user says of an entity and of its device. Fires `closed`.
@customElement("hearth-registered-entity-dialog")
export class RegisteredEntityDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
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

      legend {
        float: inline-start;
        padding: 0;
        font-weight: 650;
      }
    `,
  ];

  // As it was when the dialog was opened, so that the fields stay when something else changes.
  private entity: RegisteredEntity | undefined;
  private device: Device | undefined;

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("entityId")) return;
    this.entity = this.home.registry.get(this.entityId);
    this.device = this.entity?.device_id ? this.home.devices.get(this.entity.device_id) : undefined;
  }

  private async save(values: Values): Promise<void> {
    const { entity, device } = this;
    if (!entity) return;
    const changes: Record<string, string | null> = {};
    const take = (key: "name" | "icon" | "area_id", value = "") => {
      if ((value.trim() || null) !== entity[key]) changes[key] = value.trim() || null;
    };
    take("name", values.name);
    take("icon", values.icon);
    take("area_id", values.area);
    if (Boolean(values.hidden) !== (entity.hidden_by !== null)) changes.hidden_by = values.hidden ? "user" : null;
    if (entity.disabled_by !== "device" && Boolean(values.disabled) !== (entity.disabled_by !== null)) {
      changes.disabled_by = values.disabled ? "user" : null;
    }
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
            <p class="muted mono">${entity.entity_id}</p>
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
            ${form.icon({ name: "icon", label: t("areas.icon"), value: entity.icon ?? "" })}
            ${form.checkbox({
              name: "hidden",
              label: t("entities.hide"),
              checked: entity.hidden_by !== null,
              hint: t("entities.hideHint"),
            })}
            ${form.checkbox({
              name: "disabled",
              label: t("entities.disable"),
              checked: entity.disabled_by !== null,
              disabled: entity.disabled_by === "device",
              hint: entity.disabled_by === "device" ? t("entities.disabledByDevice") : t("entities.disableHint"),
            })}
            ${device ? this.aboutDevice(device) : nothing} ${form.failed()}
            <div class="row">
              ${form.button(t("action.save"))}
              <button type="button" @click=${() => this.leave()}>${t("action.cancel")}</button>
            </div>
          </form>`
        : html`<p>${t("error.notFound")}</p>`}
    </hearth-dialog>`;
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
