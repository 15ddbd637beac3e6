// SPDX-License-Identifier: Apache-2.0
// Of what less is known than was asked for, in few sentences.
import { formatTime, language, t } from "../../i18n/catalogue";

// A state that begins this late after the span was not known at its start. Seconds.
const late = 60;
// So many names stand in a sentence; of more it tells their number.
const few = 4;

interface Known {
  name: string;
  // When the first thing that is known of it was, in seconds since 1970.
  first: number | undefined;
  recorded: boolean;
}

function joined(names: string[]): string {
  if (names.length > few) return t("history.manyEntities", { count: names.length });
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

export function notesOf(all: Known[], start: number, timeZone: string): string[] {
  const notes: string[] = [];
  const names = (some: Known[]) => joined(some.map(({ name }) => name));
  const unknown = all.filter(({ first }) => first === undefined);
  const unrecorded = all.filter(({ first, recorded }) => first !== undefined && !recorded);
  if (unknown.length > 0) notes.push(t("history.nothingKnown", { name: names(unknown) }));
  if (unrecorded.length > 0) notes.push(t("history.notRecorded", { name: names(unrecorded) }));
  const time = (seconds: number) => formatTime(new Date(seconds * 1000), timeZone, { dateStyle: "medium", timeStyle: "short" });
  const since = new Map<string, Known[]>();
  for (const one of all) {
    if (one.first === undefined || !one.recorded || one.first <= start + late) continue;
    const text = time(one.first);
    since.set(text, [...(since.get(text) ?? []), one]);
  }
  if (since.size === 0) return notes;
  if (since.size === 1) {
    const [[text, some]] = [...since] as [[string, Known[]]];
    return [...notes, t("history.knownSince", { count: some.length, name: names(some), time: text })];
  }
  const parts = [...since].map(([text, some]) => `${names(some)} (${text})`);
  return [...notes, t("history.knownLate", { list: parts.join(", ") })];
}
