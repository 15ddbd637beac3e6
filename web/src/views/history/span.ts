// SPDX-License-Identifier: Apache-2.0
// The spans of time of the page History, and times as the home's clocks show them.
import { language } from "../../i18n/catalogue";

const hour = 3600;
const day = 24 * hour;

// Seconds up to now.
export const lengths = { "1h": hour, "6h": 6 * hour, "24h": day, "7d": 7 * day, "30d": 30 * day, "1y": 365 * day } as const;
export type Length = keyof typeof lengths;

// Up to now, or between two times in seconds since 1970.
export type Span = { length: Length } | { from: number; to: number };

function isLength(text: string | null): text is Length {
  return text !== null && Object.hasOwn(lengths, text);
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

// The span so many lengths later, or earlier if `by` is negative; it does not reach beyond now.
export function moved(span: Span, by: number, now: number): Span {
  const { start, end } = limitsOf(span, now);
  const length = end - start;
  return upToNow(start + by * length, end + by * length, now);
}

// Twice as long, around the same middle.
export function widened(span: Span, now: number): Span {
  const { start, end } = limitsOf(span, now);
  const half = (end - start) / 2;
  return upToNow(start - half, end + half, now);
}

// Of the same length; one that ends now and has one of the lengths goes on with the time.
function upToNow(from: number, to: number, now: number): Span {
  const length = to - from;
  const end = Math.min(to, now);
  const known = (Object.keys(lengths) as Length[]).find((name) => Math.abs(lengths[name] - length) < length / 50);
  if (to >= now - length / 50 && known) return { length: known };
  return { from: Math.floor(end - length), to: Math.ceil(end) };
}

// "2026-11-22T08:30" by the clocks of a time zone.
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

const order = ["year", "month", "day", "hour", "minute"] as const;

// Day and time as numbers, as the page's language writes them; where that begins with the month, which some would read as the day, as
// ISO 8601 does.
function format(): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" };
  const make = (tag: string) => new Intl.DateTimeFormat(tag, { ...options, hourCycle: "h23", timeZone: "UTC" });
  const own = make(language());
  return own.formatToParts(0)[0]?.type === "month" ? make("sv") : own;
}

// "22.11.2026, 08:30" or "2026-11-22 08:30" for "2026-11-22T08:30".
export function written(wall: string): string {
  return format().format(Date.parse(`${wall}Z`));
}

// The other way; undefined where it is no time. ISO 8601 is understood in every language.
export function read(text: string): string | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  const isIso = /^\s*\d{4}\D/.test(text);
  const names = isIso
    ? order
    : format()
        .formatToParts(0)
        .flatMap(({ type }) => order.find((name) => name === type) ?? []);
  if (numbers.length !== order.length) return undefined;
  const part = (name: (typeof order)[number]) => (numbers[names.indexOf(name)] ?? "").padStart(2, "0");
  const wall = `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
  // The 31st of February would be the 3rd of March.
  const time = Date.parse(`${wall}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(wall) ? wall : undefined;
}
