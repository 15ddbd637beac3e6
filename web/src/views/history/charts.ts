// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { numberLines } from "../../api/attribute_numbers";
import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import { isMeasured, type Sample } from "../../api/samples";
import { Track } from "../../api/track";
import { stateText } from "../../cards/state_text";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import type { CsvSeries } from "./csv";
import { notesOf } from "./notes";
import { limitsOf, type Span } from "./span";
import "../../elements/charts/bands";
import "../../elements/charts/curve";
import "./sample_table";

// While things change, the plots are drawn this often; while nothing does, time still moves. Milliseconds.
const drawInterval = 2000;
const tick = 15_000;

interface Line {
  id: string;
  name: string;
  unit: string;
  samples: Sample[];
  text: (state: string) => string;
}

// States of entities in a span: numbers as curves, one plot for each unit, other states as bands. All of them have the same axis of
// time and one cross-hair.
@customElement("hearth-charts")
export class Charts extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) ids: string[] = [];
  @property({ attribute: false }) span: Span = { length: "24h" };
  @state() private problem = "";
  @state() private loading = false;
  @state() private now = Date.now() / 1000;
  private track: Track | undefined;
  private stop: Unsubscribe | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  // Drawing anew would take the values away that somebody reads.
  private reading = false;

  static override styles = [
    shared,
    css`
      .plots {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.2rem;
      }

      .card h2 {
        margin-bottom: 0.2rem;
      }

      hearth-curve {
        --plot-height: 18rem;
      }

      .notes {
        overflow-wrap: anywhere;
      }

      @media (max-width: 40rem) {
        .plots {
          gap: 0.8rem;
        }

        .card {
          padding: 0.8rem;
        }

        hearth-curve {
          --plot-height: 14rem;
        }
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
    this.stop = this.home.on("connection", () => this.home.connectionState === "connected" && void this.load());
    this.ticking = setInterval(() => this.draw(), tick);
    if (this.hasUpdated) this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    clearInterval(this.ticking);
    clearTimeout(this.drawing);
    this.drawing = undefined;
    this.track?.stop();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("ids") || changes.has("span")) this.begin();
  }

  private begin(): void {
    this.track?.follow(this.ids);
    void this.load();
  }

  private async load(): Promise<void> {
    this.problem = "";
    this.loading = true;
    this.now = Date.now() / 1000;
    const { start, end } = limitsOf(this.span, this.now);
    try {
      if (!(await this.track?.load(this.ids, start, end))) return;
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

  // All that is drawn, as it is drawn.
  series(): CsvSeries[] {
    const { start, end } = limitsOf(this.span, Date.now() / 1000);
    const { curves, bands } = this.lines(start, end);
    const order = new Map(this.ids.map((id, index) => [id, index]));
    return [...bands, ...curves].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  }

  private lines(start: number, end: number): { curves: Line[]; bands: Line[] } {
    const lines: { curves: Line[]; bands: Line[] } = { curves: [], bands: [] };
    for (const id of this.ids) {
      const samples = this.track?.samples(id, start, end) ?? [];
      if (samples.length === 0) continue;
      const entity = this.home.entity(id);
      const unit = entity?.attributes.unit_of_measurement;
      const line = {
        id,
        name: this.home.nameOf(id),
        unit: typeof unit === "string" ? unit : "",
        samples,
        text: (state: string) => (entity ? stateText(this.home, entity, state) : state),
      };
      (isMeasured(entity, samples) ? lines.curves : lines.bands).push(line);
      for (const { label, unit, samples: numbers } of numberLines(this.home, id, samples)) {
        const name = t("history.numberOf", { name: line.name, number: t(label) });
        lines.curves.push({ id, name, unit, samples: numbers, text: (state) => (state === "unavailable" ? "–" : `${state} ${unit}`) });
      }
    }
    return lines;
  }

  override render() {
    const { start, end } = limitsOf(this.span, this.now);
    if (this.loading && !this.track?.ready) return html`<p role="status">${t("app.loading")}</p>`;
    const { curves, bands } = this.lines(start, end);
    const units = [...new Set(curves.map(({ unit }) => unit))];
    return html`${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div
        class="plots"
        @pointerenter=${() => (this.reading = true)}
        @pointerleave=${() => {
          this.reading = false;
          this.draw();
        }}
      >
        ${units.map((unit) =>
          this.curves(
            unit,
            curves.filter((line) => line.unit === unit),
            start,
            end,
          ),
        )}
        ${bands.length > 0 ? this.bands(bands, start, end) : nothing} ${this.notes(start, end)}
      </div>`;
  }

  private notes(start: number, end: number): TemplateResult | typeof nothing {
    const { home, track } = this;
    const known = this.ids.map((id) => ({
      name: home.nameOf(id),
      first: track?.samples(id, start, end)[0]?.time,
      recorded: track?.recorded(id) ?? false,
    }));
    const notes = notesOf(known, start, home.configuration.time_zone);
    return notes.length === 0 ? nothing : html`<div class="notes muted">${notes.map((note) => html`<p>${note}</p>`)}</div>`;
  }

  private curves(unit: string, lines: Line[], start: number, end: number): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const heading = lines.length === 1 ? (lines[0] as Line).name : unit ? t("history.measured", { unit }) : t("history.numbers");
    return html`<section class="card" aria-label=${heading}>
      <h2>${heading}</h2>
      <hearth-curve group="history" .lines=${lines} .unit=${unit} .start=${start} .end=${end} .timeZone=${zone}></hearth-curve>
      <hearth-sample-table .rows=${lines} .timeZone=${zone}></hearth-sample-table>
    </section>`;
  }

  private bands(bands: Line[], start: number, end: number): TemplateResult {
    const zone = this.home.configuration.time_zone;
    const heading = bands.length === 1 ? (bands[0] as Line).name : t("history.states");
    return html`<section class="card" aria-label=${heading}>
      <h2>${heading}</h2>
      <hearth-bands group="history" .bands=${bands} .start=${start} .end=${end} .timeZone=${zone}></hearth-bands>
      <hearth-sample-table .rows=${bands} .timeZone=${zone}></hearth-sample-table>
    </section>`;
  }
}
