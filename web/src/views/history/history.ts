// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { isMeasured, type Sample } from "../../api/samples";
import { Track } from "../../api/track";
import { stateText } from "../../cards/state_text";
import { HomeController } from "../../elements/controllers";
import { entityChoices } from "../../elements/home_choices";
import { notifyDone } from "../../elements/notify";
import { formatDateTime, t } from "../../i18n/catalogue";
import { onNavigation, query, setQuery } from "../../router";
import { shared } from "../../styles/shared";
import { csvOf, download } from "./csv";
import { lengths, limitsOf, parametersOf, spanOf, wallTime, type Length, type Span } from "./span";
import "../../elements/action";
import "../../elements/bands";
import "../../elements/curve";
import "../../elements/picker";
import "../../elements/segments";
import "./own_span";
import "./sample_table";

// While things change, the plots are drawn this often; while nothing does, time still moves. Milliseconds.
const drawInterval = 2000;
const tick = 15_000;
// What begins this late after the span was not known at its start. Seconds.
const late = 60;

interface Drawn {
  id: string;
  name: string;
  samples: Sample[];
}

// What the states were: `?entity=a,b&span=24h` in the address, or `from` and `to` instead of `span`.
@customElement("hearth-history")
export class History extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private ids: string[] = [];
  @state() private span: Span = { length: "24h" };
  @state() private own = false;
  @state() private problem = "";
  @state() private loading = false;
  @state() private now = Date.now() / 1000;
  // What the fields of a span of one's own begin with; it does not move on while somebody writes.
  private offered = { start: 0, end: 0 };
  private track!: Track;
  private stops: Unsubscribe[] = [];
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  // Drawing anew would take the values away that somebody reads.
  private reading = false;

  static override styles = [
    shared,
    css`
      .controls {
        display: grid;
        gap: 1rem;
        margin: 1rem 0 1.2rem;
      }

      .plots {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.2rem;
      }

      .card h2 {
        margin-bottom: 0.5rem;
      }

      hearth-curve {
        --plot-height: 18rem;
      }

      .notes {
        margin: 0;
        padding-left: 1.2rem;
        overflow-wrap: anywhere;
      }

      .empty {
        padding: 3rem 1rem;
        text-align: center;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.track = new Track(
      this.home,
      () => this.drawSoon(),
      () => void this.load(),
    );
    this.stops = [
      onNavigation(() => this.readAddress()),
      this.home.on("connection", () => this.home.connectionState === "connected" && void this.load()),
    ];
    this.ticking = setInterval(() => this.draw(), tick);
    this.readAddress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    clearInterval(this.ticking);
    clearTimeout(this.drawing);
    this.drawing = undefined;
    this.track.stop();
  }

  private readAddress(): void {
    if (!location.pathname.startsWith("/history")) return;
    const parameters = query();
    this.ids = [...new Set((parameters.get("entity") ?? "").split(",").filter(Boolean))];
    this.span = spanOf(parameters);
    this.own = this.own || !("length" in this.span);
    this.offered = limitsOf(this.span, Date.now() / 1000);
    this.track.follow(this.ids);
    void this.load();
  }

  private async load(): Promise<void> {
    this.problem = "";
    this.loading = true;
    this.now = Date.now() / 1000;
    const { start, end } = limitsOf(this.span, this.now);
    try {
      if (!(await this.track.load(this.ids, start, end))) return;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.loading = false;
  }

  private drawSoon(): void {
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      this.draw();
    }, drawInterval);
  }

  private draw(): void {
    if (!this.reading) this.now = Date.now() / 1000;
  }

  private choose(ids: string[]): void {
    setQuery({ entity: ids.join(",") || undefined });
  }

  private chooseSpan(id: string): void {
    this.own = id === "own";
    this.offered = limitsOf(this.span, Date.now() / 1000);
    if (id !== "own") setQuery(parametersOf({ length: id as Length }));
  }

  private export(all: Drawn[]): void {
    const day = wallTime(this.now, this.home.configuration.time_zone).slice(0, 10);
    download(`history-${day}.csv`, csvOf(new Map(all.map(({ id, samples }) => [id, samples]))));
    const isEmpty = all.every(({ samples }) => samples.length === 0);
    notifyDone(isEmpty ? t("history.exportedEmpty") : t("history.exported"));
  }

  override render() {
    const { start, end } = limitsOf(this.span, this.now);
    const all = this.ids.map((id) => ({ id, name: this.home.nameOf(id), samples: this.track.samples(id, start, end) }));
    return html`
      <div class="spread">
        <h1>${t("page.history")}</h1>
        <div class="row">
          <hearth-action .label=${t("history.reload")} .run=${() => this.load()}></hearth-action>
          <button type="button" ?disabled=${all.length === 0} @click=${() => this.export(all)}>${t("history.exportCsv")}</button>
        </div>
      </div>
      <div class="controls">
        <hearth-picker
          multiple
          .label=${t("history.entities")}
          .placeholder=${t("history.entitiesHint")}
          .chosen=${this.ids}
          .choices=${() => entityChoices(this.home)}
          .nameOf=${(id: string) => this.home.nameOf(id)}
          @change-chosen=${(event: CustomEvent<string[]>) => this.choose(event.detail)}
        ></hearth-picker>
        <div>
          <hearth-segments
            .label=${t("history.span")}
            .options=${[...Object.keys(lengths), "own"].map((id) => ({ id, name: t(`history.span.${id as Length | "own"}`) }))}
            .chosen=${this.own ? "own" : "length" in this.span ? this.span.length : "own"}
            @choose=${(event: CustomEvent<string>) => this.chooseSpan(event.detail)}
          ></hearth-segments>
        </div>
        ${this.own
          ? html`<hearth-own-span
              .start=${this.offered.start}
              .end=${this.offered.end}
              .timeZone=${this.home.configuration.time_zone}
              @choose=${({ detail }: CustomEvent<{ from: number; to: number }>) => setQuery(parametersOf(detail))}
            ></hearth-own-span>`
          : nothing}
      </div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.content(all, start, end)}
    `;
  }

  private content(all: Drawn[], start: number, end: number): TemplateResult {
    if (all.length === 0) return html`<div class="card empty"><p class="muted">${t("history.pick")}</p></div>`;
    if (this.loading && !this.track.ready) return html`<p role="status">${t("app.loading")}</p>`;
    const byUnit = new Map<string, Drawn[]>();
    const states: Drawn[] = [];
    for (const drawn of all) {
      if (drawn.samples.length === 0) continue;
      const entity = this.home.entity(drawn.id);
      if (!isMeasured(entity, drawn.samples)) states.push(drawn);
      else {
        const unit = entity?.attributes.unit_of_measurement;
        const name = typeof unit === "string" ? unit : "";
        byUnit.set(name, [...(byUnit.get(name) ?? []), drawn]);
      }
    }
    return html`<div
      class="plots"
      @pointerenter=${() => (this.reading = true)}
      @pointerleave=${() => {
        this.reading = false;
        this.draw();
      }}
    >
      ${[...byUnit].map(([unit, lines]) => this.curves(unit, lines, start, end))}
      ${states.length > 0 ? this.bands(states, start, end) : nothing} ${this.notes(all, start)}
    </div>`;
  }

  // Of what less is known than was asked for.
  private notes(all: Drawn[], start: number): TemplateResult | typeof nothing {
    const notes = all.flatMap(({ id, name, samples }) => {
      const first = samples[0]?.time;
      if (first === undefined) return [t("history.nothingKnown", { name })];
      if (!this.track.recorded(id)) return [t("history.notRecorded", { name })];
      if (first <= start + late) return [];
      return [t("history.knownSince", { name, time: formatDateTime(new Date(first * 1000), this.home.configuration.time_zone) })];
    });
    return notes.length === 0 ? nothing : html`<ul class="notes muted">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  }

  private textOf({ id }: Drawn): (state: string) => string {
    const entity = this.home.entity(id);
    return (state) => (entity ? stateText(this.home, entity, state) : state);
  }

  private curves(unit: string, lines: Drawn[], start: number, end: number): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const heading = lines.length === 1 ? (lines[0] as Drawn).name : unit ? t("history.measured", { unit }) : t("history.numbers");
    return html`<section class="card" aria-label=${heading}>
      <h2>${heading}</h2>
      <hearth-curve .lines=${lines} .unit=${unit} .start=${start} .end=${end} .timeZone=${zone}></hearth-curve>
      <hearth-sample-table .rows=${lines.map((line) => ({ ...line, text: this.textOf(line) }))} .timeZone=${zone}></hearth-sample-table>
    </section>`;
  }

  private bands(states: Drawn[], start: number, end: number): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const bands = states.map((band) => ({ ...band, text: this.textOf(band) }));
    const heading = states.length === 1 ? (states[0] as Drawn).name : t("history.states");
    return html`<section class="card" aria-label=${heading}>
      <h2>${heading}</h2>
      <hearth-bands .bands=${bands} .start=${start} .end=${end} .timeZone=${zone}></hearth-bands>
      <hearth-sample-table .rows=${bands} .timeZone=${zone}></hearth-sample-table>
    </section>`;
  }
}
