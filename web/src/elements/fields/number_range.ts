// SPDX-License-Identifier: Apache-2.0
import { t } from "../../i18n/catalogue";

// Characters of a number without limits, and the most for which room is made.
const usual = 5;
const mostDigits = 18;

// The words about a text that is no number within these limits.
export function outOfRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return t("form.range", { min, max });
  if (min !== undefined) return t("form.atLeast", { min });
  return max === undefined ? t("form.number") : t("form.atMost", { max });
}

const decimalsOf = (value: number): number => /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0;

// How many characters a field of such a number must show, as the style that `input[type="number"]` of styles/shared.ts reads: of the
// widest value between the limits, and of the one that is there.
export function digits(
  limits: { min?: number | undefined; max?: number | undefined; step?: number | "any" | undefined },
  value: unknown = "",
): { "--digits": string } {
  const { min, max, step } = limits;
  const ends = [min, max].filter((end) => end !== undefined);
  const decimals = Math.max(0, ...ends.map(decimalsOf), ...(typeof step === "number" ? [decimalsOf(step)] : []));
  const least = min === undefined || max === undefined ? usual : 3;
  const widest = Math.max(least, String(value ?? "").length, ...ends.map((end) => end.toFixed(Math.min(decimals, 10)).length));
  return { "--digits": String(Math.min(widest, mostDigits)) };
}
