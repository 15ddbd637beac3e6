// SPDX-License-Identifier: Apache-2.0
// A number on a track: brightness, a position, a speed. Keys and screen readers act on a native range input. That gets
// no pointer events, because browsers move it at the first touch, before they know whether the user is scrolling.
// track_gesture.ts handles pointers: a drag, or a tap on the track, which sets the value there.
//
// `relative`, for things that a motor moves: the thumb moves by as much as the pointer, wherever that came down, and a
// tap does nothing. A blind that jumps to an accidental touch runs for half a minute, perhaps into somebody; a lamp is
// just dimmed back. A drag may begin anywhere, not only at the thumb, so that nobody has to aim.
//
// `tile`: it lies over all of a card, which is its track. It moves by as much as the pointer, also by mouse only once
// that moves, so that a tap is the card's: it fires `tap`.
//
// The chosen value is sent once: when the pointer is released, or the keys have rested. So a cancelled drag sends
// nothing to the hub, and a motor does not start for each value on the way. A lamp that is dimmed to zero remembers the
// level before the drag and comes back at it; if brightness were sent on the way, it would remember the last value
// before off. With `live` values are sent while the pointer moves: for colours, which people choose by looking at the
// lamp.
import { LitElement, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { shared } from "../../styles/shared";
import { scale } from "../charts/scale";
import { SettlingController } from "../settling";
import { TrackGesture, type Track } from "../track_gesture";
import { sliderStyles, thumbWidth } from "./slider_styles";

// Milliseconds: between two values that are sent during a drag; from the last key until its value is sent; how long a
// chosen value is shown while nothing is reported.
const interval = 200;
const rest = 400;
const patience = 2500;

// Shows the chosen value at once, then the reported `value`. Fires `change-value` with the number as detail, and
// `unreported` if no such value was reported. Fires `begin-drag` when a drag begins, and `take-back` if a drag is
// cancelled after values were sent during it.
@customElement("hearth-slider")
export class Slider extends LitElement implements Track {
  @property({ type: Number }) value = 0;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 100;
  @property({ type: Number }) step = 1;
  @property({ type: Boolean, reflect: true }) disabled = false;
  @property({ type: Boolean, reflect: true }) relative = false;
  @property({ type: Boolean, reflect: true }) tile = false;
  // The main one of a dialog.
  @property({ type: Boolean, reflect: true }) big = false;
  @property({ type: Boolean }) live = false;
  // The accessible name, and the value as a person says it ("60 %").
  @property() label = "";
  @property({ attribute: false }) text: (value: number) => string = String;
  // A colour scale behind the track: "temperature", "hue", or "saturation" of the colour `--scale-colour`.
  @property({ reflect: true }) scale = "";
  @state() private moving = false;
  @query("input") private input!: HTMLInputElement;
  private gesture = new TrackGesture(this);
  // Of the drag: the values shown and chosen when it began, where it holds the thumb, and whether it has sent a value.
  private from = 0;
  private earlier: number | undefined;
  private grip: number | undefined;
  private hasSent = false;
  // True if keys have chosen a value that is not sent yet.
  private typing = false;
  private lastSent = 0;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private readonly settling = new SettlingController<number>(this, patience, (chosen) => Math.abs(chosen - this.value) <= this.step);

  static override styles = [shared, sliderStyles];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("value") && this.moving) this.earlier = undefined; // the report replaces it
    if (changes.has("value") && !this.moving) this.reset();
    if (changes.has("disabled") && this.disabled) this.gesture.cancel();
  }

  override updated(): void {
    this.style.setProperty("--share", String(this.share));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.gesture.cancel();
    this.rested();
    this.settling.stop();
  }

  // Drops the chosen value, after the hub refused it.
  reset(): void {
    this.settling.reset();
  }

  private get chosen(): number | undefined {
    return this.settling.chosen;
  }

  get isFree(): boolean {
    return !this.disabled;
  }

  begin(x: number): void {
    this.rested();
    this.settling.stop();
    this.from = this.shown;
    this.earlier = this.chosen;
    this.grip = this.isRelative || this.isOnThumb(x) ? x : undefined;
    this.moving = true;
    this.hasSent = false;
    this.lastSent = Date.now();
    this.dispatchEvent(new CustomEvent("begin-drag", { bubbles: true, composed: true }));
  }

  move(x: number): void {
    this.settling.hold(this.at(x));
    if (!this.live || this.sending !== undefined) return;
    const wait = Math.max(0, this.lastSent + interval - Date.now());
    this.sending = setTimeout(() => {
      this.sending = undefined;
      if (this.chosen === this.from && !this.hasSent) return;
      this.hasSent = true;
      this.send();
    }, wait);
  }

  end(): void {
    if (this.chosen === this.from && !this.hasSent) this.putBack();
    else this.choose(this.chosen as number);
  }

  cancel(): void {
    this.putBack();
    if (this.hasSent) this.dispatchEvent(new CustomEvent("take-back", { bubbles: true, composed: true }));
  }

  tap(x: number): void {
    if (this.tile) this.dispatchEvent(new CustomEvent("tap"));
    if (this.isRelative || this.isOnThumb(x)) return;
    this.rested();
    this.grip = undefined;
    this.choose(this.at(x));
  }

  get waits(): boolean {
    return this.tile;
  }

  private get isRelative(): boolean {
    return this.relative || this.tile;
  }

  private get shown(): number {
    return this.chosen ?? this.value;
  }

  // The thumb's position along the track, from 0 to 1.
  private get share(): number {
    return Math.min(1, Math.max(0, (this.shown - this.min) / (this.max - this.min || 1)));
  }

  // The range of the thumb's middle: from `start`, `length` pixels, which is negative if values grow to the left.
  private room(): { start: number; length: number } {
    const { left, right, width } = this.input.getBoundingClientRect();
    const half = this.halfThumb;
    const length = Math.max(1, width - 2 * half);
    const isMirrored = getComputedStyle(this).direction === "rtl";
    return isMirrored ? { start: right - half, length: -length } : { start: left + half, length };
  }

  private get halfThumb(): number {
    return thumbWidth * 8 * scale();
  }

  private isOnThumb(x: number): boolean {
    const { start, length } = this.room();
    return Math.abs(x - start - length * this.share) <= this.halfThumb;
  }

  // The value under the pointer or, if the pointer holds the thumb, the value that the thumb was dragged to.
  private at(x: number): number {
    const { start, length } = this.room();
    const span = this.max - this.min;
    if (this.grip === undefined) return this.stepped(this.min + ((x - start) / length) * span);
    const value = this.stepped(this.from + ((x - this.grip) / length) * span);
    return value === this.stepped(this.from) ? this.from : value; // `from` may lie between two steps
  }

  private stepped(value: number): number {
    const last = Math.floor((this.max - this.min) / this.step + 1e-9);
    const steps = Math.min(last, Math.max(0, Math.round((value - this.min) / this.step)));
    return Number((this.min + steps * this.step).toFixed(9));
  }

  private typed(): void {
    this.moving = this.typing = true;
    this.settling.hold(Number(this.input.value));
    clearTimeout(this.sending);
    this.sending = setTimeout(() => this.rested(), rest);
  }

  // Sends the value that keys have chosen, unless it was sent.
  private rested(): void {
    if (this.typing) this.choose(this.shown);
  }

  private putBack(): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    this.moving = false;
    this.settling.hold(this.earlier);
    if (this.chosen !== undefined) this.settling.wait();
  }

  private choose(value: number): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    this.moving = this.typing = false;
    this.settling.hold(value);
    this.settling.wait();
    this.send();
  }

  private send(): void {
    this.lastSent = Date.now();
    this.dispatchEvent(new CustomEvent<number>("change-value", { detail: this.shown }));
  }

  override render() {
    const text = this.text(this.shown);
    // For an accessibility tool, the element under a finger is the label's input.
    return html`<label
      @pointerdown=${this.gesture}
      @pointermove=${this.gesture}
      @pointerup=${this.gesture}
      @pointercancel=${this.gesture}
      @lostpointercapture=${this.gesture}
      @mousedown=${this.gesture}
      @contextmenu=${this.gesture}
      @click=${this.gesture}
    >
      <span class="visually-hidden">${this.label}</span>
      <input
        type="range"
        aria-valuetext=${text}
        min=${this.min}
        max=${this.max}
        step=${this.step}
        .value=${String(this.shown)}
        ?disabled=${this.disabled}
        @input=${() => this.typed()}
        @blur=${() => this.rested()}
      />
      ${this.moving ? html`<span class="chosen" aria-hidden="true"><span>${text}</span></span>` : nothing}
    </label>`;
  }
}
