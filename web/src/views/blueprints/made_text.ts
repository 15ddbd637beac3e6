// SPDX-License-Identifier: Apache-2.0
// A blueprint made of an automation or script: which of its values could be inputs, and its text.
import { Document, isMap, isScalar, isSeq, Scalar, type Node } from "yaml";

import { objectIdOf, type Item } from "../../api/automations";
import { partsOf, type Selector } from "../../elements/selectors/selector";

export type Path = (string | number)[];

export interface Candidate {
  value: unknown;
  // Where it stands.
  paths: Path[];
  selector: Selector;
  // The key that it stands at.
  at: string;
}

const idKeys: Record<string, string> = { entity_id: "entity", device_id: "device", area_id: "area", floor_id: "floor", label_id: "label" };
// The keys of numbers, texts and times that differ from home to home.
const textKeys = ["message", "title", "option", "event_type", "topic", "payload", "webhook_id", "command", "to", "from", "state"];
const timeKeys = ["at", "after", "before"];
const durationKeys = ["delay", "for", "timeout", "offset"];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function domainsIn(value: unknown): string[] {
  const ids = (Array.isArray(value) ? value : [value]).map(String);
  return [...new Set(ids.map((id) => id.split(".")[0] ?? ""))].filter((domain) => /^[a-z_]+$/.test(domain));
}

function selectorOf(key: string, value: unknown): Selector | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const kind = idKeys[key];
  if (kind) {
    const multiple = Array.isArray(value);
    if (!multiple && typeof value !== "string") return undefined;
    if (kind !== "entity") return { [kind]: multiple ? { multiple } : {} };
    const domains = domainsIn(value);
    return {
      entity: {
        ...(domains.length > 0 && { filter: { domain: domains.length === 1 ? domains[0] : domains } }),
        ...(multiple && { multiple }),
      },
    };
  }
  if (durationKeys.includes(key)) return durationSelector(value);
  if (timeKeys.includes(key) && typeof value === "string" && /^\d\d?:\d\d(:\d\d)?$/.test(value)) return { time: {} };
  if (typeof value === "number" && !["id", "max"].includes(key)) return { number: { mode: "box", step: "any" } };
  if (typeof value === "string" && textKeys.includes(key)) return { text: {} };
  return undefined;
}

// Half an hour before sunset is no duration.
function durationSelector(value: unknown): Selector {
  const parts = partsOf(value);
  if (parts && Object.values(parts).every((part) => part >= 0)) return { duration: {} };
  return typeof value === "string" ? { text: {} } : { object: {} };
}

// The same thing at several places is one input, and so are equal values at the same key.
export function candidatesOf(item: Item): Candidate[] {
  const found = new Map<string, Candidate>();
  const visit = (value: unknown, path: Path): void => {
    const key = String(path.findLast((part) => typeof part === "string") ?? "");
    const selector = path.length > 1 && typeof path.at(-1) === "string" ? selectorOf(key, value) : undefined;
    if (selector) {
      const kind = JSON.stringify([idKeys[key] ?? key, value]);
      const known = found.get(kind);
      if (known) known.paths.push(path);
      else found.set(kind, { value, paths: [path], selector, at: key });
      return;
    }
    if (Array.isArray(value)) value.forEach((each, index) => visit(each, [...path, index]));
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) visit(each, [...path, name]);
  };
  for (const [key, value] of Object.entries(item))
    if (!["alias", "description", "id", "mode", "use_blueprint"].includes(key)) visit(value, [key]);
  return [...found.values()];
}

export interface Chosen {
  candidate: Candidate;
  name: string;
  // True if what is there now is its default.
  isDefault: boolean;
}

export interface Made {
  text: string;
  // The values for the inputs with which the item stays as it is.
  inputs: Record<string, unknown>;
}

export function madeText(item: Item, domain: string, about: { name: string; description: string }, chosen: Chosen[]): Made {
  const { alias: _, description: __, id: ___, ...body } = item;
  const keys = new Set<string>();
  const named = chosen.map((each) => ({ ...each, key: freeKey(objectIdOf(each.name) || each.candidate.at, keys) }));
  const input = Object.fromEntries(
    named.map(({ key, name, candidate, isDefault }) => [
      key,
      { name, selector: candidate.selector, ...(isDefault && { default: candidate.value }) },
    ]),
  );
  const blueprint = {
    name: about.name,
    ...(about.description && { description: about.description }),
    domain,
    ...(named.length > 0 && { input }),
  };
  const document = new Document({ blueprint, ...body }, { compat: "yaml-1.1", aliasDuplicateObjects: false });
  for (const { key, candidate } of named) for (const path of candidate.paths) put(document.contents as Node, path, key);
  return {
    text: document.toString({ lineWidth: 0 }),
    inputs: Object.fromEntries(named.map(({ key, candidate }) => [key, candidate.value])),
  };
}

function freeKey(stem: string, taken: Set<string>): string {
  for (let i = 1; ; i++) {
    const key = i === 1 ? stem : `${stem}_${i}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return key;
  }
}

// Puts `!input key` there.
function put(node: Node, path: Path, key: string): void {
  const [part, ...more] = path;
  const tagged = new Scalar(key);
  tagged.tag = "!input";
  if (isMap(node)) {
    const pair = node.items.find(({ key: name }) => isScalar(name) && name.value === part);
    if (!pair) return;
    if (more.length === 0) pair.value = tagged;
    else put(pair.value as Node, more, key);
  } else if (isSeq(node)) {
    if (more.length === 0) node.items[part as number] = tagged;
    else put(node.items[part as number] as Node, more, key);
  }
}
