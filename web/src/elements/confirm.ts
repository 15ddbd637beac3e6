// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import "./dialog";

export interface Question {
  heading: string;
  // Empty if the heading says all.
  text: string;
  // The label of the button that goes ahead: "Revoke".
  action: string;
  danger?: boolean;
  // The hub will ask for a PIN: that is the question.
  pin?: boolean;
}

@customElement("hearth-confirm")
class Confirm extends LitElement {
  @property({ attribute: false }) question!: Question;
  @property({ attribute: false }) answer!: (yes: boolean) => void;

  static override styles = [shared];

  override render() {
    const { heading, text, action, danger } = this.question;
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.answer(false)}>
      ${text ? html`<p>${text}</p>` : nothing}
      <button slot="actions" type="button" @click=${() => this.answer(false)}>${t("action.cancel")}</button>
      <button slot="actions" type="button" class=${danger ? "primary danger" : "primary"} @click=${() => this.answer(true)}>
        ${action}
      </button>
    </hearth-dialog>`;
  }
}

// Asks for confirmation. Resolves to whether the user wants to go ahead.
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const element = document.createElement("hearth-confirm") as Confirm;
    element.question = question;
    element.answer = (yes) => {
      element.remove();
      resolve(yes);
    };
    document.body.append(element);
  });
}
