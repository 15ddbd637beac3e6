// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { deviceName } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { Device } from "../../../api/types";
import type { LabelField } from "../../../elements/fields/label_field";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { notifyDone } from "../../../elements/notify";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";
import "../../../elements/fields/label_field";

// The user's settings of a device. Fires `closed`.
@customElement("hearth-device-dialog")
export class DeviceDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  // As it was when the dialog was opened, so that the fields stay when something else changes.
  @property({ attribute: false }) device!: Device;
  @query("hearth-label-field") private labelField!: LabelField;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save({ name = "", area = "", disabled }: Values): Promise<void> {
    const { device } = this;
    const labels = await this.labelField.finished();
    const changes: Record<string, string | string[] | null> = {};
    if ((name.trim() || null) !== device.name_by_user) changes.name_by_user = name.trim() || null;
    if ((area || null) !== device.area_id) changes.area_id = area || null;
    if (Boolean(disabled) !== (device.disabled_by !== null)) changes.disabled_by = disabled ? "user" : null;
    if (labels.join("\n") !== device.labels.join("\n")) changes.labels = labels;
    if (Object.keys(changes).length > 0) await this.home.command("config/device_registry/update", { device_id: device.id, ...changes });
    notifyDone(t("action.saved"));
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, device } = this;
    const areas = [...this.home.areas.values()].map((area): [string, string] => [area.area_id, area.name]);
    const isService = device.entry_type === "service";
    return html`<hearth-dialog .heading=${t("areas.editNamed", { name: deviceName(device) })} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({
          name: "name",
          label: t("areas.name"),
          value: device.name_by_user ?? "",
          placeholder: device.name ?? "",
          maxLength: 255,
          hint: t("entities.nameHint"),
        })}
        ${isService
          ? nothing
          : form.select({
              name: "area",
              label: t("entities.area"),
              value: device.area_id ?? "",
              options: [["", t("entities.noArea")], ...areas],
              hint: t("entities.deviceAreaHint"),
            })}
        <hearth-label-field .home=${this.home} .chosen=${device.labels}></hearth-label-field>
        ${form.checkbox({
          name: "disabled",
          label: t("entities.disable"),
          checked: device.disabled_by !== null,
          hint: t("devices.disableHint"),
        })}
        ${form.failed()} ${form.end(t("action.save"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
