// SPDX-License-Identifier: Apache-2.0
// Days as 2026-11-30, and the spans around them: steps of the page Energy. Plain dates know no zone.
import type { EnergySpan } from "../../api/energy";

const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);
const textOf = (day: Date) => day.toISOString().slice(0, 10);

// The first day of the span that contains it; weeks begin on Monday.
export function firstDay(date: string, span: EnergySpan): string {
  const day = dayOf(date);
  if (span === "week") day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  if (span === "month" || span === "year") day.setUTCDate(1);
  if (span === "year") day.setUTCMonth(0);
  return textOf(day);
}

// The first day of the span that is so many later.
export function stepped(date: string, span: EnergySpan, steps: number): string {
  const day = dayOf(firstDay(date, span));
  if (span === "day") day.setUTCDate(day.getUTCDate() + steps);
  if (span === "week") day.setUTCDate(day.getUTCDate() + 7 * steps);
  if (span === "month") day.setUTCMonth(day.getUTCMonth() + steps);
  if (span === "year") day.setUTCFullYear(day.getUTCFullYear() + steps);
  return textOf(day);
}

export function isDate(text: string | null): text is string {
  return text !== null && /^(19[789]|20|21)\d{1,2}-\d\d-\d\d$/.test(text) && text.length === 10 && !Number.isNaN(dayOf(text).getTime());
}
