// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { shared } from "../styles/shared";

// While a finger moves, at most one value in this time is sent; after it has left, the reported value is shown when something new was
// reported, or after `patience`. Milliseconds.
const interval = 200;
const patience = 2500;

// A number on a track. It follows the finger at once and settles on what is reported in `value`. Fires `change-value` with the number
// as detail: now and then on the way, and once at the end; and `unreported` where nothing came of it.
@customElement("hearth-slider")
export class Slider extends LitElement {
  @property({ type: Number }) value = 0;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 100;
  @property({ type: Number }) step = 1;
  @property({ type: Boolean }) disabled = false;
  // The accessible name, and the value as a person says it ("60 %").
  @property() label = "";
  @property({ attribute: false }) text: (value: number) => string = String;
  // A colour scale behind the track: "temperature", "hue", or "saturation" of the colour `--scale-colour`.
  @property({ reflect: true }) scale = "";
  @state() private chosen: number | undefined;
  private moving = false;
  private lastSent = 0;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      input {
        display: block;
        width: 100%;
        height: 2.5rem;
        margin: 0;
        background: transparent;
        appearance: none;
        cursor: pointer;
        touch-action: pan-y;
      }

      input:disabled {
        opacity: 0.5;
        cursor: default;
      }

      input::-webkit-slider-runnable-track {
        height: 0.6rem;
        border-radius: 999px;
        background: var(--track, linear-gradient(to right, var(--accent) var(--filled), var(--border) var(--filled)));
      }

      input::-moz-range-track {
        height: 0.6rem;
        border-radius: 999px;
        background: var(--track, linear-gradient(to right, var(--accent) var(--filled), var(--border) var(--filled)));
      }

      input::-webkit-slider-thumb {
        width: 1.5rem;
        height: 1.5rem;
        margin-top: -0.45rem;
        border: 3px solid var(--surface);
        border-radius: 50%;
        background: var(--knob, var(--accent));
        box-shadow: 0 0 0 1px var(--border-strong);
        appearance: none;
      }

      input::-moz-range-thumb {
        width: 1.2rem;
        height: 1.2rem;
        border: 3px solid var(--surface);
        border-radius: 50%;
        background: var(--knob, var(--accent));
        box-shadow: 0 0 0 1px var(--border-strong);
      }

      :host([scale="temperature"]) {
        --track: linear-gradient(to right, #ffb057, #fff3e0 50%, #cfe3ff);
      }

      :host([scale="hue"]) {
        --track: linear-gradient(to right, #f00, #ff0, #0f0, #0ff, #00f, #f0f, #f00);
      }

      :host([scale="saturation"]) {
        --track: linear-gradient(to right, #fff, var(--scale-colour, #f00));
      }

      :host([scale]:not([scale=""])) input {
        --knob: var(--text);
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && !this.moving) this.settle();
  }

  override updated(): void {
    const input = this.renderRoot.querySelector("input");
    const share = (this.shown - this.min) / (this.max - this.min || 1);
    input?.style.setProperty("--filled", `${Math.min(1, Math.max(0, share)) * 100}%`);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.sending);
    clearTimeout(this.settling);
  }

  // Gives up what was chosen, for when the hub refused it.
  reset(): void {
    this.settle();
  }

  private get shown(): number {
    return this.chosen ?? this.value;
  }

  private settle(): void {
    clearTimeout(this.settling);
    this.chosen = undefined;
  }

  private giveUp(): void {
    const isOpen = this.chosen !== undefined && Math.abs(this.chosen - this.value) > this.step;
    this.settle();
    if (isOpen) this.dispatchEvent(new CustomEvent("unreported", { bubbles: true, composed: true }));
  }

  private move(event: Event): void {
    this.moving = true;
    this.chosen = Number((event.target as HTMLInputElement).value);
    clearTimeout(this.settling);
    if (this.sending !== undefined) return;
    const wait = Math.max(0, this.lastSent + interval - Date.now());
    this.sending = setTimeout(() => {
      this.sending = undefined;
      if (this.moving) this.send();
    }, wait);
  }

  private finish(event: Event): void {
    this.moving = false;
    this.chosen = Number((event.target as HTMLInputElement).value);
    clearTimeout(this.sending);
    this.sending = undefined;
    this.send();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.giveUp(), patience);
  }

  private send(): void {
    this.lastSent = Date.now();
    this.dispatchEvent(new CustomEvent<number>("change-value", { detail: this.shown }));
  }

  override render() {
    return html`<input
      type="range"
      aria-label=${this.label}
      aria-valuetext=${this.text(this.shown)}
      min=${this.min}
      max=${this.max}
      step=${this.step}
      .value=${String(this.shown)}
      ?disabled=${this.disabled}
      @input=${(event: Event) => this.move(event)}
      @change=${(event: Event) => this.finish(event)}
    />`;
  }
}
