// SPDX-License-Identifier: Apache-2.0
// A scene's state for an entity, and the one that it would have for the entity as it is.
import type { Attributes, Entity } from "../../../api/types";

export type Wanted = string | Record<string, unknown>;

// Whose states a scene can bring about.
export const sceneDomains = [
  "light",
  "switch",
  "cover",
  "climate",
  "fan",
  "media_player",
  "lock",
  "humidifier",
  "vacuum",
  "siren",
  "valve",
  "water_heater",
  "alarm_control_panel",
  "input_boolean",
  "input_number",
  "input_select",
  "input_text",
  "input_datetime",
  "number",
  "select",
  "text",
  "counter",
  "timer",
  "group",
  "automation",
  "script",
];
// Domains that all of an area is brought to: nobody expects its lock or its alarm among them.
export const areaDomains = [
  "light",
  "switch",
  "cover",
  "climate",
  "fan",
  "media_player",
  "humidifier",
  "siren",
  "valve",
  "input_boolean",
  "input_number",
  "input_select",
];

const kept: Record<string, string[]> = {
  climate: ["temperature", "target_temp_high", "target_temp_low", "humidity", "fan_mode", "preset_mode", "swing_mode"],
  cover: ["current_position", "current_tilt_position"],
  fan: ["percentage", "preset_mode", "oscillating", "direction"],
  humidifier: ["humidity", "mode"],
  media_player: ["volume_level", "is_volume_muted", "source", "sound_mode"],
  vacuum: ["fan_speed"],
  valve: ["current_position"],
  water_heater: ["temperature", "operation_mode", "away_mode"],
};
const colors: Record<string, string> = {
  color_temp: "color_temp_kelvin",
  hs: "hs_color",
  xy: "xy_color",
  rgb: "rgb_color",
  rgbw: "rgbw_color",
  rgbww: "rgbww_color",
};

// Of a lamp its brightness and the one colour that it was given; of what is off nothing more.
function keysOf(domain: string, state: string, attributes: Attributes): string[] {
  if (domain !== "light") return kept[domain] ?? [];
  if (state !== "on") return [];
  const color = colors[String(attributes.color_mode)];
  const effect = typeof attributes.effect === "string" && !["none", "off"].includes(attributes.effect.toLowerCase()) ? ["effect"] : [];
  return ["brightness", ...(color ? [color] : []), ...effect];
}

// As it is now.
export function wantedOf({ entity_id, state, attributes }: Pick<Entity, "entity_id" | "state" | "attributes">): Wanted {
  const keys = keysOf(entity_id.split(".")[0] ?? "", state, attributes).filter(
    (key) => attributes[key] !== undefined && attributes[key] !== null,
  );
  return keys.length === 0 ? state : { state, ...Object.fromEntries(keys.map((key) => [key, attributes[key]])) };
}

export function stateIn(wanted: Wanted): string {
  return typeof wanted === "string" ? wanted : String(wanted.state ?? "");
}

export function isSameWish(one: Wanted | undefined, other: Wanted | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

// True if it can be taken as it is.
export function isKnown(entity: Entity | undefined): entity is Entity {
  return entity !== undefined && entity.state !== "unavailable" && entity.state !== "unknown";
}
