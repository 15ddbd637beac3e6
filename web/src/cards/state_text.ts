// SPDX-License-Identifier: Apache-2.0
// States as a person says them.
import type { Home } from "../api/home";
import { numberOf } from "../api/samples";
import type { Entity } from "../api/types";
import { formatDateTime, formatNumber, formatTime, language, maybeT, t } from "../i18n/catalogue";
import { onOffWords } from "./on_off_words";

const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;
const isDate = /^\d{4}-\d\d-\d\d$/;

// "21.5 °C", "45%"; in German "45 %".
export function withUnit(number: string, unit: unknown): string {
  if (typeof unit !== "string" || unit === "") return number;
  const joins = unit === "°" || (unit === "%" && language() === "en");
  return joins ? number + unit : `${number}\u00a0${unit}`;
}

// With as many decimals as the user wants, otherwise as it came with.
function measured(text: string, unit: unknown, wanted: unknown): string | undefined {
  const value = numberOf(text);
  if (value === undefined) return undefined;
  if (typeof wanted === "number" && wanted >= 0 && wanted <= 20) {
    return withUnit(formatNumber(value, { minimumFractionDigits: wanted, maximumFractionDigits: wanted }), unit);
  }
  const digits = /^[+-]?(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (!digits || (digits[1] as string).length > 15) return withUnit(text.trim(), unit);
  return withUnit(formatNumber(value, { minimumFractionDigits: Math.min(digits[2]?.length ?? 0, 20) }), unit);
}

// One of the values of a domain.
export function word(domain: string, state: string): string {
  return maybeT(`state.${domain}.${state}`) ?? maybeT(`state.${state}`) ?? state;
}

const isClock = /^\d\d:\d\d:\d\d$/;

function clockText(state: string): string {
  const time = new Date(`1970-01-01T${state}Z`);
  if (Number.isNaN(time.getTime())) return state;
  return formatTime(time, "UTC", { timeStyle: state.endsWith(":00") ? "short" : "medium" });
}

function timeText(home: Home, state: string): string | undefined {
  const zone = home.configuration.time_zone;
  const time = new Date(isDate.test(state) ? `${state}T00:00:00Z` : state);
  if (Number.isNaN(time.getTime())) return undefined;
  if (isDate.test(state)) return formatTime(time, "UTC", { dateStyle: "medium" });
  return isTime.test(state) ? formatDateTime(time, zone) : undefined;
}

export function stateText(home: Home, entity: Entity, state = entity.state): string {
  const domain = entity.entity_id.split(".")[0] as string;
  if (state === "unknown" && home.kinds.get(domain)?.value.stamped) return t("state.never");
  if (state === "unavailable" || state === "unknown") return word("", state);
  const { device_class, unit_of_measurement: unit, state_class } = entity.attributes;
  if (domain === "zone") {
    const count = numberOf(state);
    if (count !== undefined) return count === 0 ? t("zone.nobody") : t("zone.persons", { count });
  }
  if (domain === "binary_sensor") {
    const pair = typeof device_class === "string" && Object.hasOwn(onOffWords, device_class) ? onOffWords[device_class] : undefined;
    return (pair && maybeT(`binary.${pair}.${state}`)) ?? word(domain, state);
  }
  if (unit !== undefined || state_class !== undefined) {
    return measured(state, unit, home.registry.get(entity.entity_id)?.options[domain]?.display_precision) ?? state;
  }
  if (domain === "text") return entity.attributes.mode === "password" ? "••••••" : state;
  if (domain === "time" && isClock.test(state)) return clockText(state);
  const time = timeText(home, state);
  if (time !== undefined) return time;
  return domain === "sensor" ? state : word(domain, state);
}
