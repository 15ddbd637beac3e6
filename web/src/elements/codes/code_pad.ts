// SPDX-License-Identifier: Apache-2.0
import { mdiBackspaceOutline } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../dialog";
import "../icon";

export interface CodeRequest {
  heading: string;
  text?: string;
  // Of the field: "Code" without it.
  label?: string;
  // The label of the button that sends the code: "Disarm".
  action: string;
  // True if the code is digits only; otherwise it is text.
  ofDigits: boolean;
  // Resolves to what is wrong; empty if the code was accepted.
  send: (code: string) => Promise<string>;
}

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

// Asks for a code until one is accepted. Only the field keeps the code, and only until it is sent.
@customElement("hearth-code-pad")
class CodePad extends LitElement {
  @property({ attribute: false }) request!: CodeRequest;
  @property({ attribute: false }) done!: () => void;
  @state() private isEmpty = true;
  @state() private busy = false;
  @state() private problem = "";
  @query("input") private input!: HTMLInputElement;

  static override styles = [
    shared,
    css`
      form {
        display: grid;
        gap: 1rem;
        max-width: 22rem;
        margin: 0 auto;
      }

      .digits #code {
        min-height: 3.2rem;
        font-size: 1.6rem;
        letter-spacing: 0.3em;
        text-align: center;
      }

      .pad {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.6rem;
      }

      .pad button {
        min-height: 3.6rem;
        font-size: 1.5rem;
        touch-action: manipulation; /* quick taps do not zoom */
      }

      .pad .zero {
        grid-column: 2;
      }

      label {
        margin-bottom: 0.4rem;
      }

      button[type="submit"] {
        min-height: 3.2rem;
        font-size: 1.1rem;
      }
    `,
  ];

  override firstUpdated(): void {
    this.input.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.write("");
  }

  private write(code: string): void {
    this.input.value = code;
    this.isEmpty = code === "";
  }

  private typed(): void {
    this.write(this.request.ofDigits ? this.input.value.replace(/\D/g, "") : this.input.value);
    if (!this.isEmpty) this.problem = "";
  }

  private press(digit: string): void {
    if (this.busy) return;
    this.write(this.input.value + digit);
    this.problem = "";
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy || this.isEmpty) return;
    this.busy = true;
    const code = this.input.value;
    this.write("");
    this.problem = await this.request.send(code);
    this.busy = false;
    if (!this.problem) this.done();
    else if (this.isConnected) this.input.focus();
  }

  private pad() {
    // Keeps the focus in the field, so that keys still write there.
    return html`<div class="pad" @mousedown=${(event: Event) => event.preventDefault()}>
      ${digits.map((digit) => this.digit(digit))} ${this.digit("0")}
      <button
        type="button"
        aria-label=${t("alarm.erase")}
        ?disabled=${this.isEmpty}
        @click=${() => this.write(this.input.value.slice(0, -1))}
      >
        <hearth-icon .path=${mdiBackspaceOutline}></hearth-icon>
      </button>
    </div>`;
  }

  private digit(digit: string) {
    return html`<button type="button" class=${digit === "0" ? "zero" : nothing} @click=${() => this.press(digit)}>${digit}</button>`;
  }

  override render() {
    const { heading, text, label = t("lock.code"), action, ofDigits } = this.request;
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.done()}>
      ${text ? html`<p>${text}</p>` : nothing}
      <form class=${ofDigits ? "digits" : ""} @submit=${(event: Event) => void this.submit(event)}>
        <div>
          <label for="code">${label}</label>
          <input
            id="code"
            type="password"
            autocomplete="one-time-code"
            inputmode=${ofDigits ? "none" : "text"}
            aria-invalid=${this.problem ? "true" : "false"}
            aria-describedby=${this.problem ? "wrong" : nothing}
            autofocus
            @input=${() => this.typed()}
          />
        </div>
        ${this.problem ? html`<p id="wrong" class="problem" role="alert">${this.problem}</p>` : nothing} ${ofDigits ? this.pad() : nothing}
        <button type="submit" class="primary" ?disabled=${this.isEmpty} aria-busy=${this.busy ? "true" : "false"}>${action}</button>
      </form>
    </hearth-dialog>`;
  }
}

// Resolves when a code was accepted or the user cancels.
export function askCodeUntilTaken(request: CodeRequest): Promise<void> {
  return new Promise((resolve) => {
    const element = document.createElement("hearth-code-pad") as CodePad;
    element.request = request;
    element.done = () => {
      element.remove();
      resolve();
    };
    document.body.append(element);
  });
}
