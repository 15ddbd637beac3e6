// SPDX-License-Identifier: Apache-2.0
import { mdiDelete, mdiPencil, mdiPlus } from "@mdi/js";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import type { Label } from "../../api/types";
import { confirm } from "../../elements/confirm";
import { labelChip, labelChips } from "../../elements/label_chip";
import { attempt } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";
import "../../elements/icon";
import "./label_dialog";

// The labels of the home.
@customElement("hearth-labels")
export class Labels extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private open: { label?: Label } | undefined;
  private readonly labels = new LabelsController(this, () => this.home);

  static override styles = [shared, rows, labelChips];

  private async erase({ label_id, name }: Label): Promise<void> {
    const yes = await confirm({
      heading: t("areas.deleteHeading", { name }),
      text: t("labels.deleteText"),
      action: t("action.delete"),
      danger: true,
    });
    if (yes) await attempt(() => this.home.command("config/label_registry/delete", { label_id }));
  }

  override render() {
    const { all } = this.labels;
    return html`<div class="stack">
        <div class="spread">
          <h2>${t("entities.labels")}</h2>
          <button type="button" @click=${() => (this.open = {})}><hearth-icon .path=${mdiPlus}></hearth-icon>${t("labels.add")}</button>
        </div>
        ${all.length === 0 ? html`<p class="muted">${t("labels.none")}</p>` : nothing}
        <ul>
          ${repeat(
            all,
            ({ label_id }) => label_id,
            (label) => this.item(label),
          )}
        </ul>
      </div>
      ${this.open
        ? html`<hearth-label-dialog
            .home=${this.home}
            .label=${this.open.label}
            @closed=${() => (this.open = undefined)}
          ></hearth-label-dialog>`
        : nothing}`;
  }

  private item(label: Label): TemplateResult {
    const { name, description } = label;
    const edit = t("areas.editNamed", { name });
    const erase = t("areas.deleteNamed", { name });
    return html`<li>
      <div>${labelChip(label)}${description ? html`<div class="hint">${description}</div>` : nothing}</div>
      <div class="row">
        <button type="button" class="plain round" aria-label=${edit} title=${edit} @click=${() => (this.open = { label })}>
          <hearth-icon .path=${mdiPencil}></hearth-icon>
        </button>
        <button type="button" class="plain round" aria-label=${erase} title=${erase} @click=${() => void this.erase(label)}>
          <hearth-icon .path=${mdiDelete}></hearth-icon>
        </button>
      </div>
    </li>`;
  }
}
