// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import type { Question } from "../confirm";
import "../dialog";

@customElement("hearth-ask-code")
class AskCode extends LitElement {
  @property({ attribute: false }) question!: Question;
  // A regular expression for the whole code, as a lock's `code_format` gives it.
  @property({ attribute: false }) format = "";
  @property({ attribute: false }) answer!: (code: string | undefined) => void;
  @state() private wrong = false;

  static override styles = [
    shared,
    css`
      form {
        display: grid;
        gap: 1rem;
      }
    `,
  ];

  private submit(event: Event): void {
    event.preventDefault();
    const input = this.renderRoot.querySelector("input") as HTMLInputElement;
    this.wrong = !fits(input.value, this.format);
    if (this.wrong) input.focus();
    else this.answer(input.value);
  }

  override render() {
    const { heading, text, action } = this.question;
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.answer(undefined)}>
      <form @submit=${(event: Event) => this.submit(event)}>
        ${text ? html`<p>${text}</p>` : nothing}
        <div>
          <label for="code">${t("lock.code")}</label>
          <input
            id="code"
            type="password"
            autocomplete="off"
            inputmode=${/^number$|\\d|\[0-9\]/.test(this.format) ? "numeric" : "text"}
            aria-invalid=${this.wrong ? "true" : "false"}
            aria-describedby=${this.wrong ? "wrong" : nothing}
            autofocus
          />
          ${this.wrong ? html`<p id="wrong" class="problem" role="alert">${t("lock.wrongCode")}</p>` : nothing}
        </div>
        <div class="end-buttons">
          <button type="button" @click=${() => this.answer(undefined)}>${t("action.cancel")}</button>
          <button type="submit" class="primary">${action}</button>
        </div>
      </form>
    </hearth-dialog>`;
  }
}

function fits(code: string, format: string): boolean {
  if (format === "number") return /^\d+$/.test(code);
  try {
    return new RegExp(format).test(code);
  } catch {
    return code !== ""; // the hub decides
  }
}

// Asks for a code. Resolves to undefined if the user cancels.
export function askCode(question: Question, format: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const element = document.createElement("hearth-ask-code") as AskCode;
    element.question = question;
    element.format = format;
    element.answer = (code) => {
      element.remove();
      resolve(code);
    };
    document.body.append(element);
  });
}
