// SPDX-License-Identifier: Apache-2.0
// Names of domains for other pages: the words and icons that ours have for them. The build writes them to assets/names.json.
import * as mdi from "@mdi/js";

import { domains, lively, words, type Drawing } from "./cards/domains";
import { classes, states } from "./cards/icons";
import { onOffWords } from "./cards/on_off_words";

const keys = new Map(Object.entries(mdi).map(([key, path]) => [path, key.slice("mdi".length)]));
// Where a digit stands, the key does not tell whether a hyphen stands before it.
const withDigit: Record<string, string> = { Brightness5: "brightness-5", MoleculeCo2: "molecule-co2" };

// "mdi:door-open" for the drawing of DoorOpen.
function nameOf(path: string): string {
  const key = keys.get(path);
  if (key === undefined) throw new Error("A drawing is none of @mdi/js.");
  if (/\d/.test(key) && !(key in withDigit)) throw new Error(`${key}: write its name into withDigit (src/names.ts).`);
  return `mdi:${withDigit[key] ?? key.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase()}`;
}

// At rest, and when it is on or open.
function namesOf(drawing: Drawing): string[] {
  return (typeof drawing === "string" ? [drawing] : drawing).map(nameOf);
}

function mapped<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

// The texts that are the names of something.
const ofNames = /^(binary|do|domain|field|generic|state|todo)\./;

export function names(languages: Record<string, Record<string, string>>): string {
  const named = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).filter(([key]) => ofNames.test(key)));
  return JSON.stringify({
    languages: mapped(languages, named),
    on_off_words: onOffWords,
    words,
    domains: Object.fromEntries(
      domains.map(([name, domain]) => [
        name,
        {
          icon: namesOf(domain.icon),
          active: domain.active ?? lively,
          words: domain.words ?? {},
          classes: mapped(classes[name] ?? {}, namesOf),
          states: mapped(states[name] ?? {}, nameOf),
        },
      ]),
    ),
  });
}
