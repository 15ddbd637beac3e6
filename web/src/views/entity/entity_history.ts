// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { numberLines } from "../../api/attribute_numbers";
import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { isMeasured, type Sample } from "../../api/samples";
import { Track } from "../../api/track";
import { stateText } from "../../cards/state_text";
import { formatDateTime, language, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/charts/bands";
import "../../elements/charts/curve";

// The span that is shown, in seconds; how often it moves on while the entity changes, and while it does not, in milliseconds.
const span = 24 * 3600;
const pace = 2000;
const idle = 60_000;
// A state that begins this late after the span was not known at its start, in seconds.
const late = 60;

// The states of an entity in the last day, going on as they change.
@customElement("hearth-entity-history")
export class EntityHistory extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private end = Date.now() / 1000;
  @state() private problem = "";
  private track: Track | undefined;
  private stop: Unsubscribe | undefined;
  private moving: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;

  static override styles = [
    shared,
    css`
      :host {
        --plot-height: 11rem;
        min-height: 8rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.ticking = setInterval(() => this.move(), idle);
    if (this.hasUpdated) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    clearTimeout(this.moving);
    this.moving = undefined;
    this.stop?.();
    this.track?.stop();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("entityId") || changes.has("home")) this.begin();
  }

  private begin(): void {
    this.stop?.();
    this.track?.stop();
    const { home } = this;
    // Drawn at a pace, so that a lively entity does not keep the page busy.
    const soon = () => (this.moving ??= setTimeout(() => this.move(), pace));
    this.track = new Track(home, soon, () => void this.load());
    this.track.follow([this.entityId]);
    this.stop = home.on("connection", () => home.connectionState === "connected" && void this.load());
    void this.load();
  }

  private async load(): Promise<void> {
    const { track } = this;
    const now = Date.now() / 1000;
    try {
      if (!(await track?.load([this.entityId], now - span, now)) || track !== this.track) return;
      this.problem = "";
    } catch (error) {
      this.problem = errorText(error);
    }
    this.move();
  }

  private move(): void {
    clearTimeout(this.moving);
    this.moving = undefined;
    this.end = Date.now() / 1000;
  }

  override render() {
    const { end, home, track } = this;
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    const entity = home.entity(this.entityId);
    if (!track?.ready || !entity) return nothing;
    const start = end - span;
    const samples = track.samples(this.entityId, start, end);
    const name = home.nameOf(this.entityId);
    const unit = entity.attributes.unit_of_measurement;
    const zone = home.configuration.time_zone;
    return html`
      ${isMeasured(entity, samples)
        ? html`<hearth-curve
            .lines=${[{ name, samples }]}
            group="entity"
            .unit=${typeof unit === "string" ? unit : ""}
            .start=${start}
            .end=${end}
            .timeZone=${zone}
          ></hearth-curve>`
        : html`<hearth-bands
            group="entity"
            .bands=${[{ name, samples, text: (state: string) => stateText(home, entity, state) }]}
            .start=${start}
            .end=${end}
            .timeZone=${zone}
          ></hearth-bands>`}
      ${this.numbers(samples, start, end)} ${this.note(track.recorded(this.entityId), samples[0]?.time ?? end, start)}
    `;
  }

  private numbers(samples: Sample[], start: number, end: number): TemplateResult[] {
    const lines = numberLines(this.home, this.entityId, samples).map((line) => ({ ...line, name: asHeading(t(line.label)) }));
    return [...new Set(lines.map(({ unit }) => unit))].map(
      (unit) =>
        html`<hearth-curve
          group="entity"
          .lines=${lines.filter((line) => line.unit === unit)}
          .unit=${unit}
          .start=${start}
          .end=${end}
          .timeZone=${this.home.configuration.time_zone}
        ></hearth-curve>`,
    );
  }

  private note(recorded: boolean, first: number, start: number): TemplateResult | typeof nothing {
    if (!recorded) return html`<p class="hint">${t("entity.notRecorded")}</p>`;
    if (first <= start + late) return nothing;
    const time = formatDateTime(new Date(first * 1000), this.home.configuration.time_zone);
    return html`<p class="hint">${t("entity.recordedSince", { time })}</p>`;
  }
}

function asHeading(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}
