// SPDX-License-Identifier: Apache-2.0
// What pickers find by typing, the best first: what is called so, what begins so, what has the words in its name or its group, and last
// what has them in its description. A whole word counts more than a part of one.

export interface Findable {
  id: string;
  name: string;
  note?: string;
  group?: string;
}

const isPlain = /^[ -~]*$/;

// Without case and accents.
export function plain(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
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
  return {
    item,
    ids: [id, id.slice(id.indexOf(".") + 1)],
    names: [name, spaced(name).trim()],
    head: `${spaced(`${name} ${group} ${id}`)} ${name} ${group} ${id} `,
    rest: `${spaced(plain(item.note ?? ""))} ${plain(item.note ?? "")} `,
  };
}

// Smaller is better; undefined if a word is nowhere.
function rankIn({ ids, names, head, rest }: Row<unknown>, words: string[]): number | undefined {
  const wanted = words.join(" ");
  if (ids.includes(wanted)) return 0;
  if (names.includes(wanted)) return 1;
  if (!words.every((word) => head.includes(word) || rest.includes(word))) return undefined;
  if ([...ids, ...names].some((name) => name.startsWith(wanted))) return 2;
  const all = (is: (word: string) => boolean) => words.every(is);
  if (all((word) => head.includes(` ${word} `))) return 3;
  if (all((word) => head.includes(` ${word}`))) return 4;
  if (all((word) => head.includes(word))) return 5;
  const both = head + rest;
  if (all((word) => both.includes(` ${word} `))) return 6;
  return all((word) => both.includes(` ${word}`)) ? 7 : 8;
}

export class Finder<Of extends Findable> {
  private readonly rows: Row<Of>[];

  constructor(items: readonly Of[]) {
    this.rows = items.map(rowOf);
  }

  // All if nothing is typed. What is equally good keeps its order; groups stay together, the one with the best first, where a whole
  // name counts no more than how one begins: a device called "Front door" does not come before the entity "Front door lock".
  find(text: string): Of[] {
    const words = plain(text).split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.rows.map(({ item }) => item);
    const found = this.rows.flatMap((row) => {
      const rank = rankIn(row, words);
      return rank === undefined ? [] : [{ item: row.item, rank }];
    });
    const best = new Map<string | undefined, number>();
    for (const { item, rank } of found) {
      const ofGroup = rank === 1 ? 2 : rank;
      best.set(item.group, Math.min(ofGroup, best.get(item.group) ?? ofGroup));
    }
    const places = new Map([...best].sort(([, a], [, b]) => a - b).map(([group], place) => [group, place]));
    const placeOf = (group: string | undefined) => places.get(group) ?? 0;
    return found.sort((a, b) => placeOf(a.item.group) - placeOf(b.item.group) || a.rank - b.rank).map(({ item }) => item);
  }
}
