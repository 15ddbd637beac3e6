// SPDX-License-Identifier: Apache-2.0
// The text of an item with another meaning. What stays is as it was written, byte for byte: comments, anchors, tags, older spellings.
import {
  isMap,
  isScalar,
  isSeq,
  parse,
  parseDocument,
  Scalar,
  stringify,
  YAMLParseError,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

import type { Item } from "../../../api/automations";
import { canonical, isSameItem } from "../../../items/item_text";
import { isConfig, type Config } from "../sentences/edit";
import { listOf, modernBranches, modernConditions, modernItem, modernSteps, modernTriggers } from "../sentences/modern";

// The kind of a part: of an item, a row of that list, one of parallel steps, an option of `choose`, `repeat`, or none of these.
type Part = "item" | "triggers" | "conditions" | "actions" | "branches" | "options" | "loop" | "plain";

const logic: Record<string, Part> = { and: "conditions", or: "conditions", not: "conditions", conditions: "conditions" };

const step: Record<string, Part> = {
  ...logic,
  ...{ if: "conditions", wait_for_trigger: "triggers", choose: "options", repeat: "loop" },
  ...{ then: "actions", else: "actions", default: "actions", sequence: "actions", parallel: "branches" },
};

const parts: Record<Part, Record<string, Part>> = {
  item: { triggers: "triggers", conditions: "conditions", actions: "actions", sequence: "actions" },
  triggers: {},
  conditions: logic,
  actions: step,
  branches: step,
  options: { conditions: "conditions", sequence: "actions" },
  loop: { while: "conditions", until: "conditions", sequence: "actions" },
  plain: {},
};

const older: Record<string, string[]> = {
  triggers: ["trigger"],
  conditions: ["condition"],
  actions: ["action"],
  action: ["service", "service_template"],
  trigger: ["platform"],
  event_data: ["event_data_template"],
};

// The key that the config has in its place; the hub tells some by their present names.
function nameIn(config: Config, name: string): string {
  return Object.hasOwn(config, name)
    ? name
    : (Object.keys(older).find((key) => older[key]?.includes(name) && Object.hasOwn(config, key)) ?? name);
}

// `or: […]`, if it was written so.
function inShort(before: Config, after: Config): Config {
  const { condition, conditions, ...rest } = after;
  const isShort =
    typeof condition === "string" && condition in logic && Object.hasOwn(before, condition) && !Object.hasOwn(before, "condition");
  return isShort ? { [condition]: conditions, ...rest } : after;
}

// As sentences know it.
function modern(part: Part, value: unknown): unknown {
  switch (part) {
    case "item":
      return modernItem(value as Item);
    case "triggers":
      return modernTriggers(value);
    case "conditions":
      return modernConditions(value);
    case "actions":
      return modernSteps(value);
    case "branches":
      return modernBranches(value);
    case "options":
      return (modernSteps([{ choose: value }])[0] as Config).choose;
    case "loop":
      return (modernSteps([{ repeat: value }])[0] as Config).repeat;
    case "plain":
      return value;
  }
}

const form = { lineWidth: 0, compat: "yaml-1.1", aliasDuplicateObjects: false } as const;
// Longer ones take seconds to be read.
const longest = 100_000;
// Keys that may stand in one line where there was a single value.
const short = 50;

// `before`: what the text means. Undefined if the text cannot be kept.
export function rewritten(text: string, before: Item, after: Item): string | undefined {
  if (text.length > longest || text.includes("\r")) return undefined;
  const { contents, errors } = parseDocument(text, { keepSourceTokens: true, prettyErrors: false });
  if (errors.length > 0 || !isBlock(contents) || !isMap(contents) || Object.keys(after).length === 0) return undefined;
  try {
    const made = new Rewriting(text).block(contents, before, after, "item");
    const whole = made && text.slice(0, made.from) + made.text + text.slice(made.to);
    if (whole) parse(whole, { logLevel: "silent" }); // an anchor may be gone
    return whole;
  } catch (error) {
    if (error instanceof Unclear || error instanceof ReferenceError || error instanceof YAMLParseError) return undefined;
    throw error;
  }
}

// The meaning of the text does not tell where it stands, as behind an alias.
class Unclear extends Error {}

type Block = (YAMLMap | YAMLSeq) & Node;

// A list or map line by line, which no other part of the text repeats.
function isBlock(node: unknown): node is Block {
  return (isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0 && isOwn(node);
}

function isOwn(node: Node): boolean {
  return !(node as { anchor?: string }).anchor && !node.srcToken?.type.startsWith("alias") && !(node.tag ?? "").startsWith("!");
}

// Part of a text that takes the place of what stands from `from` to `to`.
interface Made {
  from: number;
  to: number;
  text: string;
}

class Rewriting {
  constructor(private readonly text: string) {}

  // Another form of the value needs another text: undefined.
  block(node: Block, before: unknown, after: unknown, part: Part): Made | undefined {
    if (isSeq(node) && part === "branches" && isConfig(after) && Object.keys(after).join() === "sequence")
      return this.block(node, before, after.sequence, "actions");
    if (isSeq(node))
      return Array.isArray(after) && after.length > 0 ? this.list(node, listOf(before), after as unknown[], part) : undefined;
    const wanted = Array.isArray(after) && after.length === 1 && !Array.isArray(before) ? (after as unknown[])[0] : after; // written as its single row
    return isConfig(before) && isConfig(wanted) && Object.keys(wanted).length > 0
      ? this.map(node, before, inShort(before, wanted), part)
      : undefined;
  }

  private map(node: YAMLMap, before: Config, after: Config, part: Part): Made {
    const pairs = node.items as Pair<Scalar, Node | null>[];
    if (!pairs.every(({ key }) => isScalar(key) && isOwn(key))) throw new Unclear();
    const names = pairs.map(({ key }) => String(key.value));
    const places = this.places(
      pairs.map(({ key }) => startOf(key)),
      pairs.map(({ key, value }) => this.endOf(value ?? key)),
    );
    const isSame = (key: string, was: string) =>
      Object.hasOwn(before, was) && isSameItem(modern(parts[part][key] ?? "plain", before[was]), after[key]);
    const left = new Set(Object.keys(before));
    const added = new Set(Object.keys(after));
    const made = pairs.flatMap(({ value }, index) => {
      const name = names[index] as string;
      const was = nameIn(before, name);
      const key = nameIn(after, was);
      const place = places.all[index] as Place;
      left.delete(was);
      added.delete(key);
      if (!Object.hasOwn(after, key)) return Object.hasOwn(before, was) ? [] : [this.whole(place, places.indent)];
      if (isSame(key, was)) return [this.whole(place, places.indent)];
      const inner = this.value(value, before[was], after[key], parts[part][key] ?? "plain");
      return [
        inner
          ? this.around(place, inner, places.indent)
          : this.comments(place) + indented(stringify({ [name]: after[key] }, form), places.indent),
      ];
    });
    // Keys that others merge into it cannot be taken out here.
    for (const was of left) if (!Object.hasOwn(after, nameIn(after, was))) throw new Unclear();
    const fresh = [...added]
      .filter((key) => !isSame(key, key))
      .map((key) => indented(stringify({ [key]: after[key] }, form), places.indent));
    return this.joined(places, [...made, ...fresh]);
  }

  private list(node: YAMLSeq, before: unknown[], after: unknown[], part: Part): Made {
    const dashes = (node.srcToken as { items: { start: { type: string; offset: number }[] }[] }).items.flatMap(({ start }) =>
      start.filter(({ type }) => type === "seq-item-ind").map(({ offset }) => offset),
    );
    const items = node.items as (Node | null)[];
    if (items.length !== before.length || dashes.length !== items.length) throw new Unclear();
    const places = this.places(
      dashes,
      items.map((item, index) => (item ? this.endOf(item) : this.lineEnd(dashes[index] as number))),
    );
    const made = rowsOf(before, after, part).map(({ index, row }) => {
      const fresh = () => indented(stringify([row], form), places.indent);
      if (index === undefined) return fresh();
      const place = places.all[index] as Place;
      if (row === undefined) return this.whole(place, places.indent);
      const inner = this.value(items[index] ?? null, before[index], row, part);
      return inner ? this.around(place, inner, places.indent) : this.comments(place) + fresh();
    });
    return this.joined(places, made);
  }

  // In the place of the value alone; undefined if more has to be written anew.
  private value(node: Node | null, before: unknown, after: unknown, part: Part): Made | undefined {
    if (isBlock(node)) return this.block(node, before, after, part);
    const [from, to] = node?.range ?? [0, 0];
    if (!node || from === to || !isOwn(node) || this.text.slice(from, to).includes("\n")) return undefined;
    const made = new Scalar(after);
    if (isScalar(node)) made.type = node.type as Scalar.Type; // its quotes
    const text = stringify(typeof after === "string" ? made : after, { ...form, collectionStyle: "flow" }).trimEnd();
    return text.includes("\n") || (isScalar(node) && typeof after === "object" && text.length > short) ? undefined : { from, to, text };
  }

  // Where each row or key begins, with the comments above it, and where the last one ends.
  private places(starts: number[], ends: number[]): Places {
    const all = starts.map((start, index) => ({
      start,
      from: index === 0 ? start : this.withComments(start, ends[index - 1] as number),
      to: ends[index] as number,
    }));
    all.forEach((place, index) => (place.to = all[index + 1]?.from ?? place.to));
    return { all, indent: (starts[0] as number) - this.lineStart(starts[0] as number) };
  }

  private withComments(start: number, least: number): number {
    let from = this.lineStart(start);
    while (from > least && /^\s*(#.*)?$/.test(this.text.slice(this.lineStart(from - 1), from).trimEnd())) from = this.lineStart(from - 1);
    return from;
  }

  private comments({ from, start }: Place): string {
    return this.text.slice(from, Math.max(from, this.lineStart(start)));
  }

  private whole({ from, start, to }: Place, indent: number): string {
    return " ".repeat(from === start ? indent : 0) + this.text.slice(from, to);
  }

  private around(place: Place, inner: Made, indent: number): string {
    return this.whole({ ...place, to: inner.from }, indent) + inner.text + this.text.slice(inner.to, place.to);
  }

  private joined({ all, indent }: Places, texts: string[]): Made {
    const text = texts
      .map((each) => (each.endsWith("\n") ? each : `${each}\n`))
      .join("")
      .replace(/^\s*\n/, "");
    if (text.slice(0, indent).trim() !== "") throw new Unclear();
    return { from: all[0]?.start ?? 0, to: all.at(-1)?.to ?? 0, text: text.slice(indent) };
  }

  // Of its last line.
  private endOf(node: Node): number {
    return this.lineEnd(this.text.slice(0, node.range?.[1] ?? 0).trimEnd().length);
  }

  private lineStart(at: number): number {
    return this.text.lastIndexOf("\n", at - 1) + 1;
  }

  private lineEnd(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end + 1;
  }
}

interface Place {
  // With the comments above.
  from: number;
  start: number;
  to: number;
}

interface Places {
  all: Place[];
  indent: number;
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function indented(text: string, indent: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(indent));
}

// Which of the former rows each of the new ones is: `row` is what it has become, absent if it stays; `index` is absent if it is new.
function rowsOf(before: unknown[], after: unknown[], part: Part): { index?: number; row?: unknown }[] {
  const meant = before.map((row) => (part === "plain" ? [row] : listOf(modern(part, [row]))));
  const free = new Set(before.keys());
  const texts = meant.map(canonical);
  const rows: { index?: number; row?: unknown }[] = [];
  let next = 0;
  for (let at = 0; at < after.length; ) {
    const fits = (index: number) =>
      free.has(index) &&
      (meant[index]?.length ?? 0) > 0 &&
      texts[index] === canonical(after.slice(at, at + (meant[index] as unknown[]).length));
    const index = [at, next, ...free].find(fits);
    if (index === undefined) rows.push({ row: after[at++] });
    else {
      free.delete(index);
      rows.push({ index });
      next = index + 1;
      at += (meant[index] as unknown[]).length;
    }
  }
  // A row that has changed has some of its keys still.
  for (const each of rows) {
    if (each.index !== undefined) continue;
    const index = [...free].find((one) => meant[one]?.length === 1 && isAlike(meant[one]?.[0], each.row));
    if (index === undefined) continue;
    free.delete(index);
    each.index = index;
  }
  return rows;
}

function isAlike(one: unknown, other: unknown): boolean {
  if (!isConfig(one) || !isConfig(other)) return false;
  const keys = Object.keys(one).filter((key) => Object.hasOwn(other, key));
  return keys.length > 0 && (keys.length === Object.keys(one).length || keys.some((key) => isSameItem(one[key], other[key])));
}
