// SPDX-License-Identifier: Apache-2.0
// Sentences about a device, from its entry and its entities.
import type { Home } from "./home";
import type { Device, Entity } from "./types";

// The part of a home that is looked at here.
export type Devices = Pick<Home, "devices" | "registry" | "entities">;

export interface DeviceFacts {
  // The entities that measure these; undefined if the device has none, or the hub has no state of it.
  battery: Entity | undefined;
  signal: Entity | undefined;
  lastSeen: Entity | undefined;
  update: Entity | undefined;
  // The version of its software; empty if it is not known.
  firmware: string;
  // True if it has states, and all of them are unavailable.
  isGone: boolean;
}

export function deviceName(device: Device): string {
  return (device.name_by_user ?? device.name)?.trim() || device.id;
}

// The part of the entity's name beyond the device's: "Battery" for "Motion sensor Battery".
export function nameOnDevice(home: Pick<Home, "nameOf">, id: string, device: Device): string {
  const name = home.nameOf(id);
  for (const before of [device.name_by_user, device.name]) {
    const known = before?.trim().toLowerCase();
    if (!known || !name.toLowerCase().startsWith(known)) continue;
    // Only where a word ends.
    const rest = /^(?:\s*[-–:]\s+|\s+)(\S.*)$/u.exec(name.slice(known.length))?.[1];
    if (rest) return rest[0]?.toUpperCase() + rest.slice(1);
  }
  return name;
}

// The integration that brings it, such as "mqtt"; empty if that is not known.
export function integrationOf({ id, identifiers }: Device): string {
  return identifiers?.[0]?.[0] ?? /^([a-z0-9_]+)\./.exec(id)?.[1] ?? "";
}

// "Aqara Motion sensor P1"; empty if nothing is known.
export function makerOf({ manufacturer, model }: Device): string {
  return [manufacturer, model].filter(Boolean).join(" ");
}

// The ids of the entities of each device, in the order of the registry.
export function entitiesByDevice({ registry }: Devices): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { device_id, entity_id } of registry.values()) {
    if (!device_id) continue;
    const ids = found.get(device_id);
    if (ids) ids.push(entity_id);
    else found.set(device_id, [entity_id]);
  }
  return found;
}

// A state that says something.
function isKnown({ state }: Entity): boolean {
  return state !== "unavailable" && state !== "unknown";
}

// The best of two that say the same: the one that is known, otherwise the first.
function better(one: Entity | undefined, other: Entity): Entity {
  return one && (isKnown(one) || !isKnown(other)) ? one : other;
}

export function factsOf(home: Devices, device: Device, ids: string[]): DeviceFacts {
  const facts: DeviceFacts = { battery: undefined, signal: undefined, lastSeen: undefined, update: undefined, firmware: "", isGone: false };
  let states = 0;
  let gone = 0;
  for (const id of ids) {
    const entity = home.entities.get(id);
    if (!entity) continue;
    states += 1;
    if (entity.state === "unavailable") gone += 1;
    const { device_class: is, unit_of_measurement: unit } = entity.attributes;
    if (id.startsWith("update.")) facts.update = better(facts.update, entity);
    else if (is === "battery") facts.battery = facts.battery?.entity_id.startsWith("sensor.") ? better(facts.battery, entity) : entity;
    else if (is === "signal_strength" || unit === "lqi") facts.signal = better(facts.signal, entity);
    else if (is === "timestamp" && id.includes("last_seen")) facts.lastSeen = better(facts.lastSeen, entity);
  }
  const installed = facts.update?.attributes.installed_version;
  facts.firmware = typeof installed === "string" && installed !== "" ? installed : (device.sw_version ?? "");
  facts.isGone = states > 0 && gone === states;
  return facts;
}

// The moment, in milliseconds since 1970, when the device was last heard; undefined if that is not known.
export function seenAt({ lastSeen }: DeviceFacts): number | undefined {
  const time = lastSeen ? Date.parse(lastSeen.state) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

// Devices that came after a moment, in seconds since 1970, and that nobody has put into an area yet; the newest first.
export function newDevices({ devices }: Devices, since: number): Device[] {
  return [...devices.values()]
    .filter(
      ({ area_id, entry_type, disabled_by, created_at }) => !area_id && !disabled_by && entry_type !== "service" && created_at > since,
    )
    .sort((a, b) => b.created_at - a.created_at);
}
