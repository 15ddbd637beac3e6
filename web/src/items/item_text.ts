// SPDX-License-Identifier: Apache-2.0
// The YAML text of an item, and where in it what is wrong stands.
import { isMap, isScalar, isSeq, LineCounter, parseDocument, stringify, visit, type Document, type Node, type Pair } from "yaml";

import type { Item } from "../api/automations";

// The error of the text from one character to another.
export interface Problem {
  from: number;
  to: number;
  // From 1; none of what no line of the text is about.
  line?: number;
  message: string;
  // The part of the item that it is about, as the hub says it: "triggers[0].entity_id"; and its error.
  path?: string;
  said?: string;
  // The hub's own words of it, in English.
  hub?: string;
}

export class ItemText {
  private readonly lines = new LineCounter();
  private parsed: Document.Parsed | undefined;

  // `known`: what it means, if somebody knows; then it has neither problems nor tags. To read a long text takes seconds.
  constructor(
    private readonly text: string,
    private readonly known?: Item,
  ) {}

  private get document(): Document.Parsed {
    return (this.parsed ??= parseDocument(this.text, { lineCounter: this.lines, prettyErrors: false }));
  }

  // Reasons that keep it from being read as YAML. `unread` says how a tag is refused, empty if it is not, `expected` the kind that is wanted instead
  // of a list or a text.
  problems(words: { unread: (tag: string) => string; expected: string }): Problem[] {
    if (this.known) return [];
    const { errors, warnings, contents } = this.document;
    const found = errors.map(({ pos, message }) => this.at(pos[0], pos[1], message));
    if (found.length > 0) return found;
    for (const { pos, code, message } of warnings) {
      if (code === "TAG_RESOLVE_FAILED") {
        const said = words.unread(this.text.slice(...pos).split(/\s/)[0] ?? "");
        if (said) found.push(this.at(pos[0], pos[1], said));
      } else found.push(this.at(pos[0], pos[1], message));
    }
    if (found.length === 0 && !isMap(contents)) found.push(this.at(0, this.firstLineEnd(), words.expected));
    if (found.length > 0) return found;
    try {
      this.item();
    } catch (error) {
      found.push(this.at(0, this.firstLineEnd(), error instanceof Error ? error.message : String(error))); // aliases without end
    }
    return found;
  }

  // Only of a text without problems.
  item(): Item {
    return this.known ?? (this.document.toJS() as Item);
  }

  // Likewise, with secrets masked as the hub masks them.
  masked(): Item {
    if (this.known) return this.known;
    const document = this.document.clone();
    visit(document, { Scalar: (_, node) => void (node.tag === "!secret" && (node.value = "********")) });
    return document.toJS() as Item;
  }

  // Each line of what the hub says: "triggers[0].platfrom: unknown key" at that key.
  refusals(message: string, say: (text: string) => string = (text) => text): Problem[] {
    return message
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => this.refusal(line, say));
  }

  private refusal(line: string, say: (text: string) => string): Problem {
    // Of the item's own text the hub counts the lines as they are here.
    const own = /^item\.yaml:(\d+):(?:(\d+):)? (?:not valid YAML: )?(.*)$/s.exec(line);
    const from = own ? this.lineStart(Number(own[1])) + Number(own[2] ?? 1) - 1 : 0;
    if (own?.[2]) return this.at(from, this.lineEnd(from), say(own[3] ?? ""));
    const text = line.replace(/^\S+\.ya?ml:\d+:(?:\d+:)? /, "");
    const parts = /^\.?([A-Za-z_][^:]*?): (.*)$/s.exec(text);
    const found = parts ? this.find(parts[1] as string) : undefined;
    if ((!parts || !found) && !own) return { from: 0, to: 0, message: say(text), hub: text };
    if (!parts || !found) return { ...this.at(from, this.lineEnd(from), say(text)), hub: text };
    const [, path = "", wrong = ""] = parts;
    return { ...this.at(found[0], found[1], `${path}: ${say(wrong)}`), path, said: say(wrong), hub: wrong };
  }

  // Where what the path names stands, or the innermost of its parents that is there.
  private find(path: string): [from: number, to: number] | undefined {
    let node: unknown = this.document.contents;
    let place: [number, number] | undefined;
    for (let rest = path; rest !== ""; ) {
      const index = /^\[(\d+)\]/.exec(rest);
      if (index) {
        rest = rest.slice(index[0].length);
        if (!isSeq(node)) continue; // a list may be written as its single item
        node = node.items[Number(index[1])];
        place = rangeOf(node) ?? place;
        continue;
      }
      const pair = isMap(node) ? longest(node.items as Pair[], rest.replace(/^\./, "")) : undefined;
      if (!pair) break;
      rest = rest.replace(/^\./, "").slice(pair.length);
      place = rangeOf(pair.pair.key) ?? place;
      node = pair.pair.value;
    }
    return place;
  }

  private firstLineEnd(): number {
    return this.lineEnd(0);
  }

  private lineEnd(from: number): number {
    const end = this.text.indexOf("\n", from);
    return end < 0 ? this.text.length : end;
  }

  // Of a line counted from 1.
  private lineStart(line: number): number {
    return this.lines.lineStarts[line - 1] ?? 0;
  }

  private at(from: number, to: number, message: string): Problem {
    const begin = Math.min(from, this.text.length);
    const end = Math.max(begin, Math.min(to, this.text.length));
    void this.document; // which counts the lines
    return { from: begin, to: end, line: this.lines.linePos(begin).line || 1, message };
  }
}

// Of a map's keys the longest that the path begins with: keys may hold dots, as entity ids do.
function longest(pairs: Pair[], path: string): { pair: Pair; length: number } | undefined {
  let best: { pair: Pair; length: number } | undefined;
  for (const pair of pairs) {
    const key = isScalar(pair.key) ? String(pair.key.value) : "";
    if (key === "" || !path.startsWith(key) || !/^([.[]|$)/.test(path.slice(key.length))) continue;
    if (!best || key.length > best.length) best = { pair, length: key.length };
  }
  return best;
}

// Without the comments and line ends behind it; of a map or list in blocks only its first line.
function rangeOf(node: unknown): [number, number] | undefined {
  const range = (node as Node | undefined)?.range;
  if (!range) return undefined;
  if (isMap(node) && !node.flow) return rangeOf((node.items[0] as Pair | undefined)?.key) ?? [range[0], range[1]];
  return [range[0], range[1]];
}

// Words that older YAML reads as true or false are quoted, so that the text means the same in every file.
const form = { lineWidth: 0, compat: "yaml-1.1", aliasDuplicateObjects: false } as const;
// Lists of so many rows are written row by row.
const many = 100;
// Of rows, so that a change of one of thousands costs little.
const rowTexts = new WeakMap<object, string>();

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= many;
}

function rowText(row: unknown): string {
  const known = typeof row === "object" && row !== null ? rowTexts.get(row) : undefined;
  if (known !== undefined) return known;
  const text = stringify([row], form).replace(/^(?=.)/gm, "  ");
  if (typeof row === "object" && row !== null) rowTexts.set(row, text);
  return text;
}

export function textOf(item: Item): string {
  if (Object.keys(item).length === 0) return "";
  if (!Object.values(item).some(isLong)) return stringify(item, form);
  const parts = Object.entries(item).filter(([, value]) => value !== undefined);
  return parts
    .map(([key, value]) =>
      isLong(value) ? `${stringify(key, form).trimEnd()}:\n${value.map(rowText).join("")}` : stringify({ [key]: value }, form),
    )
    .join("");
}

// Milliseconds of work at a stretch.
const stretch = 30;

// The same, without keeping the page from doing anything else meanwhile.
export async function textOfLong(item: Item): Promise<string> {
  let start = performance.now();
  for (const row of Object.values(item).filter(isLong).flat()) {
    rowText(row);
    if (performance.now() - start < stretch) continue;
    await new Promise((resume) => setTimeout(resume));
    start = performance.now();
  }
  return textOf(item);
}

// A text and what it means.
export interface Known {
  text: string;
  item: Item;
}

// Texts that are read by something quicker, which does not know where in them what stands.
const longText = 100_000;

// The meaning of a long text, if that is quickly found: it is YAML without tags and anchors. `known` if that is it, or not known better.
export async function knownOf(text: string, known: Known | undefined): Promise<Known | undefined> {
  if (text.length < longText || known?.text === text || /(^|\s)[!&*]|<</.test(text)) return known;
  const { load, CORE_SCHEMA } = await import("js-yaml");
  try {
    const item = load(text, { schema: CORE_SCHEMA });
    return typeof item === "object" && item !== null && !Array.isArray(item) ? { text, item: item as Item } : known;
  } catch {
    return known;
  }
}

// Of a part of an item.
export function textOfPart(value: unknown): string {
  return value === undefined ? "" : stringify(value, form);
}

// True if two items are the same, whatever the order of their keys.
export function isSameItem(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

// The same text for the same value, whatever the order of its keys.
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
