// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { ImportOptions } from "../../api/imports/imports";
import { formatNumber, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

const spans = ["all", "365d", "30d", "none"] as const;

// The parts of the old home that come, and how it begins. Fires `changed` with the ImportOptions.
@customElement("hearth-import-options")
export class ImportOptionsForm extends LitElement {
  @property({ attribute: false }) options!: ImportOptions;
  // Recorded states that the old home has; 0 if it has no history.
  @property({ type: Number }) states = 0;
  // True if people may come without their passwords: not if nobody else could log in.
  @property({ type: Boolean }) asksCredentials = false;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }

      fieldset {
        display: grid;
        gap: 0.3rem;
        margin: 0;
        padding: 0;
        border: 0;
        min-width: 0;
      }

      legend {
        margin-bottom: 0.3rem;
        padding: 0;
        font-weight: 650;
      }

      label {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0 0.7rem;
        padding: 0.4rem 0;
      }

      label span {
        grid-column: 2;
      }

      input {
        margin: 0.15rem 0 0;
      }
    `,
  ];

  private change(changes: Partial<ImportOptions>): void {
    this.dispatchEvent(new CustomEvent<ImportOptions>("changed", { detail: { ...this.options, ...changes } }));
  }

  override render() {
    const { credentials, automations, side_by_side } = this.options;
    return html`${this.states > 0 ? this.history() : nothing}
      <fieldset>
        <legend>${t("moving.beginning")}</legend>
        ${this.choice(
          "off",
          automations === "off" || side_by_side,
          (checked) => this.change({ automations: checked ? "off" : "as-they-were" }),
          side_by_side,
        )}
        ${this.choice("sideBySide", side_by_side, (checked) => this.change({ side_by_side: checked }))}
        ${this.asksCredentials ? this.choice("credentials", credentials, (checked) => this.change({ credentials: checked })) : nothing}
      </fieldset>`;
  }

  private history(): TemplateResult {
    return html`<fieldset>
      <legend>${t("moving.history")}</legend>
      <p class="hint">${t("moving.historyText", { count: formatNumber(this.states) })}</p>
      ${spans.map(
        (span) =>
          html`<label>
            <input
              type="radio"
              name="history"
              value=${span}
              .checked=${this.options.history === span}
              @change=${() => this.change({ history: span })}
            />
            <span>${t(`moving.history.${span}`)}</span>
          </label>`,
      )}
    </fieldset>`;
  }

  private choice(
    name: "off" | "sideBySide" | "credentials",
    checked: boolean,
    changed: (checked: boolean) => void,
    disabled = false,
  ): TemplateResult {
    return html`<label>
      <input
        type="checkbox"
        name=${name}
        .checked=${checked}
        ?disabled=${disabled}
        aria-describedby="${name}-hint"
        @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
      />
      <span>${t(`moving.choice.${name}`)}</span>
      <span class="hint" id="${name}-hint">${t(`moving.choice.${name}Text`)}</span>
    </label>`;
  }
}
