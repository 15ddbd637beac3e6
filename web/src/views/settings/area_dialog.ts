// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Area } from "../../api/types";
import type { LabelField } from "../../elements/fields/label_field";
import { FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";
import "../../elements/fields/label_field";

// The measurement that a room may show of one of its sensors.
const measures = ["temperature", "humidity"] as const;
type Measure = (typeof measures)[number];

// The labels of a new one; the same each time, so that the field keeps what is chosen there.
const none: string[] = [];

// Adds an area or, with `area`, changes one. Fires `closed`.
@customElement("hearth-area-dialog")
export class AreaDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) area: Area | undefined;
  @query("hearth-label-field") private labelField!: LabelField;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  // The sensors of a kind in the room, and the one that was chosen wherever it is.
  private sensors(area: Area, measure: Measure): [string, string][] {
    return [...this.home.entities.values()]
      .filter(
        ({ entity_id: id, attributes }) =>
          id === area[`${measure}_entity_id`] ||
          (id.startsWith("sensor.") && attributes.device_class === measure && this.home.areaOf(id)?.area_id === area.area_id),
      )
      .map(({ entity_id }): [string, string] => [entity_id, this.home.nameOf(entity_id)])
      .sort(([, one], [, other]) => one.localeCompare(other));
  }

  private async save({ name = "", floor = "", icon = "", ...values }: Values): Promise<void> {
    const labels = await this.labelField.finished();
    const changes = {
      name: name.trim(),
      floor_id: floor || null,
      icon: icon.trim() || null,
      labels,
      ...Object.fromEntries(
        measures.flatMap((measure) => (values[measure] === undefined ? [] : [[`${measure}_entity_id`, values[measure] || null]])),
      ),
    };
    if (this.area) await this.home.command("config/area_registry/update", { area_id: this.area.area_id, ...changes });
    else await this.home.command("config/area_registry/create", changes);
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, area } = this;
    const floors = [...this.home.floors.values()].map((floor): [string, string] => [floor.floor_id, floor.name]);
    return html`<hearth-dialog
      .heading=${area ? t("areas.editNamed", { name: area.name }) : t("areas.addArea")}
      @closed=${() => this.leave()}
    >
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({ name: "name", label: t("areas.name"), value: area?.name ?? "", required: true })}
        ${form.select({
          name: "floor",
          label: t("areas.floor"),
          value: area?.floor_id ?? "",
          options: [["", t("areas.noFloor")], ...floors],
        })}
        ${form.icon({ name: "icon", label: t("areas.icon"), value: area?.icon ?? "" })}
        ${area
          ? measures.map((measure) =>
              form.select({
                name: measure,
                label: t(`areas.${measure}`),
                hint: t(`areas.${measure}Hint`),
                value: area[`${measure}_entity_id`] ?? "",
                options: [["", t(measure === "temperature" ? "areas.byItself" : "areas.noHumidity")], ...this.sensors(area, measure)],
              }),
            )
          : nothing}
        <hearth-label-field .home=${this.home} .chosen=${area?.labels ?? none}></hearth-label-field>
        ${form.failed()} ${form.end(area ? t("action.save") : t("areas.addArea"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
