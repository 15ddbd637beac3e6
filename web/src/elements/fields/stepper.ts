// SPDX-License-Identifier: Apache-2.0
import { mdiMinus, mdiPlus } from "@mdi/js";
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { formatNumber, parseNumber } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../icon";
import { SettlingController } from "../settling";

// Milliseconds: presses in quick succession are sent as one; then the chosen value is shown until a value is reported,
// or `patience` is over.
const pause = 500;
const patience = 4000;

// A number that is typed, with a button for less and one for more. Fires `change-value` with the wanted number as detail, and
// `unreported` if no such value was reported.
@customElement("hearth-stepper")
export class Stepper extends LitElement {
  @property({ attribute: false }) value: number | undefined;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 100;
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) disabled = false;
  // The accessible names of the field and of the buttons.
  @property() label = "";
  @property() less = "";
  @property() more = "";
  @property({ attribute: false }) text: (value: number | undefined) => string = String;
  // The text that is being typed.
  @state() private typed: string | undefined;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private readonly settling = new SettlingController<number>(this, patience, (chosen) => chosen === this.value);

  static override styles = [
    shared,
    css`
      div {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.25rem;
      }

      input[type="text"] {
        flex: 1;
        width: 3rem;
        min-width: 0;
        padding: 0.1rem;
        border-color: transparent;
        background: transparent;
        font-size: 1.05rem;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
        text-align: center;
        text-overflow: ellipsis;
      }

      input[type="text"]:hover:not(:disabled) {
        border-color: var(--border);
      }

      input[type="text"]:focus {
        border-color: var(--border-strong);
        background: var(--surface);
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && this.sending === undefined) this.reset();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.sending !== undefined) this.send();
    this.settling.stop();
  }

  // Drops the chosen value, after the hub refused it.
  reset(): void {
    this.settling.reset();
  }

  private get chosen(): number | undefined {
    return this.settling.chosen;
  }

  private change(steps: number): void {
    const from = this.chosen ?? this.value ?? this.min;
    this.settling.hold(this.allowed(from + steps * this.step));
    clearTimeout(this.sending);
    this.sending = setTimeout(() => this.send(), pause);
  }

  // The nearest value that it can have.
  private allowed(value: number): number {
    const stepped = Math.round(value / this.step) * this.step;
    return Math.min(this.max, Math.max(this.min, Number(stepped.toFixed(6))));
  }

  private begin(event: Event): void {
    const input = event.target as HTMLInputElement;
    const value = this.chosen ?? this.value;
    this.typed = value === undefined ? "" : formatNumber(value, { useGrouping: false });
    void this.updateComplete.then(() => input.select());
  }

  private take(): void {
    const wanted = this.typed === undefined ? undefined : parseNumber(this.typed);
    this.typed = undefined;
    if (wanted === undefined || this.allowed(wanted) === (this.chosen ?? this.value)) return;
    this.settling.hold(this.allowed(wanted));
    this.send();
  }

  private onKey(event: KeyboardEvent): void {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps !== undefined) {
      event.preventDefault();
      this.typed = undefined;
      this.change(steps);
    } else if (event.key === "Enter") {
      this.take();
    } else if (event.key === "Escape" && this.typed !== undefined) {
      event.stopPropagation(); // it drops the typed text, and does not close a dialog
      event.preventDefault();
      this.typed = undefined;
    }
  }

  private send(): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    this.settling.wait();
    this.dispatchEvent(new CustomEvent<number>("change-value", { detail: this.chosen as number }));
  }

  override render() {
    const value = this.chosen ?? this.value;
    return html`<div>
      <button
        type="button"
        class="round"
        aria-label=${this.less}
        ?disabled=${this.disabled || (value !== undefined && value <= this.min)}
        @click=${() => this.change(-1)}
      >
        <hearth-icon .path=${mdiMinus}></hearth-icon>
      </button>
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        maxlength="20"
        aria-label=${this.label}
        ?disabled=${this.disabled}
        .value=${live(this.typed ?? this.text(value))}
        @focus=${(event: Event) => this.begin(event)}
        @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}
        @blur=${() => this.take()}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      />
      <button
        type="button"
        class="round"
        aria-label=${this.more}
        ?disabled=${this.disabled || (value !== undefined && value >= this.max)}
        @click=${() => this.change(1)}
      >
        <hearth-icon .path=${mdiPlus}></hearth-icon>
      </button>
    </div>`;
  }
}
