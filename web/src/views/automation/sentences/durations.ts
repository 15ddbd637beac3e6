// SPDX-License-Identifier: Apache-2.0
// Durations and offsets as automations write them, and as one number and its unit.
import { isConfig } from "./edit";

const lengths = { seconds: 1, minutes: 60, hours: 3600, days: 86400 } as const;
export type Unit = keyof typeof lengths;
export const units = Object.keys(lengths) as Unit[];

export interface Duration {
  amount: number;
  unit: Unit;
}

export interface Offset extends Duration {
  before: boolean;
}

// In seconds: of 90, "90", "00:01:30", "1:30", { minutes: 1, seconds: 30 }; undefined for templates and what is none.
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string") return secondsOfText(value.trim());
  if (!isConfig(value)) return undefined;
  let seconds = 0;
  for (const [unit, part] of Object.entries(value)) {
    const length = unit === "milliseconds" ? 0.001 : Object.hasOwn(lengths, unit) ? lengths[unit as Unit] : undefined;
    const amount = typeof part === "number" ? part : typeof part === "string" && part.trim() !== "" ? Number(part) : NaN;
    if (length === undefined || !Number.isFinite(amount)) return undefined;
    seconds += amount * length;
  }
  return seconds;
}

function secondsOfText(text: string): number | undefined {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = /^([+-]?)(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(text);
  if (!parts) return undefined;
  const seconds = Number(parts[2]) * 3600 + Number(parts[3]) * 60 + Number(parts[4] ?? 0);
  return parts[1] === "-" ? -seconds : seconds;
}

// In the largest unit in which it is a whole number: 90 seconds, but 2 hours.
export function durationOf(value: unknown): Duration | undefined {
  const seconds = secondsOf(value);
  if (seconds === undefined || seconds < 0) return undefined;
  const unit = seconds === 0 ? "seconds" : (units.findLast((one) => seconds % lengths[one] === 0) ?? "seconds");
  return { amount: seconds / lengths[unit], unit };
}

export function writeDuration({ amount, unit }: Duration): Record<string, number> {
  return { [unit]: amount };
}

export function offsetOf(value: unknown): Offset | undefined {
  const seconds = secondsOf(value);
  const length = seconds === undefined ? undefined : durationOf(Math.abs(seconds));
  return length && { ...length, before: (seconds as number) < 0 };
}

// "-00:30:00"
export function writeOffset({ amount, unit, before }: Offset): string {
  const seconds = Math.round(amount * lengths[unit]);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${before ? "-" : ""}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
