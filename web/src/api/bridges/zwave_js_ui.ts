// SPDX-License-Identifier: Apache-2.0
// Z-Wave JS UI, formerly zwavejs2mqtt. Source: its guide "Using MQTT" and what its gateway publishes. Secure inclusion asks back: which
// security classes the device gets, and for the digits that are printed on it.
import type { Device } from "../types";
import {
  fieldsOf,
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

// A question that the controller wants answered before it goes on.
export type Question =
  // `classes`: numbers of the protocol, the device's wishes.
  | { about: "classes"; classes: number[]; clientSideAuth: boolean }
  // `rest`: the device's key without its first five digits, which are asked for; both are printed on it.
  | { about: "pin"; rest: string };

export interface ZwaveGateway extends Bridge {
  // True if it publishes its events: otherwise it asks its questions on its own pages only. Undefined until that is known.
  tellsEvents: boolean | undefined;
  // True if it could not begin because it includes or excludes already.
  isBusy: boolean;
  question: Question | undefined;
}

const bases = ["+", "+/+", "+/+/+"];
const events = ["node_interview_started", "node_ready", "node_interview_completed", "node_interview_failed"];
const clientTopic = /^(.+\/_CLIENTS\/ZWAVE_GATEWAY-[^/]+)\/(status|version|api\/\w+)$/;
const eventTopic = /^(.+)\/_EVENTS\/(ZWAVE_GATEWAY-[^/]+)\/(?:controller|node)\/(\w+)$/;
const nodeStates: Record<string, JoinedState> = {
  node_found: "joined",
  node_added: "interview",
  node_interview_started: "interview",
  node_ready: "ready",
  node_interview_completed: "ready",
  node_interview_failed: "failed",
  node_removed: "left",
};
const mostClasses = 8;
// Of the driver's strategies: the best that the device can.
const strategyDefault = 0;
const stateIncluding = 1;

export class ZwaveJsUi implements Bridges<ZwaveGateway> {
  private readonly known = new Map<string, ZwaveGateway>();

  get all(): ZwaveGateway[] {
    return sorted(this.known);
  }

  get topics(): string[] {
    return [...bases.map((base) => `${base}/_CLIENTS/+/status`), ...this.all.flatMap(({ base }) => topicsOf(base))];
  }

  take(topic: string, payload: string, now: number): void {
    const client = clientTopic.exec(topic);
    if (client) return this.takeClient(client[1]!, client[2]!, fieldsOf(jsonOf(payload)), now);
    const event = eventTopic.exec(topic);
    const gateway = event && this.known.get(`${event[1]}/_CLIENTS/${event[2]}`);
    const data = fieldsOf(jsonOf(payload)).data;
    if (gateway) takeEvent(gateway, event[3]!, Array.isArray(data) ? data[0] : undefined, now);
  }

  ask(gateway: ZwaveGateway, open: boolean, now: number): Message {
    noteAsked(gateway, open, now);
    gateway.isBusy = false;
    return open ? call(gateway, "startInclusion", strategyDefault, { forceSecurity: false }) : call(gateway, "stopInclusion");
  }

  // Messages to send from time to time: they ask how the gateway does while it lets devices join, and once for its controller's address.
  inquiries(): Message[] {
    return this.all.filter(({ online, open, address }) => online && (open || !address)).map((gateway) => call(gateway, "getInfo"));
  }

  // The gateway describes itself as no device: its devices have its controller's address in their names.
  brought({ address }: ZwaveGateway, { identifiers }: Device): boolean {
    return Boolean(address) && (identifiers ?? []).some(([, id]) => id.toLowerCase().includes(`${address.toLowerCase()}_node`));
  }

  private takeClient(base: string, part: string, content: Fields, now: number): void {
    if (part === "status" && typeof content.value === "boolean" && !this.known.has(base) && this.known.size < mostBridges) {
      this.known.set(base, { ...newBridge(base), tellsEvents: undefined, isBusy: false, question: undefined });
    }
    const gateway = this.known.get(base);
    if (!gateway) return;
    switch (part) {
      case "status":
        gateway.online = content.value === true;
        if (!gateway.online) [gateway.open, gateway.question, gateway.asked] = [false, undefined, undefined];
        return;
      case "version":
        gateway.version = textOf(content.value);
        return;
      case "api/startInclusion":
      case "api/stopInclusion":
        return takeAnswer(gateway, part === "api/startInclusion", content, now);
      case "api/getInfo":
        return takeInfo(gateway, content, now);
    }
  }
}

function topicsOf(base: string): string[] {
  const at = base.lastIndexOf("/_CLIENTS/");
  const told = `${base.slice(0, at)}/_EVENTS/${base.slice(at + "/_CLIENTS/".length)}`;
  const calls = ["startInclusion", "stopInclusion", "getInfo"];
  return [
    `${base}/version`,
    ...calls.map((name) => `${base}/api/${name}`),
    `${told}/controller/+`,
    ...events.map((name) => `${told}/node/${name}`),
  ];
}

function call({ base }: ZwaveGateway, name: string, ...values: unknown[]): Message {
  return { topic: `${base}/api/${name}/set`, payload: JSON.stringify({ args: values }) };
}

// Answers the question: with the classes that are given, with the five digits, or, without an answer, that it shall not join.
export function answer(gateway: ZwaveGateway, given?: number[] | string): Message {
  const { question } = gateway;
  gateway.question = undefined;
  if (given === undefined || !question) return call(gateway, "abortInclusion");
  if (question.about === "pin") return call(gateway, "validateDSK", given);
  return call(gateway, "grantSecurityClasses", { securityClasses: given, clientSideAuth: question.clientSideAuth });
}

function open(gateway: ZwaveGateway, now: number): void {
  gateway.open = true;
  gateway.since ??= gateway.asked?.at ?? now;
  gateway.refusal = "";
  if (gateway.asked?.open) gateway.asked = undefined;
}

function close(gateway: ZwaveGateway): void {
  gateway.open = false;
  if (gateway.asked?.open === false) gateway.asked = undefined;
}

function takeAnswer(gateway: ZwaveGateway, toOpen: boolean, content: Fields, now: number): void {
  if (typeof content.success !== "boolean") return;
  if (!content.success) {
    gateway.refusal = textOf(content.message) || "?";
  } else if (!toOpen) {
    close(gateway);
  } else if (content.result === false) {
    gateway.isBusy = true;
  } else {
    open(gateway, now);
  }
  gateway.asked = undefined;
}

function takeInfo(gateway: ZwaveGateway, content: Fields, now: number): void {
  if (content.success === false) gateway.refusal = textOf(content.message) || "?";
  const info = fieldsOf(content.result);
  const { inclusionState } = info;
  if (/^0x[0-9a-f]+$/i.test(textOf(info.name))) gateway.address = textOf(info.name);
  if (typeof inclusionState !== "number") return;
  if (inclusionState === stateIncluding) {
    open(gateway, now);
    gateway.tellsEvents ??= false;
  } else if (!gateway.asked) {
    close(gateway);
  }
}

function takeEvent(gateway: ZwaveGateway, event: string, about: unknown, now: number): void {
  gateway.tellsEvents = true;
  switch (event) {
    case "inclusion_started":
      return open(gateway, now);
    case "inclusion_stopped":
      return close(gateway); // also when a device was found, and is asked only then
    case "inclusion_failed":
      gateway.refusal = "inclusion failed";
      gateway.question = undefined;
      return close(gateway);
    case "inclusion_aborted":
      gateway.question = undefined;
      return;
    case "grant_security_classes": {
      const { securityClasses, clientSideAuth } = fieldsOf(about);
      const classes = Array.isArray(securityClasses) ? securityClasses.filter(Number.isInteger).slice(0, mostClasses) : [];
      if (classes.length > 0)
        gateway.question = { about: "classes", classes: classes as number[], clientSideAuth: clientSideAuth === true };
      return;
    }
    case "validate_dsk":
      if (textOf(about)) gateway.question = { about: "pin", rest: textOf(about) };
      return;
  }
  const state = nodeStates[event];
  const node = fieldsOf(about);
  if (!state || !Number.isInteger(node.id)) return;
  if (event === "node_added") gateway.question = undefined;
  const end = `_node${Number(node.id)}`;
  const former = gateway.joined.find(({ address }) => address.endsWith(end));
  // Nodes are asked again at other times, too.
  if (!former && event !== "node_found" && event !== "node_added") return;
  const model = [textOf(node.manufacturer), textOf(node.productDescription) || textOf(node.productLabel)].filter(Boolean).join(" ");
  const name = textOf(node.name) || `Node ${Number(node.id)}`;
  const isUnencrypted = state === "ready" && node.isSecure === false;
  noteJoined(gateway, { address: former?.address ?? gateway.address + end, name, state, model, isUnencrypted });
}
