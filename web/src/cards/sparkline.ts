// SPDX-License-Identifier: Apache-2.0
// The small curve of a sensor's last hours: between the least and the greatest value of each period a band, and through their means a
// line. What the hub recorded and what the page has seen since are drawn alike, so the same signal looks the same after a reload.
import { recentSpan, type Curve } from "../api/recent_values";

// Times in seconds since 1970.
export interface Period {
  end: number;
  low: number;
  mean: number;
  high: number;
}

// The hub's statistics have periods of this length, in seconds. A page that has only seen something of its own takes shorter ones.
export const recordedLength = 300;
const mostPeriods = 36;

export const width = 88;
export const height = 32;

// Recorded periods, and the values that were reported after them, by periods that end at multiples of their length; oldest first.
// The last period may not be over yet. A period without a report keeps the value from before.
export function periodsOf(recorded: Period[], live: Curve, now: number): Period[] {
  const periods = recorded.filter(({ end }) => end > now - recentSpan);
  const begin = periods.at(-1)?.end ?? -Infinity;
  const from = live.times.findIndex((time) => time > begin);
  if (from < 0) return periods;
  const first = live.times[from] as number;
  const length = periods.length > 0 ? recordedLength : Math.max(0.001, (now - first) / mostPeriods);
  let held = periods.at(-1)?.mean;
  let index = from;
  for (let end = Math.ceil(first / length) * length; index < live.times.length || end - length < now; end += length) {
    const within: number[] = [];
    for (; index < live.times.length && (live.times[index] as number) <= end; index++) within.push(live.values[index] as number);
    if (within.length === 0 && held !== undefined) within.push(held);
    if (within.length === 0) continue;
    const mean = within.reduce((sum, value) => sum + value, 0) / within.length;
    periods.push({ end, low: Math.min(...within), mean, high: Math.max(...within) });
    held = within.at(-1);
  }
  return periods;
}

// The paths of band and line in a box of `width` and `height`. Empty if there is nothing to draw, or nothing has changed.
export function pathsOf(periods: Period[]): { band: string; line: string } {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || periods.length < 2) return { band: "", line: "" };
  const low = Math.min(...periods.map((period) => period.low));
  const high = Math.max(...periods.map((period) => period.high));
  if (high <= low) return { band: "", line: "" };
  const x = ({ end }: Period) => (((end - first.end) / (last.end - first.end)) * width).toFixed(1);
  const y = (value: number) => (2 + (1 - (value - low) / (high - low)) * (height - 4)).toFixed(1);
  const through = (points: string[]) => `M${points.join("L")}`;
  return {
    band: `${through([
      ...periods.map((period) => `${x(period)} ${y(period.high)}`),
      ...[...periods].reverse().map((period) => `${x(period)} ${y(period.low)}`),
    ])}Z`,
    line: through(periods.map((period) => `${x(period)} ${y(period.mean)}`)),
  };
}
