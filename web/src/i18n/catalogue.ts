// SPDX-License-Identifier: Apache-2.0
// All texts of the pages, by language. A language is one file in languages/, named by its tag, with every key of en.json;
// nothing else has to know of it. Words that the first view does not need are in late files, such as automations.<tag>.json for the
// pages of automations. service_words.ts has the words of the hub's services, hub_messages.ts those of its errors and its log.
import { loadMessages } from "./hub_messages";
import type germanAdministration from "./languages/administration.de.json";
import type administration from "./languages/administration.en.json";
import type germanArrange from "./languages/arrange.de.json";
import type arrange from "./languages/arrange.en.json";
import type germanAutomations from "./languages/automations.de.json";
import type automations from "./languages/automations.en.json";
import type germanConnections from "./languages/connections.de.json";
import type connections from "./languages/connections.en.json";
import type german from "./languages/de.json";
import type germanDialogs from "./languages/dialogs.de.json";
import type dialogs from "./languages/dialogs.en.json";
import type germanEnergy from "./languages/energy.de.json";
import type energy from "./languages/energy.en.json";
import type english from "./languages/en.json";
import type germanMoving from "./languages/moving.de.json";
import type moving from "./languages/moving.en.json";
import type germanPanel from "./languages/panel.de.json";
import type panel from "./languages/panel.en.json";
import type germanPeople from "./languages/people.de.json";
import type people from "./languages/people.en.json";
import type germanPalette from "./languages/palette.de.json";
import type palette from "./languages/palette.en.json";
import { zoneForBrowser } from "./zones";

// The late files, by the first part of their names.
interface Late {
  // Of settings, profile, developer tools and the first run.
  administration: typeof administration;
  arrange: typeof arrange;
  automations: typeof automations;
  // Of the connections of integrations, and of the flows that make them.
  connections: typeof connections;
  // Of entities' dialogs, and of notices of what was done.
  dialogs: typeof dialogs;
  // Of the page Energy, and its settings.
  energy: typeof energy;
  // Of the import from Home Assistant.
  moving: typeof moving;
  palette: typeof palette;
  // Of a person's rights and of invitations.
  people: typeof people;
  panel: typeof panel;
}
export type LatePart = keyof Late;
type LateKey = { [Part in LatePart]: keyof Late[Part] }[LatePart];
export type Key = keyof typeof english | LateKey;
export type Catalogue = Record<keyof typeof english, string>;
// A language that lacks a key does not compile.
export type German = Whole<typeof german>;
export type GermanAdministration = WholeLate<"administration", typeof germanAdministration>;
export type GermanArrange = WholeLate<"arrange", typeof germanArrange>;
export type GermanAutomations = WholeLate<"automations", typeof germanAutomations>;
export type GermanConnections = WholeLate<"connections", typeof germanConnections>;
export type GermanEnergy = WholeLate<"energy", typeof germanEnergy>;
export type GermanMoving = WholeLate<"moving", typeof germanMoving>;
export type GermanPanel = WholeLate<"panel", typeof germanPanel>;
export type GermanDialogs = WholeLate<"dialogs", typeof germanDialogs>;
export type GermanPeople = WholeLate<"people", typeof germanPeople>;
export type GermanPalette = WholeLate<"palette", typeof germanPalette>;
type Whole<Texts extends Catalogue> = Texts;
type WholeLate<Part extends LatePart, Texts extends Record<keyof Late[Part], string>> = Texts;
type Values = Record<string, string | number>;

const files = import.meta.glob<Catalogue>(["./languages/*.json", "!./languages/*.*.json"], { import: "default" });
const lateFiles = import.meta.glob<Record<string, string>>(["./languages/*.*.json", "!./languages/{messages,reports,services}.*.json"], {
  import: "default",
});

// The languages, each by its own name, once its file has been loaded: [["de", "Deutsch"], …].
export const languages = Object.keys(files).map((path) => path.slice("./languages/".length, -".json".length));

let texts = {} as Catalogue & Partial<Record<LateKey, string>>;
// The late parts that pages have asked for, and those whose words are among `texts`.
const wanted = new Set<LatePart>();
let parts = new Set<LatePart>();
let loading = Promise.resolve();
let current = "en";
// How numbers and times are written: as the browser's user does in this language, "en-GB" for "en".
let locale = "en";

// The one of `wanted` (tags, best first, "auto" for the browser's own) that there is a file for; English if none.
export function bestLanguage(wanted: string): string {
  const tags = wanted === "auto" ? navigator.languages : [wanted];
  for (const tag of tags) {
    const found = languages.find((language) => language === tag) ?? languages.find((language) => language === tag.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

const wordsOf = (part: LatePart, language: string) => lateFiles[`./languages/${part}.${language}.json`]?.();

async function adoptLanguage(language: string): Promise<void> {
  const load = files[`./languages/${language}.json`];
  if (!load) throw new Error(`There is no language ${language}.`);
  const late = [...wanted];
  const [first, , ...words] = await Promise.all([load(), loadMessages(language), ...late.map((part) => wordsOf(part, language))]);
  texts = Object.assign({}, first, ...words) as typeof texts;
  parts = new Set(late);
  current = language;
  locale = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
  document.documentElement.lang = language;
}

export function loadLanguage(language: string): Promise<void> {
  return (loading = adoptLanguage(language));
}

// Words that the first view does not need; they also come with each language that is loaded later.
export async function loadWords(part: LatePart): Promise<void> {
  wanted.add(part);
  await loading.catch(() => undefined);
  if (hasWords(part)) return;
  const language = current;
  const words = await wordsOf(part, language);
  if (language !== current) return loadWords(part);
  texts = { ...texts, ...words };
  parts.add(part);
}

export function hasWords(part: LatePart): boolean {
  return parts.has(part);
}

// The words of a late part in each language: for what people type, whatever language the page has.
export async function wordsOfAll(part: LatePart): Promise<Record<string, string>[]> {
  const found = Object.keys(lateFiles).filter((path) => path.startsWith(`./languages/${part}.`));
  return Promise.all(found.map((path) => (lateFiles[path] as () => Promise<Record<string, string>>)()));
}

export function language(): string {
  return current;
}

// The own name of a language: "Deutsch" for "de".
export function languageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

// The text of a key. "{name}" stands for a value. A key whose text depends on a count has the forms key_one, key_other, … as
// Intl.PluralRules names them; `count` chooses.
export function t(key: Key | PluralKey, values: Values = {}): string {
  let text = texts[key as Key] as string | undefined;
  if (text === undefined && typeof values.count === "number") {
    const form = new Intl.PluralRules(current).select(values.count);
    text = texts[`${key}_${form}` as Key] ?? texts[`${key}_other` as Key];
  }
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? (typeof values[name] === "number" ? formatNumber(values[name]) : String(values[name])) : whole,
  );
}

type PluralKey = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;

// For keys that are made at run time, as of the states of a domain: the text, or undefined where there is none.
export function maybeT(key: string, values: Values = {}): string | undefined {
  return key in texts ? t(key as Key, values) : undefined;
}

// Making a format takes much longer than using it: those that were made are kept, by language and options.
function keeper<Options, Format>(make: (language: string, options: Options) => Format): (options: Options) => Format {
  const kept = new Map<string, Format>();
  return (options) => {
    const key = locale + JSON.stringify(options);
    let format = kept.get(key);
    if (!format) kept.set(key, (format = make(locale, options)));
    return format;
  };
}

const numberFormat = keeper((language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options));
const timeFormat = keeper((language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options));

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return numberFormat({ maximumFractionDigits: 20, ...options }).format(value);
}

// "Kitchen, hall and bath".
export function formatList(list: string[]): string {
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(list);
}

// A number as people type it, with the decimal sign of their language or a point; undefined if it is none.
export function parseNumber(text: string): number | undefined {
  const digits = text.replace(/[^\d.,+\-−]/g, "").replace("−", "-");
  const plain = digits.includes(",") && digits.includes(".") ? digits.replaceAll(language() === "en" ? "," : ".", "") : digits;
  const value = plain === "" ? NaN : Number(plain.replace(",", "."));
  return Number.isFinite(value) ? value : undefined;
}

// In the home's time zone, which may not be the browser's.
export function formatTime(time: Date, timeZone: string, options: Intl.DateTimeFormatOptions = { timeStyle: "medium" }): string {
  return timeFormat({ ...options, timeZone: zoneForBrowser(timeZone) }).format(time);
}

export function formatDateTime(time: Date, timeZone: string): string {
  return formatTime(time, timeZone, { dateStyle: "medium", timeStyle: "medium" });
}

export function formatMinute(time: Date, timeZone: string): string {
  return formatTime(time, timeZone, { dateStyle: "medium", timeStyle: "short" });
}

// "3 minutes ago", "in 2 days".
export function formatRelative(time: Date, now = new Date()): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["year", 31536000],
    ["month", 2592000],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(Math.trunc(seconds), "second");
}

// "4 minutes", "2 days, 3 hours": the largest units, rounded up; at most two of them.
export function formatDuration(seconds: number): string {
  const units: [string, number][] = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ];
  const first = Math.max(
    0,
    units.findIndex(([, length]) => seconds >= length),
  );
  const shown = seconds < 1 ? units.slice(-1) : units.slice(first, first + (first === 2 ? 1 : 2));
  const smallest = shown.at(-1)?.[1] ?? 1;
  let rest = Math.ceil(seconds / smallest) * smallest;
  const parts: string[] = [];
  for (const [unit, length] of shown) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 || shown.length === 1) parts.push(formatNumber(count, { style: "unit", unit, unitDisplay: "long" }));
  }
  return new Intl.ListFormat(locale, { type: "unit" }).format(parts);
}

// "1.5 MiB"
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(value, { maximumFractionDigits: unit === 0 || value >= 100 ? 0 : 1 })} ${units[unit]}`;
}
