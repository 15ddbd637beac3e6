// SPDX-License-Identifier: Apache-2.0
// What the home offers for slots, and how it is called.
import { deviceName as nameOfDevice } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { Entity, Services } from "../../../api/types";
import { formatDuration, formatNumber, formatTime, maybeT, t } from "../../../i18n/catalogue";
import { stateText, withUnit } from "../../../cards/state_text";
import { isEntityId, isShifted, isTemplate, isTime, targetKeys } from "./classify";
import { deviceWords } from "./devices/device_words";
import { offsetOf, secondsOf } from "./durations";
import { purposeOf, doesOf } from "./purpose_words";
import { sideOf, sideOptions } from "./slots/slots";
import { at, isConfig, pathOf, type Config } from "./edit";
import type { Slot } from "./kinds";
import { listOf, textsOf } from "./modern";
import { edgesOf } from "./threshold";

// What sentences know of the home.
export interface Knowledge {
  home: Pick<Home, "entity" | "entities" | "nameOf" | "kinds" | "registry" | "devices" | "areas" | "floors" | "configuration">;
  services: Services;
  labels: { label_id: string; name: string }[];
  // The ids of the item's triggers, with what they say.
  triggers: [id: string, text: string][];
}

export function entitiesOf(config: Config): string[] {
  return textsOf(config.entity_id) ?? [];
}

export function domainsOfIds(ids: string[]): string[] {
  return [...new Set(ids.map((id) => id.slice(0, id.indexOf("."))))];
}

export function domainName(domain: string): string {
  return maybeT(`domain.${domain}`) ?? maybeT(`derived.${domain}`) ?? domain;
}

function asIf(home: Knowledge["home"], id: string, state: string): string {
  const known = home.entity(id);
  const entity = { ...(known ?? { entity_id: id, attributes: {} }), state } as Entity;
  return stateText(home as Home, entity) || state;
}

// The values of the entity's state, as people say them: those that its kind has, or that were named for it.
export function statesOf(home: Knowledge["home"], ids: string[]): string[] {
  const found = new Set<string>();
  for (const id of ids) {
    const domain = id.slice(0, id.indexOf("."));
    const value = home.kinds.get(domain)?.value;
    const own = home.entity(id)?.attributes[value?.from?.options ?? "options"];
    for (const state of value?.selector.select?.options ?? []) found.add(state);
    if (Array.isArray(own)) for (const state of own) found.add(String(state));
    if (domain === "automation" || domain === "script" || domain === "group") for (const state of ["on", "off"]) found.add(state);
    if (domain === "sun") for (const state of ["above_horizon", "below_horizon"]) found.add(state);
    if (domain === "person" || domain === "device_tracker") for (const state of ["home", "not_home", ...zonesOf(home)]) found.add(state);
  }
  return found.size > 0 ? [...found, "unavailable", "unknown"] : [];
}

function zonesOf(home: Knowledge["home"]): string[] {
  return [...home.entities.keys()].filter((id) => id.startsWith("zone.") && id !== "zone.home").map((id) => home.nameOf(id));
}

export function stateWord(home: Knowledge["home"], ids: string[], state: unknown): string {
  if (state === null || state === undefined) return "";
  return ids[0] === undefined ? String(state) : asIf(home, ids[0], String(state));
}

export function unitOfEntity(home: Knowledge["home"], ids: string[], attribute: unknown): string {
  const unit = attribute === undefined ? home.entity(ids[0] ?? "")?.attributes.unit_of_measurement : undefined;
  return typeof unit === "string" ? unit : "";
}

export function offsetText(value: unknown): string {
  const offset = offsetOf(value);
  return offset ? t(offset.before ? "sentence.earlier" : "sentence.later", { time: formatDuration(Math.abs(secondsOf(value) ?? 0)) }) : "";
}

export function timeText(know: Knowledge, value: unknown): string {
  if (isShifted(value)) return `${know.home.nameOf(value.entity_id)} – ${offsetText(value.offset)}`;
  if (!isTime(value)) return know.home.nameOf(String(value));
  const time = new Date(`1970-01-01T${value.padStart(value.indexOf(":") === 1 ? value.length + 1 : value.length, "0")}Z`);
  return Number.isNaN(time.getTime()) ? value : formatTime(time, "UTC", { timeStyle: /:\d\d:(?!00)/.test(value) ? "medium" : "short" });
}

export function weekdayName(day: string, style: "long" | "short" = "long"): string {
  const index = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].indexOf(day);
  return index < 0 ? day : formatTime(new Date(Date.UTC(2024, 0, 1 + index)), "UTC", { weekday: style });
}

// What a service is called: "Turn on – Light".
export function serviceName(services: Services, action: string): string {
  const [domain = "", name = ""] = action.split(".");
  const known = services[domain];
  const service = known && Object.hasOwn(known, name) ? known[name] : undefined;
  return service?.name || action;
}

// A list as a sentence has it: "A, B and 3 more" would hide something, so all of it.
function joined(list: string[], word: "conjunction" | "disjunction"): string {
  return new Intl.ListFormat(document.documentElement.lang || "en", { type: word }).format(list);
}

export function targetNames(know: Knowledge, target: unknown): string[] {
  if (!isConfig(target)) return [];
  return targetKeys.flatMap((key) => (textsOf(target[key]) ?? []).map((id) => targetName(know, key, id)));
}

export function targetName({ home, labels }: Knowledge, key: (typeof targetKeys)[number], id: string): string {
  switch (key) {
    case "entity_id":
      return id === "all" ? t("sentence.everything") : home.nameOf(id);
    case "device_id":
      return deviceName(home, id);
    case "area_id":
      return home.areas.get(id)?.name ?? id;
    case "floor_id":
      return home.floors.get(id)?.name ?? id;
    case "label_id":
      return labels.find(({ label_id }) => label_id === id)?.name ?? id;
  }
}

export function deviceName(home: Knowledge["home"], id: string): string {
  const device = home.devices.get(id);
  return device ? nameOfDevice(device) : t("sentence.unknownDevice", { id });
}

// What stands in a slot, as a sentence says it; "…" if nothing does yet.
export function slotText(know: Knowledge, slot: Slot, config: Config): string {
  const value = at(config, pathOf(slot.key));
  const text = valueText(know, slot, value, config);
  return text === "" ? "…" : text;
}

function valueText(know: Knowledge, slot: Slot, value: unknown, config: Config): string {
  const { home } = know;
  if (isTemplate(value)) return value;
  switch (slot.type) {
    case "entity":
      return joined((textsOf(value) ?? []).map((id) => home.nameOf(id)), "disjunction");
    case "state":
      if (value === undefined) return slot.nothing?.() ?? "";
      if (value === null) return slot.none?.() ?? "";
      return joined(listOf(value).map((state) => (config.attribute === undefined ? stateWord(home, entitiesOf(config), state) : String(state))), "disjunction");
    case "duration":
      return value === undefined ? "" : formatDuration(secondsOf(value) ?? 0);
    case "offset":
      return offsetText(value);
    case "time":
      return joined(listOf(value).map((time) => timeText(know, time)), "disjunction");
    case "weekday": {
      const days = textsOf(value) ?? [];
      return days.length === 0 ? t("sentence.never") : joined(days.map((day) => weekdayName(day)), "conjunction");
    }
    case "select":
      if (Array.isArray(value)) return joined(value.map((one) => valueText(know, slot, one, config)), "disjunction");
      return slot.options?.find((option) => option.value === value)?.text() ?? String(value ?? "");
    case "side":
      return sideOptions.find((option) => option.value === sideOf(config))?.text() ?? "";
    case "limit":
      if (isEntityId(value)) return home.nameOf(String(value));
      return value === null || value === undefined ? "" : withUnit(formatNumber(Number(value)), unitOfEntity(home, entitiesOf(config), config.attribute));
    case "number":
      return value === null || value === undefined ? "" : withUnit(formatNumber(Number(value)), slot.unit ?? "");
    case "boolean":
      return value === undefined ? "" : t(value === true ? "sentence.yes" : "sentence.no");
    case "call":
      return serviceName(know.services, String(value ?? ""));
    case "target":
      return joined(targetNames(know, value), slot.joins?.(config) ?? "conjunction");
    case "purpose": {
      const purpose = purposeOf(config);
      return purpose ? doesOf(purpose) : "";
    }
    case "threshold":
      return thresholdText(know, slot, value, config);
    case "device":
      return value === "" || value === undefined ? "" : deviceName(home, String(value));
    case "device_event":
      return deviceWords(know, config);
    case "area":
      return home.areas.get(String(value))?.name ?? String(value ?? "");
    case "pattern":
      return patternText(value);
    case "trigger_id":
      return joined(listOf(value).map((id) => know.triggers.find(([known]) => known === String(id))?.[1] ?? String(id)), "disjunction");
    case "yaml":
      return yamlText(value);
    default:
      return slot.open ? joined(listOf(value).map(String), "disjunction") : listOf(value).join(", ");
  }
}

// The unit of a limit: its own, that of what it is about, or the usual one.
export function limitUnit({ home }: Knowledge, { unit }: Slot, edge: Config, { target }: Config): string {
  if (typeof edge.unit_of_measurement === "string") return edge.unit_of_measurement;
  const own = unitOfEntity(home, isConfig(target) ? (textsOf(target.entity_id) ?? []) : [], undefined);
  return own || (unit === "°C" ? (home.configuration.unit_system.temperature ?? unit) : (unit ?? ""));
}

function thresholdText(know: Knowledge, slot: Slot, value: unknown, config: Config): string {
  const type = isConfig(value) ? value.type : slot.options?.[0]?.value === "any" ? "any" : undefined;
  const word = slot.options?.find((option) => option.value === type)?.text();
  if (word === undefined) return "";
  const limits = edgesOf(type).map((key) => {
    const edge = isConfig(value) && isConfig(value[key]) ? value[key] : {};
    if (typeof edge.entity === "string") return edge.entity === "" ? "…" : know.home.nameOf(edge.entity);
    const { number } = edge;
    return number === null || number === undefined || number === "" ? "…" : withUnit(formatNumber(Number(number)), limitUnit(know, slot, edge, config));
  });
  return [word, limits.join(` ${t(type === "outside" ? "purpose.to.outside" : "purpose.to.between")} `)].filter(Boolean).join(" ");
}

function patternText(value: unknown): string {
  const every = /^\/(\d+)$/.exec(String(value))?.[1];
  if (every) return t("sentence.every", { number: Number(every) });
  return value === "*" ? t("sentence.each") : t("sentence.at", { number: Number(value) });
}

function yamlText(value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => (typeof part === "object" ? "…" : String(part))).join(", ");
  if (isConfig(value)) return Object.entries(value).map(([key, part]) => `${key} = ${typeof part === "object" && part !== null ? "…" : String(part)}`).join(", ");
  return value === undefined || value === null ? "" : String(value);
}

