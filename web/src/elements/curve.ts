// SPDX-License-Identifier: Apache-2.0
import { customElement, property } from "lit/decorators.js";
import type UPlot from "uplot";

import { numberOf, type Sample } from "../api/history";
import { formatNumber, t } from "../i18n/catalogue";
import { Plot, indexAt, type Reading } from "./plot";

export const curveColours = 6;

export interface Line {
  name: string;
  // Oldest first. What is no number is a gap.
  samples: Sample[];
}

interface Points {
  times: number[];
  values: (number | null)[];
}

function pointsOf(line: Line, end: number): Points {
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (const { time, state } of line.samples) {
    const value = numberOf(state) ?? null;
    if (times.at(-1) === time) values[values.length - 1] = value; // uPlot wants each time once
    else {
      times.push(time);
      values.push(value);
    }
  }
  const last = times.at(-1);
  if (last !== undefined && last < end) {
    times.push(end);
    values.push(values.at(-1) ?? null);
  }
  return { times, values };
}

// Numbers over time: a value holds until the next one. All lines have the same unit; a page draws one curve for each unit. Its height is
// `--plot-height`.
@customElement("hearth-curve")
export class Curve extends Plot {
  @property({ attribute: false }) lines: Line[] = [];
  @property() unit = "";
  private points: Points[] = [];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("lines") || changes.has("end")) this.points = this.lines.map((line) => pointsOf(line, this.end));
  }

  private say(value: number | null | undefined): string {
    if (value === null || value === undefined) return "–";
    return `${formatNumber(value, { maximumSignificantDigits: 8 })}${this.unit && ` ${this.unit}`}`;
  }

  protected override summary(): string {
    return this.lines
      .map(({ name }, index) => {
        const values = (this.points[index] as Points).values.filter((value) => value !== null);
        if (values.length === 0) return t("curve.nothing", { name });
        const [low, high] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
        return t("curve.summary", { name, low: this.say(low), high: this.say(high), last: this.say(values.at(-1)) });
      })
      .join("; ");
  }

  private colourOf(index: number, colour: (token: string) => string): string {
    return colour(`--curve-${(index % curveColours) + 1}`);
  }

  protected override options(uplot: typeof UPlot, colour: (token: string) => string) {
    const axis: UPlot.Axis = {
      ...this.axis(),
      values: (_plot, splits) => splits.map((value) => formatNumber(value, { maximumSignificantDigits: 8 })),
      // As wide as its longest number.
      size: (plot, values) => {
        if (!values) return 40;
        const longest = values.reduce((long, text) => (text.length > long.length ? text : long), "");
        plot.ctx.font = `${12 * devicePixelRatio}px sans-serif`;
        return Math.ceil(plot.ctx.measureText(longest).width / devicePixelRatio) + 18;
      },
    };
    const stepped = uplot.paths.stepped?.({ align: 1 });
    const series = this.lines.map(({ name }, index): UPlot.Series => {
      const stroke = this.colourOf(index, colour);
      return {
        label: name,
        stroke,
        width: 2,
        points: { show: false },
        ...(stepped && { paths: stepped }),
        ...(this.lines.length === 1 && { fill: `${stroke}22` }),
      };
    });
    return {
      series: [{}, ...series],
      axes: [axis],
      scales: { y: { range: (_plot: UPlot, low: number | null, high: number | null) => rangeOf(low, high) } },
    };
  }

  protected override data(uplot: typeof UPlot): UPlot.AlignedData {
    return uplot.join(this.points.map(({ times, values }): UPlot.AlignedData => [times, values]));
  }

  protected override readingsAt(time: number, colour: (token: string) => string): Reading[] {
    return this.lines.map(({ name }, index) => {
      const { times, values } = this.points[index] as Points;
      return { name, text: this.say(values[indexAt(times, time)]), colour: this.colourOf(index, colour) };
    });
  }
}

// A tenth of air above and below; a flat line stands in the middle.
function rangeOf(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const air = (high - low) / 10 || Math.max(Math.abs(high) / 10, 1);
  return [low >= 0 && low < air ? 0 : low - air, high + air];
}
