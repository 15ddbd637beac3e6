// SPDX-License-Identifier: Apache-2.0
// The hub's words about errors and in its log, in the page's language: languages/messages.<tag>.json has the hub's texts, with {} for
// what changes, and what they are in that language. What is not in it stays as the hub says it.

type Messages = Record<string, string>;

const files = import.meta.glob<Messages>("./languages/{messages,reports}.*.json", { import: "default" });

let patterns: [RegExp, string][] = [];
let spoken = "en";
// The reports of imports have many more words, which are wanted only where they are read.
let wantsReports = false;

// Without the file the hub's own words have to do.
export async function loadMessages(language: string): Promise<void> {
  spoken = language;
  const names = wantsReports ? ["messages", "reports"] : ["messages"];
  const read = await Promise.all(names.map((name) => files[`./languages/${name}.${language}.json`]?.().catch(() => undefined)));
  if (language !== spoken) return;
  const messages = Object.assign({}, ...read) as Messages;
  // The longest first: "there is {}" fits what others say better.
  patterns = Object.entries(messages)
    .sort(([a], [b]) => b.length - a.length)
    .map(([text, own]) => [patternOf(text), own]);
}

// Also what the hub says in the report of an import, from now on in each language.
export async function loadReportMessages(): Promise<void> {
  if (wantsReports) return;
  wantsReports = true;
  await loadMessages(spoken);
}

function patternOf(text: string): RegExp {
  const parts = text.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.*?)")}$`, "s");
}

export function hubMessage(text: string): string {
  for (const [pattern, own] of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    let next = 1;
    return own.replace(/\{\}/g, () => faultMessage(found[next++] ?? ""));
  }
  return text;
}

// With the place before what is wrong: "automations.yaml:3:5: actions[0].delay: expected a duration …".
const placed = /^(?:\S+:\d+(?::\d+)?: )?(?:[a-z_]+(?: [^\s:]+)?(?:\[\d+\]|\.\w+)*: )?/;

export function faultMessage(text: string): string {
  const place = placed.exec(text)?.[0] ?? "";
  const whole = hubMessage(text);
  return whole === text ? place + hubMessage(text.slice(place.length)) : whole;
}

// One a line.
export function faultMessages(text: string): string {
  return text.split("\n").map(faultMessage).join("\n");
}

// Places in the hub's sources say nothing to those who read its log on a page; the log itself has them.
export function withoutPlaces(text: string, part: string): string {
  return text.replace(/\bsrc\/[\w./-]+\.(?:cpp|h):\d+/g, part);
}
