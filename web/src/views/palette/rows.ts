// SPDX-License-Identifier: Apache-2.0
// The rows of the palette: what it shows for what is typed, the best first.
import type { Home } from "../../api/home";
import { readSites } from "../../api/sites";
import { ranks } from "../../elements/fields/finder";
import { language, wordsOfAll } from "../../i18n/catalogue";
import { base, type Page } from "../../router";
import { commandsOf, type Command } from "./commands";
import { Entries, type Entry } from "./entries";
import { lexiconOf, type Lexicon } from "./lexicon";
import { commandText, recentKeys } from "./recent";

export type Row = { key: string; command: Command; typed: string } | { key: string; entry: Entry };

export interface Found {
  rows: Row[];
  // As many more were found.
  left: number;
  // Nothing has these words; the rows have similar ones.
  isSimilar: boolean;
  // As many of the rows were chosen before.
  recent: number;
}

// As many hits are drawn; to see others, the user types more.
const most = 12;
// As many rows are there when nothing is typed.
const mostFirst = 12;

let lexicon: Lexicon = new Map();

export async function loadLexicon(): Promise<void> {
  if (lexicon.size === 0) lexicon = lexiconOf(await wordsOfAll("palette"));
}

// Of the home that is shown; kept from one opening to the next.
let kept: { home: Home; language: string; entries: Entries; isStale: boolean } | undefined;

export function entriesOf(home: Home, pages: readonly Page[]): Entries {
  if (kept?.home !== home || kept.language !== language()) {
    const places = { base, pages, isPortal: false };
    const made = { home, language: language(), entries: new Entries(home, places), isStale: false };
    kept = made;
    home.on("structure", () => (made.isStale = true));
    if (home.user.is_admin)
      void readSites(home).then(
        ({ portal }) => {
          places.isPortal = portal;
          made.isStale ||= portal;
        },
        () => undefined, // its page is there all the same
      );
  }
  if (kept.isStale) kept.entries.update();
  kept.isStale = false;
  return kept.entries;
}

const commandRow = (command: Command, typed: string): Row => ({ key: `command ${command.key}`, command, typed });

function recentRows(home: Home, entries: Entries): Row[] {
  return recentKeys(home).flatMap((key): Row[] => {
    const typed = commandText(key);
    if (typed !== undefined) {
      const [command] = commandsOf(home, typed, lexicon, entries.find);
      return command ? [commandRow(command, typed)] : [];
    }
    const entry = entries.get(key);
    return entry ? [{ key, entry }] : [];
  });
}

// The last choices, and then the rooms and pages.
export function firstRows(home: Home, entries: Entries): Found {
  const recent = recentRows(home, entries);
  const known = new Set(recent.map(({ key }) => key));
  const others = entries.first.filter(({ id }) => !known.has(id)).map((entry): Row => ({ key: entry.id, entry }));
  return { rows: [...recent, ...others].slice(0, mostFirst), left: 0, isSimilar: false, recent: recent.length };
}

// Commands stand before what is found; behind it, if that is called just so. Beside them, only what has the words of the text counts:
// "off" is in "coffee".
export function foundRows(home: Home, entries: Entries, text: string): Found {
  const commands = commandsOf(home, text, lexicon, entries.find).map((command) => commandRow(command, text));
  let hits = entries.find(text);
  if (commands.length > 0) hits = hits.filter(({ rank }) => rank < ranks.parts);
  else if (hits.length === 0) hits = entries.findByState(text);
  const isSimilar = hits.length === 0 && commands.length === 0;
  if (isSimilar) hits = entries.similar(text);
  const rows = hits.slice(0, most).map(({ item }): Row => ({ key: item.id, entry: item }));
  const isNamed = (hits[0]?.rank ?? ranks.typo) <= ranks.name;
  return {
    rows: isNamed ? [...rows.slice(0, 1), ...commands, ...rows.slice(1)] : [...commands, ...rows],
    left: hits.length - rows.length,
    isSimilar: isSimilar && hits.length > 0,
    recent: 0,
  };
}
