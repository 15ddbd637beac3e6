// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Label } from "../../api/types";
import { FormController, formStyles, type Values } from "../../elements/form";
import { cssColor } from "../../elements/label_chip";
import { styles } from "../../elements/styles_directive";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/dialog";

// The colours that are offered; a label may have another one.
const offered = ["red", "pink", "purple", "indigo", "blue", "cyan", "teal", "green", "lime", "amber", "orange", "brown", "grey"] as const;

// Adds a label or, with `label`, changes one. Fires `closed`.
@customElement("hearth-label-dialog")
export class LabelDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) label: Label | undefined;
  @state() private color = "";
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      fieldset {
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        padding: 0;
        font-weight: 550;
      }

      .colors {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem;
      }

      .colors label {
        position: relative;
        display: grid;
        place-items: center;
        width: 2.75rem;
        height: 2.75rem;
        cursor: pointer;
      }

      .colors input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }

      .colors i {
        width: 1.8rem;
        height: 1.8rem;
        border: 1px solid var(--border-strong);
        border-radius: 50%;
      }

      .none {
        background: linear-gradient(to top right, transparent 46%, var(--border-strong) 46% 54%, transparent 54%);
      }

      .colors input:checked + i {
        outline: 3px solid var(--text);
        outline-offset: 2px;
      }

      .colors input:focus-visible + i {
        outline: 3px solid var(--accent);
        outline-offset: 2px;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("label")) this.color = this.label?.color ?? "";
  }

  private async save({ name = "", description = "" }: Values): Promise<void> {
    const changes = { name: name.trim(), description: description.trim() || null, color: this.color || null };
    if (this.label) await this.home.command("config/label_registry/update", { label_id: this.label.label_id, ...changes });
    else await this.home.command("config/label_registry/create", changes);
    this.leave();
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, label } = this;
    const isOther = label?.color && !offered.some((name) => name === label.color);
    return html`<hearth-dialog
      .heading=${label ? t("areas.editNamed", { name: label.name }) : t("labels.add")}
      @closed=${() => this.leave()}
    >
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({ name: "name", label: t("areas.name"), value: label?.name ?? "", required: true, maxLength: 255 })}
        <fieldset>
          <legend>${t("labels.color")}</legend>
          <div class="colors">
            ${this.choice("", t("labels.noColor"))} ${offered.map((name) => this.choice(name, t(`color.${name}`)))}
            ${isOther ? this.choice(label.color as string, label.color as string) : nothing}
          </div>
        </fieldset>
        ${form.text({ name: "description", label: t("labels.description"), value: label?.description ?? "", maxLength: 255 })}
        ${form.failed()} ${form.end(label ? t("action.save") : t("labels.add"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }

  private choice(color: string, name: string) {
    return html`<label title=${name}>
      <input
        type="radio"
        name="color"
        value=${color}
        aria-label=${name}
        .checked=${this.color === color}
        @change=${() => (this.color = color)}
      />
      ${color ? html`<i ${styles({ background: cssColor(color) ?? "transparent" })}></i>` : html`<i class="none"></i>`}
    </label>`;
  }
}
