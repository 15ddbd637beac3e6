// SPDX-License-Identifier: Apache-2.0
import { customElement, property } from "lit/decorators.js";
import type UPlot from "uplot";

import type { Sample } from "../../api/samples";
import { t } from "../../i18n/catalogue";
import { curveColours } from "./curve";
import { Plot, beyond, indexAt, type Reading } from "./plot";
import { scale } from "./scale";

export interface Band {
  name: string;
  // Oldest first.
  samples: Sample[];
  // A state as a person says it.
  text: (state: string) => string;
}

interface Stretch {
  from: number;
  to: number;
  state: string;
}

// Quiet states, in which nothing happens, have no colour; lively ones have the first; others the next that is free.
const quiet = new Set(["off", "closed", "locked", "idle", "not_home", "docked", "standby", "paused", "below_horizon", "disarmed"]);
const lively = new Set(["on", "open", "unlocked", "home", "heat", "playing", "cleaning", "active", "above_horizon", "triggered"]);
const missing = new Set(["unavailable", "unknown"]);

// Consecutive samples of the same state make one stretch.
function stretchesOf(samples: Sample[], end: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { time, state } of samples) {
    const last = stretches.at(-1);
    if (last?.state === state) continue;
    if (last) last.to = time;
    stretches.push({ from: time, to: end, state });
  }
  return stretches;
}

// States over time, a band for each entity. Its height grows with the number of bands.
@customElement("hearth-bands")
export class Bands extends Plot {
  @property({ attribute: false }) bands: Band[] = [];
  private stretches: Stretch[][] = [];
  private colours = new Map<string, string>();

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("bands") && !changes.has("end")) return;
    this.stretches = this.bands.map(({ samples }) => stretchesOf(samples, this.end));
    this.style.setProperty("--plot-height", `${this.bands.length * 3 + 3.4}rem`);
    this.colours = new Map();
    let next = 2;
    for (const { state } of this.stretches.flat()) {
      if (this.colours.has(state) || quiet.has(state) || missing.has(state)) continue;
      this.colours.set(state, `--curve-${lively.has(state) ? 1 : next}`);
      if (!lively.has(state)) next = next === curveColours ? 2 : next + 1;
    }
  }

  protected override summary(): string {
    return this.bands
      .map(({ name, text }, index) => {
        const stretches = this.stretches[index] as Stretch[];
        const last = stretches.at(-1);
        if (!last) return t("curve.nothing", { name });
        return t("curve.changes", { name, count: stretches.length - 1, last: text(last.state) });
      })
      .join("; ");
  }

  private fillOf(state: string, colour: (token: string) => string): string {
    const token = this.colours.get(state);
    return missing.has(state) ? "transparent" : colour(token ?? "--surface-2");
  }

  protected override options(_uplot: typeof UPlot, colour: (token: string) => string) {
    const count = this.bands.length;
    return {
      series: [{}, ...this.bands.map((): UPlot.Series => ({ show: false }))],
      axes: [{ ...this.axis(), values: () => [], grid: { show: false }, ticks: { show: false } }], // keeps the room that curves have
      padding: [6, beyond, 0, 0].map((side) => side * scale()) as UPlot.Padding, // there is no unit above
      scales: { y: { range: [0, count] as UPlot.Range.MinMax } },
      hooks: { draw: [(plot: UPlot) => this.paint(plot, colour)] },
    };
  }

  protected override data(): UPlot.AlignedData {
    return [[this.start, this.end], ...this.bands.map(() => [null, null])];
  }

  private paint(plot: UPlot, colour: (token: string) => string): void {
    const { ctx, bbox } = plot;
    const dot = devicePixelRatio * scale();
    const row = bbox.height / this.bands.length;
    const label = this.bands.length > 1 ? 20 * dot : 0;
    const border = colour("--border-strong");
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${12 * dot}px ${colour("--font")}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    this.bands.forEach(({ name, text }, index) => {
      const top = bbox.top + row * index;
      if (label > 0) {
        ctx.fillStyle = colour("--text-2");
        ctx.fillText(name, bbox.left, top + label / 2);
      }
      const [y, height] = [top + label, row - label - 4 * dot];
      for (const { from, to, state } of this.stretches[index] as Stretch[]) {
        const left = Math.max(bbox.left, plot.valToPos(from, "x", true));
        const width = Math.max(plot.valToPos(to, "x", true) - left, dot);
        ctx.fillStyle = this.fillOf(state, colour);
        ctx.fillRect(left, y, width, height);
        if (!this.colours.has(state) && width > 2 * dot) {
          ctx.strokeStyle = border;
          ctx.lineWidth = dot;
          ctx.strokeRect(left + dot / 2, y + dot / 2, width - dot, height - dot);
        }
        const words = text(state);
        if (width < 24 * dot || ctx.measureText(words).width + 12 * dot > width) continue;
        ctx.fillStyle = colour(this.colours.has(state) ? "--accent-text" : "--text");
        ctx.fillText(words, left + 6 * dot, y + height / 2);
      }
    });
    ctx.restore();
  }

  protected override readingsAt(time: number, colour: (token: string) => string): Reading[] {
    return this.bands.map(({ name, text }, index) => {
      const stretches = this.stretches[index] as Stretch[];
      const stretch =
        stretches[
          indexAt(
            stretches.map(({ from }) => from),
            time,
          )
        ];
      return { name, text: stretch ? text(stretch.state) : "–", colour: stretch ? this.fillOf(stretch.state, colour) : "transparent" };
    });
  }
}
