// SPDX-License-Identifier: Apache-2.0
// How the page Energy says amounts, money and times.
import type { EnergyReport } from "../../api/energy";
import type { Home } from "../../api/home";
import { formatNumber, formatTime, t } from "../../i18n/catalogue";

// Three digits are enough: 0.35, 12.4, 1,234.
export function amount(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${formatNumber(value, { maximumFractionDigits: digits })} ${unit}`;
}

export function money(exact: number, currency: string): string {
  const value = Math.round(exact * 100) / 100 + 0; // no −0
  try {
    return formatNumber(value, { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits: 2 });
  } catch {
    return `${formatNumber(value, { maximumFractionDigits: 2 })} ${currency}`;
  }
}

export function share(value: number): string {
  return formatNumber(value, { style: "percent", maximumFractionDigits: 0 });
}

// "+12 %" against the span before; undefined if there was nothing.
export function change(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  return formatNumber(now / before - 1, { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" });
}

const barFormats: Record<string, Intl.DateTimeFormatOptions> = {
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

export function barName(home: Home, report: EnergyReport, bar: number): string {
  const time = new Date(report.bars[bar] ?? 0);
  return formatTime(time, home.configuration.time_zone, barFormats[report.period] ?? barFormats.day);
}

export function nameOf(home: Home, { statistic_id, name }: { statistic_id: string; name?: string | null | undefined }): string {
  return name || (home.entity(statistic_id) ? home.nameOf(statistic_id) : statistic_id) || t("energy.unnamed");
}
