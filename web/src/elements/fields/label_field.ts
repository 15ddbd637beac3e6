// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import type { Label } from "../../api/types";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { attempt } from "../notify";
import "./picker";
import type { Choice } from "./picker";

// The labels of something: chosen from those that there are, or made here.
@customElement("hearth-label-field")
export class LabelField extends LitElement {
  @property({ attribute: false }) home!: Home;
  // Ids; set by the owner once, changed here.
  @property({ attribute: false }) chosen: string[] = [];
  private readonly labels = new LabelsController(this, () => this.home);

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }

      label {
        margin-bottom: 0.3rem;
      }

      .add {
        flex-wrap: nowrap;
      }

      .add input {
        flex: 1;
        min-width: 0;
      }

      .add button {
        flex: none;
      }
    `,
  ];

  // The ids that are chosen, with a new label that was typed and not added yet. Fails as the hub fails to make it.
  async finished(): Promise<string[]> {
    const input = this.renderRoot.querySelector("input");
    const name = input?.value.trim();
    if (input && name) {
      await this.make(name);
      input.value = "";
    }
    return this.chosen;
  }

  private async make(name: string): Promise<void> {
    const known = this.labels.all.find((label) => label.name.toLowerCase() === name.toLowerCase());
    const label = known ?? (await this.home.command<Label>("config/label_registry/create", { name }));
    if (!known) this.labels.all = [...this.labels.all, label];
    if (!this.chosen.includes(label.label_id)) this.chosen = [...this.chosen, label.label_id];
  }

  // Enter adds the label; it does not send the form.
  private readonly typed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void attempt(() => this.finished());
  };

  private choices(): Choice[] {
    return this.labels.all.map(({ label_id, name }) => ({ id: label_id, name }));
  }

  override render() {
    return html`<hearth-picker
        multiple
        .label=${t("entities.labels")}
        .choices=${() => this.choices()}
        .chosen=${this.chosen}
        .nameOf=${(id: string) => this.labels.named(id).name}
        @change-chosen=${(event: CustomEvent<string[]>) => (this.chosen = event.detail)}
      ></hearth-picker>
      <div>
        <label for="newLabel">${t("entities.newLabel")}</label>
        <div class="row add">
          <input id="newLabel" maxlength="255" autocomplete="off" @keydown=${this.typed} />
          <button type="button" @click=${() => void attempt(() => this.finished())}>${t("entities.addLabel")}</button>
        </div>
      </div>`;
  }
}
