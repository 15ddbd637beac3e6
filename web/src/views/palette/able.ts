// SPDX-License-Identifier: Apache-2.0
// Which service does to an entity what a verb says, or sets it to a number.
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { numberIn, textsIn } from "../../cards/attributes";
import { isIdle } from "../../cards/domains";
import { canOf } from "../../cards/kind_controls";
import type { Unit, Verb } from "./lexicon";

type Known = Pick<Home, "kinds">;

export const domainOfId = (id: string): string => id.slice(0, id.indexOf("."));

const switched = [
  "light",
  "switch",
  "fan",
  "media_player",
  "climate",
  "humidifier",
  "water_heater",
  "input_boolean",
  "siren",
  "remote",
  "automation",
];
const all = (service: string) => Object.fromEntries(switched.map((domain) => [domain, service]));

const services: Record<Exclude<Verb, "set">, Record<string, string>> = {
  on: all("turn_on"),
  off: all("turn_off"),
  toggle: all("toggle"),
  open: { cover: "open_cover", valve: "open_valve" },
  close: { cover: "close_cover", valve: "close_valve" },
  stop: { cover: "stop_cover", valve: "stop_valve", media_player: "media_stop", vacuum: "stop" },
  lock: { lock: "lock" },
  unlock: { lock: "unlock" },
  play: { media_player: "media_play" },
  pause: { media_player: "media_pause", vacuum: "pause", timer: "pause", lawn_mower: "pause" },
  run: {
    scene: "turn_on",
    script: "turn_on",
    automation: "trigger",
    vacuum: "start",
    lawn_mower: "start_mowing",
    timer: "start",
  },
  dock: { vacuum: "return_to_base", lawn_mower: "dock" },
  press: { button: "press", input_button: "press" },
};

// The domains of no kind, which can be told all of the above.
const kindless = new Set(["automation", "script"]);

function can(home: Known, entity: Entity, service: string): boolean {
  const domain = domainOfId(entity.entity_id);
  if (entity.state === "unavailable") return false;
  const kind = home.kinds.get(domain);
  if (!kind) return kindless.has(domain);
  const action = kind.actions.find((known) => known.service === service);
  return action !== undefined && canOf(kind, entity)(action.needs);
}

// Undefined if it cannot be told so. A lock with a code is told in its dialog, which asks for it.
export function serviceFor(home: Known, entity: Entity, verb: Verb): string | undefined {
  if (verb === "set") return undefined;
  const domain = domainOfId(entity.entity_id);
  const service = Object.hasOwn(services[verb], domain) ? services[verb][domain] : undefined;
  if (service === undefined || !can(home, entity, service)) return undefined;
  return domain === "lock" && entity.attributes.code_format ? undefined : service;
}

// True if a service would do something that can be seen.
export function changes(home: Known, entity: Entity, service: string): boolean {
  if (isIdle(entity, service)) return false;
  const domain = domainOfId(entity.entity_id);
  const kind = home.kinds.get(domain);
  const value = kind?.actions.find((action) => action.service === service)?.value;
  if (service === "turn_on") return domain === "scene" || domain === "script" || entity.state === "off" || entity.state === "standby";
  if (service === "turn_off") return !["off", "standby", "unknown"].includes(entity.state);
  return value === undefined || entity.attributes.assumed_state === true || entity.state !== value;
}

export interface Setting {
  service: string;
  data: Record<string, number>;
  // The words about the number, as quantity() takes it.
  attribute: string;
  unit: string;
}

interface Rule {
  service: string;
  field: string;
  unit: Unit | undefined;
  min: (entity: Entity) => number;
  max: (entity: Entity) => number;
  fits?: (entity: Entity) => boolean;
  // From the number that people say to the one that is sent.
  share?: number;
}

const from =
  (attribute: string, otherwise: number) =>
  (entity: Entity): number =>
    numberIn(entity, attribute) ?? otherwise;
const percent = { unit: "percent", min: () => 0, max: () => 100 } as const;
const dims = (entity: Entity): boolean => textsIn(entity, "supported_color_modes").some((mode) => mode !== "onoff");

const rules: Record<string, Rule> = {
  climate: {
    service: "set_temperature",
    field: "temperature",
    unit: "degrees",
    min: from("min_temp", 7),
    max: from("max_temp", 35),
    fits: (entity) => (Number(entity.attributes.supported_features) & 1) !== 0,
  },
  water_heater: {
    service: "set_temperature",
    field: "temperature",
    unit: "degrees",
    min: from("min_temp", 30),
    max: from("max_temp", 80),
  },
  light: { service: "turn_on", field: "brightness_pct", ...percent, fits: dims },
  cover: { service: "set_cover_position", field: "position", ...percent },
  valve: { service: "set_valve_position", field: "position", ...percent },
  fan: { service: "set_percentage", field: "percentage", ...percent },
  humidifier: { service: "set_humidity", field: "humidity", unit: "percent", min: from("min_humidity", 0), max: from("max_humidity", 100) },
  media_player: { service: "volume_set", field: "volume_level", ...percent, share: 100 },
  number: { service: "set_value", field: "value", unit: undefined, min: from("min", 0), max: from("max", 100) },
  input_number: { service: "set_value", field: "value", unit: undefined, min: from("min", 0), max: from("max", 100) },
};

// Undefined if it has no such number, or not one so large.
export function settingFor(home: Known, entity: Entity, value: number, unit: Unit | undefined): Setting | undefined {
  const domain = domainOfId(entity.entity_id);
  const rule = Object.hasOwn(rules, domain) ? rules[domain] : undefined;
  if (!rule || !can(home, entity, rule.service) || rule.fits?.(entity) === false) return undefined;
  if (unit && rule.unit && unit !== rule.unit) return undefined;
  if (value < rule.min(entity) || value > rule.max(entity)) return undefined;
  const own = entity.attributes.unit_of_measurement;
  return {
    service: rule.service,
    data: { [rule.field]: rule.share ? value / rule.share : value },
    attribute: rule.unit === "degrees" ? "temperature" : rule.field === "volume_level" ? "" : rule.field,
    unit: rule.unit === "percent" ? "%" : typeof own === "string" ? own : "",
  };
}
