// SPDX-License-Identifier: Apache-2.0
// Times as the home's clocks show them.
import { language } from "./catalogue";

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
