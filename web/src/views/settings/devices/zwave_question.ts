// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Question } from "../../../api/bridges/zwave_js_ui";
import { t, type Key } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/action";

// The security classes of the protocol, by their numbers.
const classNames: Record<number, Key> = {
  0: "pairing.zwave.class.unauthenticated",
  1: "pairing.zwave.class.authenticated",
  2: "pairing.zwave.class.accessControl",
  7: "pairing.zwave.class.legacy",
};

// The question that a Z-Wave controller asks before a device joins. `answer` sends the classes that are given or the five digits, or,
// without either, that the device shall not join.
@customElement("hearth-zwave-question")
export class ZwaveQuestion extends LitElement {
  @property({ attribute: false }) question!: Question;
  @property({ attribute: false }) answer!: (given?: number[] | string) => Promise<void>;
  // The classes that are not given.
  @state() private refused: ReadonlySet<number> = new Set();
  @state() private pin = "";

  static override styles = [
    shared,
    css`
      fieldset {
        margin: 0;
        border: 1px solid var(--border);
        border-radius: var(--radius);
        padding: 0.8rem 1rem;
      }

      legend {
        padding: 0 0.4rem;
        font-weight: 650;
      }

      .choice {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2.75rem;
      }

      #pin {
        max-width: 10rem;
        font-size: 1.4rem;
        letter-spacing: 0.2em;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  // The next question is another one.
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("question")) [this.refused, this.pin] = [new Set(), ""];
  }

  private get isPin(): boolean {
    return /^\d{5}$/.test(this.pin);
  }

  override render(): TemplateResult {
    return this.question.about === "classes" ? this.classes(this.question.classes) : this.key(this.question.rest);
  }

  private classes(classes: number[]): TemplateResult {
    const given = classes.filter((one) => !this.refused.has(one));
    return html`<fieldset class="stack">
      <legend>${t("pairing.zwave.classes")}</legend>
      <p class="hint">${t("pairing.zwave.classes.hint")}</p>
      <div>
        ${classes.map(
          (one) =>
            html`<label class="choice">
              <input type="checkbox" .checked=${!this.refused.has(one)} @change=${() => this.turn(one)} />
              ${classNames[one] ? t(classNames[one]) : String(one)}
            </label>`,
        )}
      </div>
      ${this.buttons(given.length > 0, () => this.answer(given))}
    </fieldset>`;
  }

  private key(rest: string): TemplateResult {
    return html`<fieldset class="stack">
      <legend>${t("pairing.zwave.pin")}</legend>
      <div>
        <label for="pin">${t("pairing.zwave.pin.label")}</label>
        <input
          id="pin"
          inputmode="numeric"
          autocomplete="off"
          maxlength="5"
          aria-describedby="rest"
          .value=${this.pin}
          @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.isPin && void this.answer(this.pin)}
          @input=${(event: Event) => (this.pin = (event.target as HTMLInputElement).value.replace(/\D/g, ""))}
        />
        <p class="hint" id="rest">${t("pairing.zwave.pin.rest", { rest })}</p>
      </div>
      ${this.buttons(this.isPin, () => this.answer(this.pin))}
    </fieldset>`;
  }

  private buttons(isComplete: boolean, send: () => Promise<void>): TemplateResult {
    return html`<div class="end-buttons">
      <hearth-action .label=${t("pairing.zwave.abort")} .run=${() => this.answer()}></hearth-action>
      <hearth-action look="primary" .label=${t("pairing.zwave.go")} ?disabled=${!isComplete} .run=${send}></hearth-action>
    </div>`;
  }

  private turn(one: number): void {
    const refused = new Set(this.refused);
    if (!refused.delete(one)) refused.add(one);
    this.refused = refused;
  }
}
