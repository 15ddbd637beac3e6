// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { shared } from "../../styles/shared";
import { styles } from "../styles_directive";
import { digits } from "./number_range";

type Input = "text" | "password" | "number" | "date" | "time" | "datetime-local";

export interface Limits {
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
}

// The pattern attribute; nothing if the browser would reject the regular expression.
function patternOf(text: string | undefined): string | typeof nothing {
  if (!text) return nothing;
  try {
    new RegExp(text, "v");
    return text;
  } catch {
    return nothing;
  }
}

// A value that is typed and then sent, with a button or Enter. Shows the reported `value` until the user types; the
// typed text stays if the hub refuses it. Fires `send-value` with the text as detail.
@customElement("hearth-value-field")
export class ValueField extends LitElement {
  @property() type: Input = "text";
  @property() value = "";
  @property({ attribute: false }) limits: Limits = {};
  @property({ type: Boolean }) disabled = false;
  // The field is cleared after sending, and is not sent empty.
  @property({ type: Boolean }) passing = false;
  // The accessible names of the field and of its button, and the button's visible text.
  @property() label = "";
  @property() actionLabel = "";
  @property() action = "";
  // The placeholder.
  @property() hint = "";
  @state() private typed: string | undefined;
  @query("input") private input!: HTMLInputElement;

  static override styles = [
    shared,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 0.5rem;
      }

      input {
        flex: 1 1 6rem;
        min-width: 0;
      }

      input[type="datetime-local"] {
        flex-basis: 12.5rem;
      }

      button {
        flex: none;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && this.typed === this.value) this.typed = undefined;
  }

  // The value was sent: shows the reported value again.
  done(): void {
    this.typed = undefined;
  }

  private get isChanged(): boolean {
    const wanted = this.typed ?? "";
    return this.passing ? wanted.trim() !== "" : this.typed !== undefined && wanted !== this.value;
  }

  private send(event: Event): void {
    event.preventDefault();
    if (this.disabled || !this.isChanged || !this.input.reportValidity()) return;
    this.dispatchEvent(new CustomEvent<string>("send-value", { detail: this.input.value }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.isChanged) return;
    event.stopPropagation(); // Escape drops the typed text, and does not close a dialog
    event.preventDefault();
    this.typed = undefined;
  }

  override render() {
    const { min, max, step, minLength, maxLength, pattern } = this.limits;
    return html`<form novalidate @submit=${(event: Event) => this.send(event)}>
      <input
        type=${this.type}
        aria-label=${this.label}
        autocomplete="off"
        placeholder=${this.hint || nothing}
        min=${min ?? nothing}
        max=${max ?? nothing}
        step=${step ?? nothing}
        minlength=${minLength ?? nothing}
        maxlength=${maxLength ?? nothing}
        pattern=${patternOf(pattern)}
        ?required=${this.type !== "text" && this.type !== "password"}
        ?disabled=${this.disabled}
        ${styles(this.type === "number" ? digits(this.limits, this.typed ?? this.value) : {})}
        .value=${live(this.typed ?? this.value)}
        @input=${() => (this.typed = this.input.value)}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      />
      <button type="submit" aria-label=${this.actionLabel} ?disabled=${this.disabled || !this.isChanged}>${this.action}</button>
    </form>`;
  }
}
