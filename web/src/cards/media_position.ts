// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Entity } from "../api/types";
import type { Slider } from "../elements/fields/slider";
import { styles } from "../elements/styles_directive";
import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { numberIn, textIn } from "./attributes";
import "../elements/fields/slider";

// Milliseconds: how often what plays moves on; how long a chosen place is shown while nothing is reported.
const pace = 1000;
const patience = 5000;
// Seconds by which a player may miss the place that it was sent to.
const near = 3;
// As many places of a long film a finger or the keys can reach.
const places = 400;

// "3:34", "1:02:05".
function playTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

// Where a player is in what it plays: it goes on by itself from what was last reported. Nothing if the player does not say how long that
// is. Fires `seek` with the wanted seconds as detail, and `unreported` if nothing came of it.
@customElement("hearth-media-position")
export class MediaPosition extends LitElement {
  @property({ attribute: false }) entity!: Entity;
  // The accessible name.
  @property() label = "";
  @property({ type: Boolean }) seekable = false;
  @state() private sought: { to: number; since: number } | undefined;
  private reported = "";
  private ticking: ReturnType<typeof setInterval> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      .bar {
        height: 0.45rem;
        margin: 0.6rem 0;
        border-radius: 999px;
        background: linear-gradient(var(--accent) 0 0) 0 / var(--share) 100% no-repeat var(--surface-2);
      }

      .times {
        display: flex;
        justify-content: space-between;
        margin-top: -0.25rem;
        color: var(--text-2);
        font-size: 0.85rem;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  override willUpdate(): void {
    const { state, attributes } = this.entity;
    const reported = JSON.stringify([state, attributes.media_position, attributes.media_position_updated_at, attributes.media_title]);
    if (reported !== this.reported) this.settle();
    this.reported = reported;
  }

  override updated(): void {
    const runs = this.entity.state === "playing" && this.duration > 0 && this.isConnected;
    if (!runs) this.stop();
    else this.ticking ??= setInterval(() => this.requestUpdate(), pace);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    this.settle();
  }

  // Gives up the place that was chosen, for when the hub refused it.
  reset(): void {
    this.settle();
    this.renderRoot.querySelector<Slider>("hearth-slider")?.reset();
  }

  private settle(): void {
    clearTimeout(this.settling);
    this.sought = undefined;
  }

  private stop(): void {
    clearInterval(this.ticking);
    this.ticking = undefined;
  }

  private get duration(): number {
    return numberIn(this.entity, "media_duration") ?? 0;
  }

  // Seconds. What plays has moved on since then, by the clocks of the hub and of this device.
  private get position(): number {
    const told = Date.parse(textIn(this.entity, "media_position_updated_at"));
    const from = this.sought?.to ?? numberIn(this.entity, "media_position") ?? 0;
    const since = this.sought?.since ?? told;
    const runs = this.entity.state === "playing" && !Number.isNaN(since);
    const passed = runs ? Math.max(0, Date.now() - since) / 1000 : 0;
    return Math.min(this.duration, from + passed);
  }

  private seek(to: number): void {
    clearTimeout(this.settling);
    this.sought = { to, since: Date.now() };
    this.settling = setTimeout(() => this.giveUp(to), patience);
    this.dispatchEvent(new CustomEvent<number>("seek", { detail: to }));
  }

  private giveUp(to: number): void {
    const shown = this.position;
    this.reset();
    const isThere = Math.abs(this.position - shown) <= near || Math.abs(this.position - to) <= near;
    if (!isThere) this.dispatchEvent(new CustomEvent("unreported", { bubbles: true, composed: true }));
  }

  override render() {
    const { duration, position } = this;
    if (duration <= 0) return nothing;
    const text = (seconds: number) => t("media.at", { position: playTime(seconds), duration: playTime(duration) });
    const times = html`<div class="times" aria-hidden="true"><span>${playTime(position)}</span><span>${playTime(duration)}</span></div>`;
    if (!this.seekable) {
      return html`<div
          class="bar"
          role="progressbar"
          aria-label=${this.label}
          aria-valuemin="0"
          aria-valuemax=${Math.round(duration)}
          aria-valuenow=${Math.round(position)}
          aria-valuetext=${text(position)}
          ${styles({ "--share": `${(100 * position) / duration}%` })}
        ></div>
        ${times}`;
    }
    return html`<hearth-slider
        .label=${this.label}
        .max=${Math.floor(duration)}
        .step=${Math.max(1, Math.floor(duration / places))}
        .value=${position}
        .text=${text}
        @change-value=${(event: CustomEvent<number>) => this.seek(event.detail)}
      ></hearth-slider>
      ${times}`;
  }
}
