// SPDX-License-Identifier: Apache-2.0
// Parts of a home, as tokens and users have them.
import type { Area, Device, RegisteredEntity, Selection } from "../types";

// The parts by their ids.
export interface Parts {
  registry: ReadonlyMap<string, Pick<RegisteredEntity, "area_id" | "device_id" | "labels">>;
  devices: ReadonlyMap<string, Pick<Device, "area_id" | "labels">>;
  areas: ReadonlyMap<string, Pick<Area, "labels">>;
}

// True if the selection names the entity: by itself, its domain, its room, or a label of it, its device or its room. As the hub decides.
export function selects({ registry, devices, areas }: Parts, selection: Selection, id: string): boolean {
  const { all, entities, domains, areas: rooms, labels } = selection;
  if (all || entities?.includes(id) || domains?.includes(id.slice(0, id.indexOf(".")))) return true;
  const registered = registry.get(id);
  if (!registered) return false;
  const device = registered.device_id ? devices.get(registered.device_id) : undefined;
  const room = registered.area_id ?? device?.area_id;
  if (room && rooms?.includes(room)) return true;
  const own = [...(registered.labels ?? []), ...(device?.labels ?? []), ...((room && areas.get(room)?.labels) || [])];
  return own.some((label) => labels?.includes(label));
}
