// SPDX-License-Identifier: Apache-2.0
// Finds entities by words of their name, id, area, kind and state: "kitchen", "light on", "fenster offen".
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { countOf, type Count } from "../../cards/domains";
import { stateText } from "../../cards/state_text";
import { Finder, plain } from "../../elements/fields/finder";
import { byPlace, type Tile } from "./layout";
import { wordsOf } from "./words";

export interface Found {
  tiles: Tile[];
  // Nothing has these words; the tiles have similar ones.
  isSimilar: boolean;
  // What all of them are counted as, if they were found by their state: the lights that are on.
  count?: Count | undefined;
}

// Shorter words of a search are looked for at the beginning of words only: "on" is not in "front".
const least = 3;
// How many letters may be wrong in a word of so many.
const faults = (length: number): number => (length < 4 ? 0 : length < 7 ? 1 : 2);

function has(text: string, word: string): boolean {
  return word.length < least ? ` ${text}`.includes(` ${word}`) : text.includes(word);
}

function statesOf(home: Home, id: string): string {
  const entity = home.entity(id);
  return entity ? plain(`${entity.state} ${stateText(home, entity)}`) : "";
}

// Edits (a letter more, less, another, or two in the wrong order) from `a` to `b`, as far as they are at most `most`.
function isNear(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + other);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return (last[b.length] as number) <= most;
}

// Whether a word is that of the search, or would begin so, but for some letters.
function resembles(wanted: string): (text: string) => boolean {
  const most = faults(wanted.length);
  const known = new Map<string, boolean>();
  const isLike = (word: string) => {
    let like = known.get(word);
    if (like === undefined) {
      like = isNear(wanted, word, most) || (word.length > wanted.length && isNear(wanted, word.slice(0, wanted.length), most));
      known.set(word, like);
    }
    return like;
  };
  return (text) => has(text, wanted) || (most > 0 && text.split(" ").some(isLike));
}

function commonCount(home: Home, tiles: Tile[]): Count | undefined {
  const found = new Set(tiles.map(({ id }) => countOf(home.entity(id) as Entity)));
  return found.size === 1 ? [...found][0] : undefined;
}

// Those in which every word of `text` is found, the best first.
export function find(home: Home, tiles: Tile[], text: string): Found {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const order = (found: Tile[]) => {
    const named = found.sort(byPlace).map((tile) => ({ id: tile.id, name: home.nameOf(tile.id), tile }));
    const best = new Finder(named).find(text).map(({ tile }) => tile);
    return [...new Set([...best, ...found])];
  };
  let isByState = true;
  const exact = tiles.filter((tile) => {
    const own = (tile.words ??= wordsOf(home, tile.id));
    const missing = words.filter((word) => !has(own, word));
    if (missing.length === 0) {
      isByState = false;
      return true;
    }
    const states = statesOf(home, tile.id);
    return missing.every((word) => ` ${states}`.includes(` ${word}`));
  });
  if (exact.length > 0) return { tiles: order(exact), isSimilar: false, count: isByState ? commonCount(home, exact) : undefined };
  const like = words.map(resembles);
  const similar = tiles.filter(({ id, words: own }) => {
    const all = `${own ?? ""} ${statesOf(home, id)}`;
    return like.every((matches) => matches(all));
  });
  return { tiles: order(similar), isSimilar: similar.length > 0 };
}
