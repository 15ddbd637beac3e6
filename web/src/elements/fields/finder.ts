// SPDX-License-Identifier: Apache-2.0
// Choices that pickers find by typing, the best first: those called so, those that begin so, those with the words in their name or group, and last
// what has them in its description. A whole word counts more than a part of one.
import { misspells } from "./typos";

export interface Findable {
  id: string;
  name: string;
  note?: string;
  group?: string;
  // It is found by these as by its name.
  words?: string;
}

// How good what was found is; smaller is better.
export const ranks = { id: 0, name: 1, beginning: 2, words: 3, wordsBegin: 4, parts: 5, typo: 9 } as const;

export interface Hit<Of> {
  item: Of;
  rank: number;
}

const isPlain = /^[ -~]*$/;

// Without case and accents.
export function plain(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

// Names in this key's order stand as people sort them: case and accents count little, "Lamp 9" comes before "Lamp 10". A collator does
// it better, and needs a second for 10,000 names on an old tablet.
export function sortKeyOf(name: string): string {
  return plain(name).replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

export function wordsIn(text: string): string[] {
  return plain(text).split(/\s+/).filter(Boolean);
}

const spaced = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

interface Row<Of> {
  item: Of;
  // "sensor.big_5", "big_5"; and what people call it.
  ids: string[];
  names: string[];
  // The words of its name, group and id; and its description besides.
  head: string;
  rest: string;
}

function rowOf<Of extends Findable>(item: Of): Row<Of> {
  const id = plain(item.id.slice(item.id.indexOf(":") + 1));
  const name = plain(item.name);
  const group = plain(item.group ?? "");
  const words = plain(item.words ?? "");
  return {
    item,
    ids: [id, id.slice(id.indexOf(".") + 1)],
    names: [name, spaced(name).trim()],
    head: `${spaced(`${name} ${group} ${id} ${words}`)} ${name} ${group} ${id} `,
    rest: item.note === undefined ? "" : `${spaced(plain(item.note))} ${plain(item.note)} `,
  };
}

interface Wanted {
  text: string;
  words: string[];
  // " word ", " word"
  whole: string[];
  begun: string[];
}

function wantedOf(words: string[]): Wanted {
  return { text: words.join(" "), words, whole: words.map((word) => ` ${word} `), begun: words.map((word) => ` ${word}`) };
}

const hasAll = (text: string, parts: string[]): boolean => parts.every((part) => text.includes(part));

// Undefined if a word is nowhere.
function rankIn({ ids, names, head, rest }: Row<unknown>, { text, words, whole, begun }: Wanted): number | undefined {
  const inHead = hasAll(head, words);
  if (!inHead && (rest === "" || !words.every((word) => head.includes(word) || rest.includes(word)))) return undefined;
  if (ids.includes(text)) return ranks.id;
  if (names.includes(text)) return ranks.name;
  if (ids.some((id) => id.startsWith(text)) || names.some((name) => name.startsWith(text))) return ranks.beginning;
  if (inHead) return hasAll(head, whole) ? ranks.words : hasAll(head, begun) ? ranks.wordsBegin : ranks.parts;
  const both = head + rest;
  return hasAll(both, whole) ? 6 : hasAll(both, begun) ? 7 : 8;
}

// In the order of their ranks; what is equally good keeps its order.
function inOrder<Of>(hits: Hit<Of>[]): Hit<Of>[] {
  const byRank: Hit<Of>[][] = [];
  for (const hit of hits) (byRank[hit.rank] ??= []).push(hit);
  return byRank.flat();
}

export class Finder<Of extends Findable> {
  private readonly rows: Row<Of>[];
  // Of the last text: whoever types on looks among these only.
  private last: { text: string; rows: Row<Of>[] } | undefined;
  // By their words, without those that have digits.
  private vocabulary: Map<string, Row<Of>[]> | undefined;

  // Rows of `former` that are about the same items are kept.
  constructor(items: readonly Of[], former?: Finder<Of>) {
    const kept = new Map(former?.rows.map((row) => [row.item, row]));
    this.rows = items.map((item) => kept.get(item) ?? rowOf(item));
  }

  // All that has the words, the best first; nothing if nothing is typed.
  hits(text: string): Hit<Of>[] {
    return inOrder(this.among(wordsIn(text)));
  }

  private among(words: string[]): Hit<Of>[] {
    if (words.length === 0) return [];
    const wanted = wantedOf(words);
    const hits: Hit<Of>[] = [];
    const rows: Row<Of>[] = [];
    for (const row of this.last && wanted.text.startsWith(this.last.text) ? this.last.rows : this.rows) {
      const rank = rankIn(row, wanted);
      if (rank === undefined) continue;
      rows.push(row);
      hits.push({ item: row.item, rank });
    }
    this.last = { text: wanted.text, rows };
    return hits;
  }

  // The entities with similar words.
  similar(text: string): Hit<Of>[] {
    const words = wordsIn(text);
    let found: Set<Row<Of>> | undefined;
    for (const word of words) {
      const isMeant = misspells(word);
      const near = new Set<Row<Of>>();
      for (const [known, rows] of this.known()) if (isMeant(known)) for (const row of rows) near.add(row);
      const among: Iterable<Row<Of>> = found ?? this.rows;
      found = new Set([...among].filter((row) => near.has(row) || row.head.includes(word)));
      if (found.size === 0) break;
    }
    return [...(found ?? [])].map(({ item }) => ({ item, rank: ranks.typo }));
  }

  private known(): Map<string, Row<Of>[]> {
    if (this.vocabulary) return this.vocabulary;
    this.vocabulary = new Map();
    for (const row of this.rows) {
      for (const word of new Set(row.head.match(/\p{L}{3,}/gu))) {
        const rows = this.vocabulary.get(word);
        if (rows) rows.push(row);
        else this.vocabulary.set(word, [row]);
      }
    }
    return this.vocabulary;
  }

  // All if nothing is typed. What is equally good keeps its order; groups stay together, the one with the best first, where a whole
  // name counts no more than how one begins: a device called "Front door" does not come before the entity "Front door lock".
  find(text: string): Of[] {
    const words = wordsIn(text);
    if (words.length === 0) return this.rows.map(({ item }) => item);
    const found = this.among(words);
    const best = new Map<string | undefined, number>();
    for (const { item, rank } of found) {
      const ofGroup = rank === ranks.name ? ranks.beginning : rank;
      best.set(item.group, Math.min(ofGroup, best.get(item.group) ?? ofGroup));
    }
    const places = new Map([...best].sort(([, a], [, b]) => a - b).map(([group], place) => [group, place]));
    const placeOf = (group: string | undefined) => places.get(group) ?? 0;
    return found.sort((a, b) => placeOf(a.item.group) - placeOf(b.item.group) || a.rank - b.rank).map(({ item }) => item);
  }
}
