// SPDX-License-Identifier: Apache-2.0
// A week of a schedule: of each day the stretches in which it is on, and what painting over parts of a day makes of them.
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];

// `data` is not shown, but kept.
export interface Stretch {
  from: string;
  to: string;
  data?: unknown;
}

export type Week = Record<Weekday, Stretch[]>;

// A cell of the grid, in minutes.
export const cell = 30;
export const cells = (24 * 60) / cell;

// "06:30" or "06:30:00" → 390; NaN if it is no time.
function minutesOf(time: string): number {
  const parts = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(time.trim());
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) + Number(parts[3] ?? 0) / 60 : NaN;
}

export function clock(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`;
}

export type Filled = "none" | "part" | "whole";

export function filled(stretches: Stretch[], index: number): Filled {
  const [start, end] = [index * cell, (index + 1) * cell];
  let covered = 0;
  for (const { from, to } of stretches) covered += Math.max(0, Math.min(end, minutesOf(to)) - Math.max(start, minutesOf(from))) || 0;
  return covered <= 0 ? "none" : covered >= cell - 0.001 ? "whole" : "part";
}

// The stretches with the cells from `first` to `last` on, or off. What has data keeps it, and is not joined with others.
export function painted(stretches: Stretch[], first: number, last: number, on: boolean): Stretch[] {
  const [start, end] = [first * cell, (last + 1) * cell];
  const rest = stretches.flatMap((stretch): Stretch[] => {
    const [from, to] = [minutesOf(stretch.from), minutesOf(stretch.to)];
    if (!(from < end && to > start)) return [stretch];
    if (on && stretch.data !== undefined) return [stretch];
    const before = from < start ? [{ ...stretch, to: clock(start) }] : [];
    const after = to > end ? [{ ...stretch, from: clock(end) }] : [];
    return [...before, ...after];
  });
  const added = on ? free(rest, start, end) : [];
  const sorted = [...rest, ...added].sort((a, b) => minutesOf(a.from) - minutesOf(b.from));
  return on ? joined(sorted) : sorted;
}

// The part of it that no stretch has yet.
function free(stretches: Stretch[], start: number, end: number): Stretch[] {
  const found: Stretch[] = [];
  let from = start;
  const inside = stretches
    .filter((each) => minutesOf(each.from) < end && minutesOf(each.to) > start)
    .sort((a, b) => minutesOf(a.from) - minutesOf(b.from));
  for (const each of inside) {
    if (minutesOf(each.from) > from) found.push({ from: clock(from), to: each.from });
    from = Math.max(from, minutesOf(each.to));
  }
  if (from < end) found.push({ from: clock(from), to: clock(end) });
  return found;
}

function joined(sorted: Stretch[]): Stretch[] {
  const found: Stretch[] = [];
  for (const stretch of sorted) {
    const last = found.at(-1);
    if (last && last.data === undefined && stretch.data === undefined && minutesOf(stretch.from) <= minutesOf(last.to))
      found[found.length - 1] = { ...last, to: minutesOf(stretch.to) > minutesOf(last.to) ? stretch.to : last.to };
    else found.push(stretch);
  }
  return found;
}

// 08:00:00 → 08:00
export function short(time: string): string {
  return time.replace(/^(\d+:\d\d):00$/, "$1");
}

export function textOf(stretches: Stretch[]): string {
  return stretches.map(({ from, to }) => `${short(from)}–${short(to)}`).join(", ");
}

// "06:30-08:00, 17:00-24:00", which the hub checks; what was there before keeps its data.
export function stretchesIn(text: string, former: Stretch[]): Stretch[] {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.map((part) => {
    const [from = "", to = ""] = part.split(/[-–]/).map((time) => time.trim());
    return former.find((each) => short(each.from) === short(from) && short(each.to) === short(to)) ?? { from, to };
  });
}
