// SPDX-License-Identifier: Apache-2.0
// One or two numbers on an arc: what a thermostat is to hold. Keys and screen readers act on native range inputs, which lie over the
// hands; pointers on the hands alone, so that a tap beside them, or a swipe over the dial, moves nothing. As a slider, a finger drags
// only when it moves off sideways: upwards and downwards it scrolls. What is chosen is sent once.
import { LitElement, css, html, nothing, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { SettlingController } from "../../elements/settling";
import { styles } from "../../elements/styles_directive";
import { TrackGesture, type Track } from "../../elements/track_gesture";
import { shared } from "../../styles/shared";
import { angleAt, angleOf, arc, dragged, pointAt, stepped, sweep, type Scale } from "./dial_geometry";

export interface Hand {
  // Of the field that it sets.
  key: string;
  label: string;
  value: number;
  look: string;
}

// Milliseconds: from the last key until its value is sent; how long a chosen value is shown while nothing is reported.
const rest = 500;
const patience = 4000;

const radius = 84;
const size = 200;

// Shows what is chosen at once, then what is reported. Fires `change-values` with the numbers of all hands by their keys, and
// `unreported` if no such numbers were reported.
@customElement("hearth-dial")
export class Dial extends LitElement {
  @property({ attribute: false }) hands: Hand[] = [];
  @property({ attribute: false }) now: number | undefined;
  @property({ type: Number }) min = 0;
  @property({ type: Number }) max = 100;
  @property({ type: Number }) step = 1;
  @property({ attribute: false }) text: (value: number) => string = String;
  // The line in the middle, below the numbers.
  @property() said = "";
  // True if it heats or cools now.
  @property({ type: Boolean, reflect: true }) active = false;
  @property({ type: Boolean }) disabled = false;
  // The hand that is moved now.
  @state() private moved = "";
  private sending: ReturnType<typeof setTimeout> | undefined;
  private readonly gestures = new Map<string, TrackGesture>();
  private readonly settling = new SettlingController<Record<string, number>>(this, patience, (chosen) =>
    this.hands.every(({ key, value }) => Math.abs(value - (chosen[key] ?? value)) < this.step / 2),
  );

  static override styles = [
    shared,
    css`
      .dial {
        position: relative;
        width: min(100%, 17rem);
        margin: 0 auto -1.5rem;
        aspect-ratio: 1;
        touch-action: pan-y pinch-zoom;
      }

      svg {
        display: block;
        width: 100%;
        overflow: visible;
      }

      path {
        fill: none;
        stroke: var(--border);
        stroke-width: 14;
        stroke-linecap: round;
      }

      path.heat {
        stroke: var(--accent);
      }

      path.cool {
        stroke: var(--curve-2);
      }

      path.between {
        stroke: var(--active-border);
      }

      .now {
        stroke: var(--text);
        stroke-width: 2.5;
        stroke-linecap: round;
      }

      circle {
        fill: var(--surface);
        stroke: var(--accent);
        stroke-width: 4;
      }

      circle.cool {
        stroke: var(--curve-2);
      }

      .middle {
        position: absolute;
        inset: 22% 14% 24%;
        display: grid;
        place-content: center;
        gap: 0.2rem;
        text-align: center;
        pointer-events: none;
      }

      .aim {
        font-size: 1.9rem;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
        letter-spacing: -0.02em;
        line-height: 1.15;
      }

      .aim.two {
        font-size: 1.35rem;
      }

      .said {
        display: -webkit-box;
        overflow: hidden;
        color: var(--text-2);
        font-size: 0.92rem;
        overflow-wrap: anywhere;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
      }

      /* Above the hand that it stands for. */
      label {
        position: absolute;
        left: var(--x);
        top: var(--y);
        width: 2.75rem;
        height: 2.75rem;
        translate: -50% -50%;
        border-radius: 50%;
        cursor: grab;
        touch-action: pan-y pinch-zoom;
        user-select: none;
        -webkit-user-select: none;
        -webkit-touch-callout: none;
        -webkit-tap-highlight-color: transparent;
      }

      label:active {
        cursor: grabbing;
      }

      label:has(input:disabled) {
        cursor: default;
      }

      label:has(input:focus-visible) {
        outline: 3px solid var(--accent);
      }

      input {
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        appearance: none;
        pointer-events: none;
      }

      @media (forced-colors: active) {
        path,
        circle,
        .now {
          stroke: CanvasText;
        }

        path.heat,
        path.cool,
        path.between {
          stroke: Highlight;
        }
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    const old = changes.get("hands") as Hand[] | undefined;
    const isReported = old?.some(({ key, value }) => this.hands.find((hand) => hand.key === key)?.value !== value);
    if (isReported && this.moved === "" && this.sending === undefined) this.reset();
    if (changes.has("disabled") && this.disabled) for (const gesture of this.gestures.values()) gesture.cancel();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const gesture of this.gestures.values()) gesture.cancel();
    this.rested();
    this.settling.stop();
  }

  // Drops what is chosen, after the hub refused it.
  reset(): void {
    this.settling.reset();
  }

  private get scale(): Scale {
    return { min: this.min, max: this.max, step: this.step };
  }

  private shownOf({ key, value }: Hand): number {
    return this.settling.chosen?.[key] ?? value;
  }

  // No hand passes the other.
  private hold(hand: Hand, value: number): void {
    const index = this.hands.indexOf(hand);
    const [before, after] = [this.hands[index - 1], this.hands[index + 1]];
    const least = before ? this.shownOf(before) : this.min;
    const most = after ? this.shownOf(after) : this.max;
    this.settling.hold({ ...this.settling.chosen, [hand.key]: Math.min(most, Math.max(least, value)) });
  }

  private send(): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    this.settling.wait();
    const values = Object.fromEntries(this.hands.map((hand) => [hand.key, this.shownOf(hand)]));
    this.dispatchEvent(new CustomEvent("change-values", { detail: values }));
  }

  private typed(hand: Hand, event: Event): void {
    this.hold(hand, stepped(Number((event.target as HTMLInputElement).value), this.scale));
    clearTimeout(this.sending);
    this.sending = setTimeout(() => this.send(), rest);
  }

  // Sends what keys have chosen, unless it was sent.
  private rested(): void {
    if (this.sending !== undefined) this.send();
  }

  private gestureOf(key: string): TrackGesture {
    let gesture = this.gestures.get(key);
    if (!gesture) this.gestures.set(key, (gesture = new TrackGesture(this.trackOf(key))));
    return gesture;
  }

  private trackOf(key: string): Track {
    const hand = () => this.hands.find((each) => each.key === key);
    const isFree = () => !this.disabled;
    let from = { value: 0, angle: 0, earlier: undefined as Record<string, number> | undefined };
    const angle = (x: number, y: number) => {
      const { left, top, width, height } = (this.renderRoot.querySelector(".dial") as HTMLElement).getBoundingClientRect();
      return angleAt(x - left - width / 2, y - top - height / 2);
    };
    const over = () => {
      this.moved = "";
    };
    const putBack = () => {
      over();
      this.settling.hold(from.earlier);
      if (from.earlier) this.settling.wait();
    };
    return {
      get isFree() {
        return isFree();
      },
      waits: false,
      begin: (x, y) => {
        const meant = hand();
        if (!meant) return;
        this.rested();
        this.settling.stop();
        from = { value: this.shownOf(meant), angle: angle(x, y), earlier: this.settling.chosen };
        this.moved = key;
      },
      move: (x, y) => {
        const meant = hand();
        if (meant) this.hold(meant, dragged(from.value, from.angle, angle(x, y), this.scale));
      },
      end: () => {
        const meant = hand();
        if (!meant || this.shownOf(meant) === from.value) return putBack();
        over();
        this.send();
      },
      cancel: putBack,
      tap: () => undefined,
    };
  }

  private ring(): TemplateResult {
    const angles = this.hands.map((hand) => angleOf(this.shownOf(hand), this.scale));
    const [first = 0, second] = angles;
    const look = this.hands[0]?.look ?? "";
    // The temperature that is heated up to, or cooled down to; of two the range between them.
    const filled =
      second !== undefined
        ? svg`<path class="between" d=${arc(first, Math.max(second, first + 0.01), radius)} />`
        : svg`<path class=${look} d=${look === "cool" ? arc(first, Math.max(sweep, first + 0.01), radius) : arc(0, Math.max(first, 0.01), radius)} />`;
    const tick = this.now === undefined ? undefined : angleOf(this.now, this.scale);
    const [inner, outer] = tick === undefined ? [] : [pointAt(tick, radius - 16), pointAt(tick, radius - 10)];
    return svg`
      <path d=${arc(0, sweep, radius)} />
      ${filled}
      ${inner && outer ? svg`<line class="now" x1=${inner.x} y1=${inner.y} x2=${outer.x} y2=${outer.y} />` : nothing}
      ${this.hands.map((hand, index) => {
        const { x, y } = pointAt(angles[index] as number, radius);
        return svg`<circle class=${hand.look} cx=${x} cy=${y} r="9" />`;
      })}
    `;
  }

  private hand(hand: Hand): TemplateResult {
    const value = this.shownOf(hand);
    const { x, y } = pointAt(angleOf(value, this.scale), radius);
    const percent = (part: number) => `${50 + (part / size) * 100}%`;
    const gesture = this.gestureOf(hand.key);
    return html`<label
      ${styles({ "--x": percent(x), "--y": percent(y) })}
      @pointerdown=${gesture}
      @pointermove=${gesture}
      @pointerup=${gesture}
      @pointercancel=${gesture}
      @lostpointercapture=${gesture}
      @mousedown=${gesture}
      @contextmenu=${gesture}
      @click=${gesture}
    >
      <span class="visually-hidden">${hand.label}</span>
      <input
        type="range"
        aria-valuetext=${this.text(value)}
        min=${this.min}
        max=${this.max}
        step=${this.step}
        .value=${String(value)}
        ?disabled=${this.disabled}
        @input=${(event: Event) => this.typed(hand, event)}
        @blur=${() => this.rested()}
      />
    </label>`;
  }

  override render() {
    const isTwo = this.hands.length > 1;
    return html`<div class="dial">
      <svg viewBox="-100 -100 200 200" aria-hidden="true">${this.ring()}</svg>
      <div class="middle">
        <div class="aim ${isTwo ? "two" : ""}" aria-hidden="true">
          ${this.hands.map((hand) => this.text(this.shownOf(hand))).join(" – ")}
        </div>
        <div class="said" aria-hidden="true">${this.said}</div>
      </div>
      ${this.hands.map((hand) => this.hand(hand))}
    </div>`;
  }
}
