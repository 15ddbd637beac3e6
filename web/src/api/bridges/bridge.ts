// SPDX-License-Identifier: Apache-2.0
// Bridges of radios on the MQTT broker that let devices join when they are asked. What they publish is theirs, and may be anything.
import type { Device } from "../types";

export type JoinedState = "joined" | "interview" | "ready" | "unknownModel" | "failed" | "left";

// A device that a bridge told of while it let devices join.
export interface Joined {
  // The end of the name that the bridge gives it in its description: 0x00158d0001a2b3c4, 0xd6a6a3f7_node12.
  address: string;
  name: string;
  state: JoinedState;
  // "Aqara Motion sensor"; empty as long as the bridge does not know.
  model: string;
  // True if it came without the encryption that its radio has.
  isUnencrypted?: boolean;
}

export interface Bridge {
  // The topic below which it publishes: zigbee2mqtt, zwave/_CLIENTS/ZWAVE_GATEWAY-home.
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

export interface Message {
  topic: string;
  payload: string;
}

// All bridges of one kind on the broker.
export interface Bridges<B extends Bridge = Bridge> {
  // By their topics.
  readonly all: B[];
  // The topics to subscribe to; each bridge that is found may add some.
  readonly topics: readonly string[];
  // A message on one of the topics. `now`: milliseconds since 1970.
  take(topic: string, payload: string, now: number): void;
  // Notes that the bridge is asked to let devices join, or to end that; the message that asks for it.
  ask(bridge: B, open: boolean, now: number): Message;
  // True if the device came through this bridge.
  brought(bridge: B, device: Device, devices: ReadonlyMap<string, Device>): boolean;
}

// How long an answer is waited for, in milliseconds.
export const patience = 10_000;
// A home has few bridges, and few devices join at once: what is beyond is no such thing.
export const mostBridges = 20;
const mostJoined = 200;
const mostLetters = 255;

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, mostLetters) : "");

export function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

export function newBridge(base: string): Bridge {
  return {
    base,
    version: "",
    address: "",
    online: true,
    open: false,
    until: undefined,
    since: undefined,
    asked: undefined,
    refusal: "",
    joined: [],
  };
}

// The bridges in the order of their topics.
export function sorted<B extends Bridge>(known: ReadonlyMap<string, B>): B[] {
  return [...known.values()].sort((a, b) => (a.base < b.base ? -1 : 1));
}

export function noteAsked(bridge: Bridge, open: boolean, now: number): void {
  bridge.asked = { at: now, open };
  bridge.refusal = "";
  if (!open) return;
  bridge.since = undefined;
  bridge.joined = [];
}

// Adds who has joined, or what is new of them. A device that leaves without having joined is none of these.
export function noteJoined(bridge: Bridge, one: Joined): void {
  const former = bridge.joined.find(({ address }) => address === one.address);
  if (!former && (one.state === "left" || bridge.joined.length >= mostJoined)) return;
  const now = { ...one, name: one.name || former?.name || one.address, model: one.model || (former?.model ?? "") };
  bridge.joined = former ? bridge.joined.map((each) => (each === former ? now : each)) : [...bridge.joined, now];
}

// How many seconds devices may join yet: 0 if they may not, undefined if that is not known.
export function secondsLeft({ open, until }: Bridge, now: number): number | undefined {
  if (!open) return 0;
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - now) / 1000));
}

export function isSilent({ asked }: Bridge, now: number): boolean {
  return asked !== undefined && now - asked.at >= patience;
}

// True if the integration's own names of the device end in the radio's address.
export function hasAddress({ identifiers }: Device, address: string): boolean {
  return Boolean(address) && (identifiers ?? []).some(([, id]) => id.toLowerCase().endsWith(address.toLowerCase()));
}

// The hub's device of one that has joined; undefined as long as it has not described itself.
export function deviceOf(joined: Joined, devices: Iterable<Device>): Device | undefined {
  for (const device of devices) if (hasAddress(device, joined.address)) return device;
  return undefined;
}

// Devices that came through the bridge since it was opened and of whose joining nobody here was told.
export function othersSince<B extends Bridge>(bridges: Bridges<B>, bridge: B, devices: ReadonlyMap<string, Device>): Device[] {
  const { since } = bridge;
  if (since === undefined) return [];
  return [...devices.values()].filter(
    (device) =>
      device.created_at * 1000 >= since &&
      bridges.brought(bridge, device, devices) &&
      !bridge.joined.some(({ address }) => hasAddress(device, address)),
  );
}
