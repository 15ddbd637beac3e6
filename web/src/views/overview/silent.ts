// SPDX-License-Identifier: Apache-2.0
// Devices that have not answered for some time though they should: what people are told to look at.
import { entitiesByDevice, type Devices } from "../../api/devices";
import type { Entity } from "../../api/types";

// A device that is away for less comes back by itself, in seconds.
export const patienceWithSilence = 600;

// What is switched off, carried away or asleep does not answer, and is all right.
const oftenAway = new Set(["device_tracker", "media_player", "remote"]);

const domainOf = ({ entity_id }: Entity) => entity_id.slice(0, entity_id.indexOf("."));

function isSilent(entities: Entity[], now: number): boolean {
  return (
    entities.length > 0 &&
    entities.every(
      (entity) => entity.state === "unavailable" && now - entity.last_changed >= patienceWithSilence && !oftenAway.has(domainOf(entity)),
    ) &&
    !entities.some(({ attributes }) => attributes.device_class === "battery")
  );
}

// One entity for each silent device that has some among these, in their order. `now` in seconds.
export function silentAmong(home: Devices, ids: readonly string[], now: number): string[] {
  let byDevice: Map<string, string[]> | undefined;
  const seen = new Set<string>();
  return ids.filter((id) => {
    if (home.entities.get(id)?.state !== "unavailable") return false;
    const entry = home.registry.get(id);
    const device = entry?.device_id;
    if (!entry || !device || entry.entity_category || entry.hidden_by || seen.has(device)) return false;
    seen.add(device);
    byDevice ??= entitiesByDevice(home);
    return isSilent(
      (byDevice.get(device) ?? []).flatMap((one) => home.entities.get(one) ?? []),
      now,
    );
  });
}
