// SPDX-License-Identifier: Apache-2.0
import type { Home } from "../../../api/home";
import { discoveryTopics, type DeviceMessages } from "../../../api/mqtt";

// The entities of a device that nothing provides any more.
function leftBehind(home: Home, ids: string[]): string[] {
  return ids.filter((id) => {
    const state = home.entity(id);
    return state ? state.attributes.restored === true : !home.registry.get(id)?.disabled_by;
  });
}

// True if a device can be removed: what it has said stands on the MQTT broker, or nothing provides any of its entities.
export function isRemovable(home: Home, ids: string[], messages: DeviceMessages | undefined): boolean {
  if (messages && discoveryTopics(messages).length > 0) return true;
  return ids.length > 0 && leftBehind(home, ids).length === ids.length;
}

// Makes the broker forget what the device has said of itself, and the hub its entities; a device that is still there may say it again.
export async function removeDevice(home: Home, ids: string[], messages: DeviceMessages | undefined): Promise<void> {
  const left = leftBehind(home, ids);
  for (const topic of messages ? discoveryTopics(messages) : []) {
    await home.call("mqtt", "publish", { topic, payload: "", qos: 1, retain: true });
  }
  const described = new Set(messages?.entities.map(({ entity_id }) => entity_id));
  for (const entity_id of left) if (!described.has(entity_id)) await home.command("config/entity_registry/remove", { entity_id });
}
