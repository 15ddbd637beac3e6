// SPDX-License-Identifier: Apache-2.0
// Zigbee2MQTT and what speaks its topics. Source: zigbee2mqtt.io, "MQTT topics and messages".
import type { Device } from "../types";
import {
  fieldsOf,
  hasAddress,
  jsonOf,
  mostBridges,
  newBridge,
  noteAsked,
  noteJoined,
  sorted,
  textOf,
  type Bridge,
  type Bridges,
  type Fields,
  type JoinedState,
  type Message,
} from "./bridge";

// How long devices may join, in seconds; 254 is the most that Zigbee allows.
export const joinSeconds = 240;
const mostSeconds = 254;

const parts = ["info", "state", "event", "response/permit_join"] as const;
const bases = ["+", "+/+", "+/+/+"];

export class Zigbee2Mqtt implements Bridges {
  readonly topics = bases.flatMap((base) => parts.map((part) => `${base}/bridge/${part}`));
  private readonly known = new Map<string, Bridge>();
  // The states that came before the bridge told what it is.
  private readonly states = new Map<string, boolean>();

  get all(): Bridge[] {
    return sorted(this.known);
  }

  take(topic: string, payload: string, now: number): void {
    const at = topic.lastIndexOf("/bridge/");
    if (at <= 0) return;
    const base = topic.slice(0, at);
    const content = jsonOf(payload);
    switch (topic.slice(at + "/bridge/".length)) {
      case "info":
        return this.takeInfo(base, fieldsOf(content), now);
      case "state":
        return this.takeState(base, textOf(fieldsOf(content).state) || payload);
      case "event":
        return this.takeEvent(base, fieldsOf(content));
      case "response/permit_join":
        return this.takeResponse(base, fieldsOf(content), now);
    }
  }

  // Older versions ask for `value`.
  ask(bridge: Bridge, open: boolean, now: number): Message {
    noteAsked(bridge, open, now);
    return {
      topic: `${bridge.base}/bridge/request/permit_join`,
      payload: JSON.stringify({ time: open ? joinSeconds : 0, value: open }),
    };
  }

  brought(bridge: Bridge, device: Device, devices: ReadonlyMap<string, Device>): boolean {
    const via = device.via_device_id ? devices.get(device.via_device_id) : undefined;
    return via !== undefined && hasAddress(via, bridge.address);
  }

  private takeInfo(base: string, info: Fields, now: number): void {
    const address = textOf(fieldsOf(info.coordinator).ieee_address);
    // Other things have such topics, too.
    if (typeof info.permit_join !== "boolean" || (!address && typeof info.version !== "string")) return;
    if (!this.known.has(base) && this.known.size >= mostBridges) return;
    const bridge = this.known.get(base) ?? { ...newBridge(base), online: this.states.get(base) ?? true };
    bridge.version = textOf(info.version);
    bridge.address = address;
    bridge.open = info.permit_join;
    bridge.until = info.permit_join ? (endOf(info, now) ?? bridge.until) : undefined;
    // Nobody here asked: it was opened before this page was.
    if (bridge.open) bridge.since ??= bridge.asked?.at ?? (bridge.until ?? now) - mostSeconds * 1000;
    if (bridge.asked?.open === bridge.open) bridge.asked = undefined;
    this.known.set(base, bridge);
  }

  private takeState(base: string, state: string): void {
    const online = state !== "offline";
    if (this.states.has(base) || this.states.size < mostBridges * 10) this.states.set(base, online);
    const bridge = this.known.get(base);
    if (!bridge) return;
    bridge.online = online;
    if (!online) [bridge.open, bridge.until] = [false, undefined];
  }

  private takeResponse(base: string, response: Fields, now: number): void {
    const bridge = this.known.get(base);
    if (!bridge) return;
    const { asked } = bridge;
    bridge.asked = undefined;
    if (response.status === "error") {
      bridge.refusal = textOf(response.error) || "?";
      return;
    }
    const time = Number(fieldsOf(response.data).time);
    if (!(time >= 0)) return;
    bridge.refusal = "";
    bridge.open = time > 0;
    if (bridge.open) bridge.since ??= asked?.at ?? now;
    bridge.until = time > 0 ? now + Math.min(time, mostSeconds) * 1000 : undefined;
  }

  private takeEvent(base: string, event: Fields): void {
    const bridge = this.known.get(base);
    const data = fieldsOf(event.data);
    const address = textOf(data.ieee_address);
    const state = stateOf(textOf(event.type), data);
    if (!bridge || !address || !state) return;
    const definition = fieldsOf(data.definition);
    const model = [textOf(definition.vendor), textOf(definition.description) || textOf(definition.model)].filter(Boolean).join(" ");
    noteJoined(bridge, { address, name: textOf(data.friendly_name), state, model });
  }
}

function stateOf(type: string, data: Fields): JoinedState | undefined {
  if (type === "device_joined") return "joined";
  if (type === "device_leave") return "left";
  if (type !== "device_interview") return undefined;
  if (data.status === "successful") return data.supported === false ? "unknownModel" : "ready";
  return data.status === "failed" ? "failed" : "interview";
}

// When joining ends by its own word. The bridge's clock may be wrong: a time that cannot be is not believed.
function endOf(info: Fields, now: number): number | undefined {
  const left = Number(info.permit_join_timeout); // of older versions, in seconds
  const end = typeof info.permit_join_end === "number" ? info.permit_join_end : left > 0 ? now + left * 1000 : NaN;
  return end > now && end <= now + (mostSeconds + 1) * 1000 ? end : undefined;
}
