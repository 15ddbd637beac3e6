// SPDX-License-Identifier: Apache-2.0
import { customElement, property } from "lit/decorators.js";
import type UPlot from "uplot";

import { numberOf, type Sample } from "../../api/samples";
import { formatNumber, t } from "../../i18n/catalogue";
import { Plot, indexAt, type Reading } from "./plot";
import { scale } from "./scale";

export const curveColours = 6;

export interface Line {
  name: string;
  // Oldest first. A state that is not a number is a gap.
  samples: Sample[];
}

interface Points {
  times: number[];
  values: (number | null)[];
  // The least and greatest values of each period; empty if unknown.
  ranges: Range[];
}

interface Range {
  from: number;
  to: number;
  low: number;
  high: number;
}

function pointsOf(line: Line, end: number): Points {
  const times: number[] = [];
  const values: (number | null)[] = [];
  const ranges: Range[] = [];
  line.samples.forEach(({ time, state, low, high }, index) => {
    const value = numberOf(state) ?? null;
    if (times.at(-1) === time)
      values[values.length - 1] = value; // uPlot takes each time only once
    else {
      times.push(time);
      values.push(value);
    }
    if (low === undefined || high === undefined) return;
    ranges.push({ from: time, to: line.samples[index + 1]?.time ?? end, low, high });
  });
  const last = times.at(-1);
  if (last !== undefined && last < end) {
    times.push(end);
    values.push(values.at(-1) ?? null);
  }
  return { times, values, ranges };
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
        const points = this.points[index] as Points;
        const [low, high] = limitsOf(points);
        if (low > high) return t("curve.nothing", { name });
        const last = points.values.findLast((value) => value !== null);
        return t("curve.summary", { name, low: this.say(low), high: this.say(high), last: this.say(last) });
      })
      .join("; ");
  }

  private colourOf(index: number, colour: (token: string) => string): string {
    return colour(`--curve-${(index % curveColours) + 1}`);
  }

  protected override options(uplot: typeof UPlot, colour: (token: string) => string) {
    const axis: UPlot.Axis = {
      ...this.axis(),
      values: (_plot, splits, _axis, _space, step) => splits.map((value) => axisNumber(value, step)),
    };
    const stepped = uplot.paths.stepped?.({ align: 1 });
    const series = this.lines.map(({ name }, index): UPlot.Series => {
      const stroke = this.colourOf(index, colour);
      return {
        label: name,
        stroke,
        width: 2 * scale(),
        points: { show: false },
        ...(stepped && { paths: stepped }),
        ...(this.lines.length === 1 && this.points[0]?.ranges.length === 0 && this.range()[0] === 0 && { fill: `${stroke}22` }),
      };
    });
    return {
      series: [{}, ...series],
      axes: [axis],
      scales: { y: { range: () => this.range() } },
      hooks: { drawAxes: [(plot: UPlot) => this.shade(plot, colour), (plot: UPlot) => this.nameUnit(plot, colour)] },
    };
  }

  private range(): [number, number] {
    return rangeOf(this.points.map(limitsOf));
  }

  // Above the axis.
  private nameUnit({ ctx, bbox }: UPlot, colour: (token: string) => string): void {
    const dot = devicePixelRatio * scale();
    ctx.save();
    ctx.font = `600 ${12 * dot}px ${colour("--font")}`;
    ctx.fillStyle = colour("--text-2");
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText(this.unit, bbox.left - 6 * dot, bbox.top - 9 * dot);
    ctx.restore();
  }

  // Shades the ranges behind each line.
  private shade(plot: UPlot, colour: (token: string) => string): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.points.forEach(({ ranges }, index) => {
      ctx.fillStyle = `${this.colourOf(index, colour)}44`;
      for (const { from, to, low, high } of ranges) {
        const [left, top] = [Math.round(plot.valToPos(from, "x", true)), plot.valToPos(high, "y", true)];
        ctx.fillRect(left, top, Math.round(plot.valToPos(to, "x", true)) - left, plot.valToPos(low, "y", true) - top);
      }
    });
    ctx.restore();
  }

  protected override data(uplot: typeof UPlot): UPlot.AlignedData {
    return uplot.join(this.points.map(({ times, values }): UPlot.AlignedData => [times, values]));
  }

  protected override readingsAt(time: number, colour: (token: string) => string): Reading[] {
    return this.lines.map(({ name }, index) => {
      const { times, values, ranges } = this.points[index] as Points;
      const range =
        ranges[
          indexAt(
            ranges.map(({ from }) => from),
            time,
          )
        ];
      const between = range && time < range.to ? ` (${this.say(range.low)} – ${this.say(range.high)})` : "";
      return { name, text: this.say(values[indexAt(times, time)]) + between, colour: this.colourOf(index, colour) };
    });
  }
}

// With the decimals that tell the steps apart; short, so that it fits beside the plot.
function axisNumber(value: number, step: number): string {
  if (Math.abs(value) >= 100_000) return formatNumber(value, { notation: "compact", maximumSignificantDigits: 4 });
  let decimals = 0;
  while (decimals < 8 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals += 1;
  return formatNumber(value, { maximumFractionDigits: decimals, useGrouping: false });
}

// The least and the greatest; the first is above the second if there is no value.
function limitsOf({ values, ranges }: Points): [number, number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  for (const { low, high } of ranges) {
    least = Math.min(least, low);
    greatest = Math.max(greatest, high);
  }
  return [least, greatest];
}

// Adds a margin of a tenth above and below; a flat line is in the middle.
function rangeOf(limits: [number, number][]): [number, number] {
  const low = Math.min(...limits.map(([least]) => least));
  const high = Math.max(...limits.map(([, greatest]) => greatest));
  if (low > high) return [0, 1];
  const air = (high - low) / 10 || Math.max(Math.abs(high) / 10, 1);
  return [low >= 0 && low < air ? 0 : low - air, high + air];
}
