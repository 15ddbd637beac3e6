// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Floor } from "../../api/types";
import { FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";

// Adds a floor or, with `floor`, changes one. Fires `closed`.
@customElement("hearth-floor-dialog")
export class FloorDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) floor: Floor | undefined;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save({ name = "", level = "" }: Values): Promise<void> {
    const changes = { name: name.trim(), level: level.trim() === "" ? null : Number(level) };
    if (this.floor) await this.home.command("config/floor_registry/update", { floor_id: this.floor.floor_id, ...changes });
    else await this.home.command("config/floor_registry/create", changes);
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, floor } = this;
    return html`<hearth-dialog
      .heading=${floor ? t("areas.editNamed", { name: floor.name }) : t("areas.addFloor")}
      @closed=${() => this.leave()}
    >
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({ name: "name", label: t("areas.name"), value: floor?.name ?? "", required: true })}
        ${form.text({
          name: "level",
          label: t("areas.level"),
          hint: t("areas.levelHint"),
          type: "number",
          step: "1",
          min: -1000,
          max: 1000,
          value: floor?.level?.toString() ?? "",
        })}
        ${form.failed()} ${form.end(floor ? t("action.save") : t("areas.addFloor"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
