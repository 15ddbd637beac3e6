// SPDX-License-Identifier: Apache-2.0
// The words of commands, of all languages at once: a home may be German although its page is English.
import { plain } from "../../elements/fields/finder";

export const verbs = [
  "on",
  "off",
  "toggle",
  "open",
  "close",
  "stop",
  "lock",
  "unlock",
  "play",
  "pause",
  "run",
  "dock",
  "press",
  "set",
] as const;
export type Verb = (typeof verbs)[number];

// The words for things of a domain, or of some of its device classes.
export interface Noun {
  domain: string;
  classes?: string[];
}

const nouns: Record<string, Noun> = {
  light: { domain: "light" },
  switch: { domain: "switch" },
  cover: { domain: "cover" },
  garage: { domain: "cover", classes: ["garage", "garage_door"] },
  gate: { domain: "cover", classes: ["gate"] },
  door: { domain: "cover", classes: ["door"] },
  fan: { domain: "fan" },
  climate: { domain: "climate" },
  media_player: { domain: "media_player" },
  vacuum: { domain: "vacuum" },
  lock: { domain: "lock" },
  valve: { domain: "valve" },
};

export type Unit = "degrees" | "percent";

export interface Word {
  verb?: Verb;
  noun?: Noun;
  unit?: Unit;
  isAll?: boolean;
  isFiller?: boolean;
}

export type Lexicon = ReadonlyMap<string, Word>;

const own = <T>(table: Record<string, T>, key: string): T | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);

function meaningOf(key: string): Word {
  if (key === "all") return { isAll: true };
  if (key === "filler") return { isFiller: true };
  if (key === "degrees" || key === "percent") return { unit: key };
  const noun = key.startsWith("of_") ? own(nouns, key.slice("of_".length)) : undefined;
  if (noun) return { noun };
  const verb = verbs.find((known) => known === key);
  return verb ? { verb } : {};
}

const prefix = "command.";

// Of the late file `palette` in each language. A word may mean several things: "switch", "lock".
export function lexiconOf(languages: Record<string, string>[]): Lexicon {
  const lexicon = new Map<string, Word>();
  for (const texts of languages) {
    for (const [key, text] of Object.entries(texts)) {
      if (!key.startsWith(prefix)) continue;
      const meaning = meaningOf(key.slice(prefix.length));
      for (const word of plain(text).split(" ")) lexicon.set(word, { ...meaning, ...lexicon.get(word) });
    }
  }
  return lexicon;
}
