// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import { history, isMeasured, type Sample } from "../../api/history";
import type { Home } from "../../api/home";
import { stateText } from "../../cards/state_text";
import { EntityController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/bands";
import "../../elements/curve";

// The span that is shown, in seconds, and how often it moves on, in milliseconds.
const span = 24 * 3600;
const pace = 2000;
// A span that begins when the page was opened is at least this long, in seconds.
const shortest = 300;
const most = 20000;

// What an entity's states were in the last day, going on as they change.
@customElement("hearth-entity-history")
export class EntityHistory extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private samples: Sample[] | undefined;
  @state() private end = Date.now() / 1000;
  @state() private failure: unknown;
  private recorded = true;
  private turn = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  static override styles = [
    shared,
    css`
      :host {
        --plot-height: 11rem;
        min-height: 8rem;
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.go(), pace);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("entityId")) void this.load();
    this.take();
  }

  private async load(): Promise<void> {
    const turn = ++this.turn;
    this.samples = this.failure = undefined;
    this.end = Date.now() / 1000;
    try {
      const answer = await history(this.home, [this.entityId], new Date((this.end - span) * 1000), new Date());
      if (turn !== this.turn) return;
      this.recorded = answer !== undefined;
      this.samples = answer ? (answer.get(this.entityId) ?? []) : this.seen();
    } catch (error) {
      if (turn === this.turn) this.failure = error;
    }
  }

  // What this page has seen, and since when the state is what it is.
  private seen(): Sample[] {
    const entity = this.home.entity(this.entityId);
    if (!entity) return [];
    const { times, values } = this.home.recent.of(this.entityId);
    if (times.length > 0) return times.map((time, index) => ({ time, state: String(values[index]) }));
    return [{ time: entity.last_changed, state: entity.state }];
  }

  // Adds the state that is to those that were. Drawn at the next pace, so that a lively entity does not keep the page busy.
  private take(): void {
    const entity = this.home.entity(this.entityId);
    const last = this.samples?.at(-1);
    if (!entity || !this.samples || (last && (last.time >= entity.last_updated || last.state === entity.state))) return;
    this.samples.push({ time: entity.last_updated, state: entity.state });
    if (this.samples.length > most) this.samples.splice(0, this.samples.length - most);
  }

  private go(): void {
    const { samples } = this;
    // A curve that ends in the present is drawn anew only where that is seen.
    const moved = Date.now() / 1000 - this.end > (this.recorded ? 60 : 5);
    if (!samples || (!moved && (samples.at(-1)?.time ?? 0) <= this.end)) return;
    this.end = Date.now() / 1000;
    this.samples = [...samples];
  }

  override shouldUpdate(changes: Map<string, unknown>): boolean {
    if (changes.size > 0) return true;
    this.take();
    return false;
  }

  override render() {
    const { samples, end, home } = this;
    const entity = home.entity(this.entityId);
    if (this.failure !== undefined) return html`<p class="problem" role="alert">${errorText(this.failure)}</p>`;
    if (!samples || !entity) return nothing;
    const first = samples[0]?.time ?? end;
    const start = this.recorded ? end - span : Math.max(end - span, Math.min(first, end - shortest));
    const name = home.nameOf(this.entityId);
    const unit = entity.attributes.unit_of_measurement;
    const zone = home.configuration.time_zone;
    return html`
      ${this.recorded ? nothing : html`<p class="hint">${t("entity.notRecorded")}</p>`}
      ${isMeasured(entity, samples)
        ? html`<hearth-curve
            .lines=${[{ name, samples }]}
            .unit=${typeof unit === "string" ? unit : ""}
            .start=${start}
            .end=${end}
            .timeZone=${zone}
          ></hearth-curve>`
        : html`<hearth-bands
            .bands=${[{ name, samples, text: (state: string) => stateText(home, entity, state) }]}
            .start=${start}
            .end=${end}
            .timeZone=${zone}
          ></hearth-bands>`}
    `;
  }
}
