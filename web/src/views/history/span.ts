// SPDX-License-Identifier: Apache-2.0
// The spans of time of the page History.

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
