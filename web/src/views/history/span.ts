// SPDX-License-Identifier: Apache-2.0
// The spans of time of the page History, and times as the home's clocks show them.

const hour = 3600;

// Seconds up to now.
export const lengths = { "1h": hour, "6h": 6 * hour, "24h": 24 * hour, "7d": 7 * 24 * hour, "30d": 30 * 24 * hour } as const;
export type Length = keyof typeof lengths;

// Up to now, or between two times in seconds since 1970.
export type Span = { length: Length } | { from: number; to: number };

function isLength(text: string | null): text is Length {
  return text !== null && text in lengths;
}

export function spanOf(parameters: URLSearchParams): Span {
  const from = Date.parse(parameters.get("from") ?? "") / 1000;
  const to = Date.parse(parameters.get("to") ?? "") / 1000;
  if (from < to) return { from, to };
  const length = parameters.get("span");
  return { length: isLength(length) ? length : "24h" };
}

export function parametersOf(span: Span): Record<"span" | "from" | "to", string | undefined> {
  if ("length" in span) return { span: span.length, from: undefined, to: undefined };
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  return { span: undefined, from: iso(span.from), to: iso(span.to) };
}

// In seconds since 1970.
export function limitsOf(span: Span, now: number): { start: number; end: number } {
  return "length" in span ? { start: now - lengths[span.length], end: now } : { start: span.from, end: span.to };
}

// "2026-11-22T08:30", as <input type="datetime-local"> has it, by the clocks of a time zone.
export function wallTime(seconds: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(seconds * 1000);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

// The other way, in seconds since 1970; NaN where it is no time. Of an hour that the clocks show twice it is one, of one that they
// leave out the next.
export function fromWallTime(text: string, timeZone: string): number {
  const wanted = Date.parse(`${text}Z`) / 1000;
  let time = wanted;
  for (let turn = 0; turn < 2 && !Number.isNaN(time); turn += 1) {
    time += wanted - Date.parse(`${wallTime(time, timeZone)}Z`) / 1000;
  }
  return time;
}
