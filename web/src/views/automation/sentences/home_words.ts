// SPDX-License-Identifier: Apache-2.0
// The names of what the home has, and of times.
import { deviceName as nameOfDevice } from "../../../api/devices";
import type { Home } from "../../../api/home";
import type { Entity, Services } from "../../../api/types";
import { stateText } from "../../../cards/state_text";
import { formatDuration, formatTime, t } from "../../../i18n/catalogue";
import { offsetOf, secondsOf } from "./durations";
import { isConfig, type Config } from "./edit";
import { textsOf } from "./modern";
import { isShifted, isTime, targetKeys } from "./values";

// The part of the home that sentences know.
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

// The name of a service: "Turn on – Light".
export function serviceName(services: Services, action: string): string {
  const [domain = "", name = ""] = action.split(".");
  const known = services[domain];
  const service = known && Object.hasOwn(known, name) ? known[name] : undefined;
  return service?.name || action;
}

export function targetNames(know: Knowledge, target: unknown): string[] {
  if (!isConfig(target)) return [];
  return targetKeys.flatMap((key) => (textsOf(target[key]) ?? []).map((id) => targetName(know, key, id)));
}

function targetName({ home, labels }: Knowledge, key: (typeof targetKeys)[number], id: string): string {
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
