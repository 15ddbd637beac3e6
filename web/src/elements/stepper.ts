// SPDX-License-Identifier: Apache-2.0
import { mdiMinus, mdiPlus } from "@mdi/js";
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { shared } from "../styles/shared";
import "./icon";

// Milliseconds: presses in quick succession are sent as one; then the chosen value is shown until a value is reported,
// or `patience` is over.
const pause = 500;
const patience = 4000;

// A number with a button for less and one for more. Fires `change-value` with the wanted number as detail, and
// `unreported` if no such value was reported.
@customElement("hearth-stepper")
export class Stepper extends LitElement {
  @property({ attribute: false }) value: number | undefined;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 100;
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) disabled = false;
  // The accessible names of the buttons.
  @property() less = "";
  @property() more = "";
  @property({ attribute: false }) text: (value: number | undefined) => string = String;
  @state() private chosen: number | undefined;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      div {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.6rem;
      }

      output {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        font-size: 1.35rem;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && this.sending === undefined) this.reset();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.sending !== undefined) this.send();
    clearTimeout(this.settling);
  }

  // Drops the chosen value, after the hub refused it.
  reset(): void {
    clearTimeout(this.settling);
    this.chosen = undefined;
  }

  private giveUp(): void {
    const isOpen = this.chosen !== undefined && this.chosen !== this.value;
    this.reset();
    if (isOpen) this.dispatchEvent(new CustomEvent("unreported", { bubbles: true, composed: true }));
  }

  private change(steps: number): void {
    const from = this.chosen ?? this.value ?? this.min;
    const wanted = Math.round((from + steps * this.step) / this.step) * this.step;
    this.chosen = Math.min(this.max, Math.max(this.min, Number(wanted.toFixed(6))));
    clearTimeout(this.sending);
    clearTimeout(this.settling);
    this.sending = setTimeout(() => this.send(), pause);
  }

  private send(): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    this.settling = setTimeout(() => this.giveUp(), patience);
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
      <output>${this.text(value)}</output>
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
