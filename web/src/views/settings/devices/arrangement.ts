// SPDX-License-Identifier: Apache-2.0
// Devices that are put into rooms, renamed and hidden many at a time: what is wanted of each, until the hub has it.
import { deviceName, entitiesByDevice } from "../../../api/devices";
import type { Home } from "../../../api/home";
import { RoomGuesser, type RoomKind } from "../../../api/rooms";
import type { Area, Device } from "../../../api/types";

// A room: an area's id, "" for none, or one that is made when it is saved.
export type Room = string | RoomKind;

interface Draft {
  room?: Room;
  name?: string;
  hidden?: boolean;
}

export interface Row {
  device: Device;
  name: string;
  // Its kind: light, or binary_sensor.motion.
  kind: string;
  isHidden: boolean;
}

export interface DeviceChange {
  device_id: string;
  area_id?: string | null;
  name_by_user?: string | null;
  hidden?: boolean;
}

export interface Outcome {
  updated: number;
  failed: { device_id: string; code: string; message: string }[];
}

type Known = Pick<Home, "devices" | "registry" | "entities" | "areas">;

// The domains by which people call a device, the first that it has.
const callers = ["light", "cover", "climate", "lock", "alarm_control_panel", "camera", "media_player", "vacuum", "lawn_mower", "valve"];
const others = ["fan", "humidifier", "water_heater", "siren", "switch", "binary_sensor", "sensor", "event", "button", "select", "number"];
// Of sensors that nearly every device has, and that say nothing of what it is.
const besides = new Set(["battery", "signal_strength", "timestamp", "voltage", "connectivity", "problem", "update"]);

function kindOf({ entities, registry }: Known, ids: string[]): string {
  const said = ids.filter((id) => !registry.get(id)?.entity_category);
  for (const domain of [...callers, ...others]) {
    for (const id of said.length > 0 ? said : ids) {
      if (!id.startsWith(`${domain}.`)) continue;
      if (domain !== "binary_sensor" && domain !== "sensor") return domain;
      const is = entities.get(id)?.attributes.device_class;
      if (typeof is !== "string") continue;
      if (!besides.has(is)) return `${domain}.${is}`;
    }
  }
  return "other";
}

// The devices of a home that stand somewhere, by what they are and by name.
export function arrangeableRows(home: Known, language: string): Row[] {
  const entities = entitiesByDevice(home);
  const rows: Row[] = [];
  for (const device of home.devices.values()) {
    if (device.entry_type === "service" || device.disabled_by) continue;
    const ids = entities.get(device.id) ?? [];
    const shown = ids.filter((id) => home.registry.get(id)?.hidden_by !== "integration");
    const isHidden = shown.length > 0 && shown.every((id) => home.registry.get(id)?.hidden_by);
    rows.push({ device, name: deviceName(device), kind: kindOf(home, ids), isHidden });
  }
  const collator = new Intl.Collator(language, { numeric: true });
  const places = new Map([...callers, ...others, "other"].map((domain, at) => [domain, at]));
  const place = ({ kind }: Row) => places.get(kind.split(".")[0] ?? "") ?? 0;
  return rows.sort((a, b) => place(a) - place(b) || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : collator.compare(a.name, b.name)));
}

export class Arrangement {
  private readonly drafts = new Map<string, Draft>();
  private guesser = new RoomGuesser([]);
  private areaNames = "";
  // Why the hub did not take what was wanted, by device.
  readonly failures = new Map<string, string>();

  // The areas are what guesses are made of.
  know(areas: ReadonlyMap<string, Area>): void {
    const names = [...areas.values()].map(({ area_id, name }) => `${area_id}=${name}`).join("\n");
    if (names === this.areaNames) return;
    this.areaNames = names;
    this.guesser = new RoomGuesser(areas.values());
  }

  // Where the device is to be, and whether that is a guess of which nobody has said anything.
  roomOf({ device, name }: Row): { room: Room; isGuess: boolean } {
    const chosen = this.drafts.get(device.id)?.room;
    if (chosen !== undefined) return { room: chosen, isGuess: false };
    if (device.area_id) return { room: device.area_id, isGuess: false };
    const room = this.guesser.guess(name);
    return { room: room ?? "", isGuess: room !== undefined };
  }

  nameOf({ device, name }: Row): string {
    return this.drafts.get(device.id)?.name ?? name;
  }

  isHidden({ device, isHidden }: Row): boolean {
    return this.drafts.get(device.id)?.hidden ?? isHidden;
  }

  choose(rows: Row[], draft: Draft): void {
    for (const { device } of rows) {
      this.drafts.set(device.id, { ...this.drafts.get(device.id), ...draft });
      this.failures.delete(device.id);
    }
  }

  // The choices that the hub does not have yet.
  get isTouched(): boolean {
    return this.drafts.size > 0;
  }

  // The changes for the hub; `areas` has the ids of rooms that were made meanwhile, by the kind.
  changes(rows: Row[], areas: ReadonlyMap<string, string>): DeviceChange[] {
    const changes: DeviceChange[] = [];
    for (const row of rows) {
      const { device } = row;
      const change: DeviceChange = { device_id: device.id };
      const { room } = this.roomOf(row);
      const area = typeof room === "string" ? room : (areas.get(room.id) ?? "");
      if ((area || null) !== device.area_id && (typeof room === "string" || area)) change.area_id = area || null;
      const name = this.nameOf(row).trim();
      // A name that is emptied is the device's own again.
      if (name !== row.name) change.name_by_user = name && name !== device.name?.trim() ? name : null;
      if (this.isHidden(row) !== row.isHidden) change.hidden = this.isHidden(row);
      if (Object.keys(change).length > 1) changes.push(change);
    }
    return changes;
  }

  // The rooms that have to be made first.
  newRooms(rows: Row[]): RoomKind[] {
    const kinds = rows.map((row) => this.roomOf(row).room).filter((room) => typeof room !== "string");
    return [...new Set(kinds)];
  }

  // The hub has answered to these. What it took is wanted no longer; of a device that is gone, neither.
  settle(sent: DeviceChange[], { failed }: Outcome): void {
    const failures = new Map(failed.map((one) => [one.device_id, one]));
    for (const { device_id } of sent) {
      const failure = failures.get(device_id);
      if (failure && failure.code !== "not_found") this.failures.set(device_id, failure.message);
      else this.forget(device_id);
    }
  }

  // An equal value is no change.
  forget(id: string): void {
    this.drafts.delete(id);
    this.failures.delete(id);
  }

  forgetAll(): void {
    this.drafts.clear();
    this.failures.clear();
  }
}
