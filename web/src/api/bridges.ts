// SPDX-License-Identifier: Apache-2.0
// Bridges of radios that let devices join when they are asked over MQTT: Zigbee2MQTT and what speaks its topics. What they publish is
// theirs, and may be anything.
import type { Device } from "./types";

export type JoinedState = "joined" | "interview" | "ready" | "unknownModel" | "failed" | "left";

// A device that a bridge told of while it let devices join.
export interface Joined {
  // As the radio has it: 0x00158d0001a2b3c4.
  address: string;
  name: string;
  state: JoinedState;
  // "Aqara Motion sensor"; empty as long as the bridge does not know.
  model: string;
}

export interface Bridge {
  // The topic below which it publishes.
  base: string;
  version: string;
  // Of its own radio; empty if it does not say.
  address: string;
  online: boolean;
  // True while devices may join; `until`, in milliseconds since 1970, is undefined if the bridge does not say it.
  open: boolean;
  until: number | undefined;
  // Milliseconds since 1970: what has come since then has joined.
  since: number | undefined;
  // When it was asked for something that it has not answered yet, and whether that was to let devices join.
  asked: { at: number; open: boolean } | undefined;
  // Why it does not do what it was asked for; empty if nothing is wrong.
  refusal: string;
  joined: Joined[];
}

// How long devices may join, in seconds; 254 is the most that Zigbee allows.
export const joinSeconds = 240;
const mostSeconds = 254;
// How long an answer is waited for, in milliseconds.
export const patience = 10_000;
// A home has few bridges, and few devices join at once: what is beyond is no such thing.
const mostBridges = 20;
const mostJoined = 200;
const mostLetters = 255;

const parts = ["info", "state", "event", "response/permit_join"] as const;
const bases = ["+", "+/+", "+/+/+"];
// The topics to subscribe to.
export const bridgeTopics = bases.flatMap((base) => parts.map((part) => `${base}/bridge/${part}`));

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function read(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, mostLetters) : "");

// The payload that lets devices join for so many seconds; 0 ends it. Older versions ask for `value`.
export function joinRequest(seconds: number): string {
  return JSON.stringify({ time: seconds, value: seconds > 0 });
}

export class Bridges {
  private readonly known = new Map<string, Bridge>();
  // The states that came before the bridge told what it is.
  private readonly states = new Map<string, boolean>();

  // By their topics.
  get all(): Bridge[] {
    return [...this.known.values()].sort((a, b) => (a.base < b.base ? -1 : 1));
  }

  // A message on one of the topics. `now`: milliseconds since 1970.
  take(topic: string, payload: string, now: number): void {
    const at = topic.lastIndexOf("/bridge/");
    if (at <= 0) return;
    const base = topic.slice(0, at);
    const content = read(payload);
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

  // It was asked to let devices join, or to end that.
  noteRequest(base: string, seconds: number, now: number): void {
    const bridge = this.known.get(base);
    if (!bridge) return;
    bridge.asked = { at: now, open: seconds > 0 };
    bridge.refusal = "";
    if (seconds === 0) return;
    bridge.since = undefined;
    bridge.joined = [];
  }

  private takeInfo(base: string, info: Fields, now: number): void {
    const address = textOf(fieldsOf(info.coordinator).ieee_address);
    // Other things have such topics, too.
    if (typeof info.permit_join !== "boolean" || (!address && typeof info.version !== "string")) return;
    if (!this.known.has(base) && this.known.size >= mostBridges) return;
    const former = this.known.get(base);
    const bridge: Bridge = former ?? {
      base,
      version: "",
      address: "",
      online: this.states.get(base) ?? true,
      open: false,
      until: undefined,
      since: undefined,
      asked: undefined,
      refusal: "",
      joined: [],
    };
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
    const former = bridge.joined.find((one) => one.address === address);
    if (!former && (state === "left" || bridge.joined.length >= mostJoined)) return;
    const definition = fieldsOf(data.definition);
    const model = [textOf(definition.vendor), textOf(definition.description) || textOf(definition.model)].filter(Boolean).join(" ");
    const now: Joined = { address, name: textOf(data.friendly_name) || address, state, model: model || (former?.model ?? "") };
    bridge.joined = former ? bridge.joined.map((one) => (one === former ? now : one)) : [...bridge.joined, now];
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

// How many seconds devices may join yet: 0 if they may not, undefined if that is not known.
export function secondsLeft({ open, until }: Bridge, now: number): number | undefined {
  if (!open) return 0;
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - now) / 1000));
}

export function isSilent({ asked }: Bridge, now: number): boolean {
  return asked !== undefined && now - asked.at >= patience;
}

// True if the integration's own names of the device have the radio's address.
function has({ identifiers }: Device, address: string): boolean {
  return Boolean(address) && (identifiers ?? []).some(([, id]) => id.toLowerCase().endsWith(address.toLowerCase()));
}

// The hub's device of one that has joined; undefined as long as it has not described itself.
export function deviceOf(joined: Joined, devices: Iterable<Device>): Device | undefined {
  for (const device of devices) if (has(device, joined.address)) return device;
  return undefined;
}

// Devices that came through the bridge since it was opened and of whose joining nobody here was told.
export function othersSince(bridge: Bridge, devices: ReadonlyMap<string, Device>): Device[] {
  const { since } = bridge;
  if (since === undefined) return [];
  return [...devices.values()].filter((device) => {
    const via = device.via_device_id ? devices.get(device.via_device_id) : undefined;
    if (!via || !has(via, bridge.address) || device.created_at * 1000 < since) return false;
    return !bridge.joined.some(({ address }) => has(device, address));
  });
}
