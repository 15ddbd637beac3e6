// SPDX-License-Identifier: Apache-2.0
// Words of a card that is drawn from a Kind.
import type { Home } from "../api/home";
import type { Entity, Kind, KindAction } from "../api/types";
import { formatNumber, formatTime, language, maybeT, t } from "../i18n/catalogue";
import { domainOf, wordKey } from "./domains";
import { unitOf } from "./kind_controls";
import { withUnit, word } from "./state_text";

// The words for a service's action; the hub's if there are none of ours.
export function actionWord(kind: Kind, { service, name }: Pick<KindAction, "service" | "name">): string {
  const key = wordKey(kind.domain, service);
  return key ? t(key) : name;
}

export function fieldWord(kind: Kind, field: string): string {
  const key = wordKey(kind.domain, field);
  if (key) return t(key);
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// One of what a value ("state") or an attribute can be.
export function optionWord(kind: Kind, attribute: string, option: string): string {
  if (attribute === "state") return word(kind.domain, option);
  return maybeT(`state.${attribute}.${option}`) ?? maybeT(`state.preset.${option}`) ?? word(kind.domain, option);
}

// A number of an attribute as a person says it.
export function quantity(home: Home, attribute: string, value: number, unit = ""): string {
  if (attribute === "volume_level") return withUnit(formatNumber(value * 100, { maximumFractionDigits: 0 }), "%");
  const own = attribute.includes("temperature") ? (home.configuration.unit_system.temperature ?? "°C") : "";
  return withUnit(formatNumber(value, { maximumFractionDigits: 3 }), unit || own);
}

// The words beside the value: " · 40%". A position says nothing at its ends, where the value says it.
export function besideText(home: Home, kind: Kind, entity: Entity): string {
  const said = (domainOf(kind.domain)?.beside ?? []).map((name) => {
    const value = entity.attributes[name];
    if (typeof value === "string" && value !== "") return optionWord(kind, name, value);
    if (typeof value !== "number" || (name === "current_position" && (value <= 0 || value >= 100))) return "";
    const attribute = kind.attributes.find((known) => known.name === name);
    return quantity(home, name, value, attribute && unitOf(attribute.selector));
  });
  return said
    .filter(Boolean)
    .map((text) => ` · ${text}`)
    .join("");
}

// A day or a moment as people name the day: "tomorrow", "Wed, 25 Nov".
export function dayText(home: Home, time: string): string {
  const dayOf = (moment: string) => (moment.length === 10 ? moment : localTime(home, moment).slice(0, 10));
  const day = dayOf(time);
  const away = (Date.parse(day) - Date.parse(dayOf(new Date().toISOString()))) / (24 * 3600 * 1000);
  if (Number.isNaN(away)) return time;
  if (away >= 0 && away <= 1) return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(away, "day");
  return formatTime(new Date(day), "UTC", {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(Math.abs(away) > 300 && { year: "numeric" }),
  });
}

// "07:30:00" as an input has it: without the seconds if they are none.
export function clockTime(state: string): string {
  return state.replace(/(\d\d:\d\d):00$/, "$1");
}

// "2026-12-28T09:00:00Z" by the home's clocks, as an input has it: "2026-12-28T10:00"; empty if it is no time.
export function localTime(home: Home, state: string): string {
  const time = new Date(state);
  if (Number.isNaN(time.getTime())) return "";
  const zone = { timeZone: home.configuration.time_zone };
  const format = new Intl.DateTimeFormat("sv-SE", { ...zone, dateStyle: "short", timeStyle: "medium" });
  return clockTime(format.format(time).replace(" ", "T"));
}

// A time as an input gives it, with the seconds that it leaves out if they are none.
export function sentTime(text: string): string {
  const time = text.replace("T", " ");
  return /(^| )\d\d:\d\d$/.test(time) ? `${time}:00` : time;
}
