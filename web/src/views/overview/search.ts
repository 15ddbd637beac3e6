// SPDX-License-Identifier: Apache-2.0
// Finds entities by words of their name, id, area, kind and state: "kitchen", "light on", "fenster offen".
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { countOf, type Count } from "../../cards/domains";
import { stateWordsOf, wordsOf } from "../../cards/found_by";
import { Finder, wordsIn } from "../../elements/fields/finder";
import { misspells } from "../../elements/fields/typos";
import { byPlace, type Tile } from "./layout";

export interface Found {
  tiles: Tile[];
  // Nothing has these words; the tiles have similar ones.
  isSimilar: boolean;
  // The name that all of them are counted by, if they were found by their state: the lights that are on.
  count?: Count | undefined;
}

// Shorter words of a search are looked for at the beginning of words only: "on" is not in "front".
const least = 3;

function has(text: string, word: string): boolean {
  return word.length < least ? ` ${text}`.includes(` ${word}`) : text.includes(word);
}

// True if a text has the word, or one that resembles it.
function resembles(wanted: string): (text: string) => boolean {
  const isMeant = misspells(wanted);
  return (text) => has(text, wanted) || text.split(" ").some(isMeant);
}

function commonCount(home: Home, tiles: Tile[]): Count | undefined {
  const found = new Set(tiles.map(({ id }) => countOf(home.entity(id) as Entity)));
  return found.size === 1 ? [...found][0] : undefined;
}

// The entities in which every word of `text` is found, the best first.
export function find(home: Home, tiles: Tile[], text: string): Found {
  const words = wordsIn(text);
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
    const states = stateWordsOf(home, tile.id);
    return missing.every((word) => ` ${states}`.includes(` ${word}`));
  });
  if (exact.length > 0) return { tiles: order(exact), isSimilar: false, count: isByState ? commonCount(home, exact) : undefined };
  const like = words.map(resembles);
  const similar = tiles.filter(({ id, words: own }) => {
    const all = `${own ?? ""} ${stateWordsOf(home, id)}`;
    return like.every((matches) => matches(all));
  });
  return { tiles: order(similar), isSimilar: similar.length > 0 };
}
