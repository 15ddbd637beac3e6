// SPDX-License-Identifier: Apache-2.0
// A command in words, "kitchen off", "bedroom 19", "licht küche aus", and how that is said before it is done.
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { isEntrance } from "../../cards/domains";
import { quantity } from "../../cards/kind_words";
import { stateText } from "../../cards/state_text";
import { plain, ranks, wordsIn, type Hit } from "../../elements/fields/finder";
import { misspells } from "../../elements/fields/typos";
import { maybeT, t } from "../../i18n/catalogue";
import { changes, domainOfId, serviceFor, settingFor, type Setting } from "./able";
import type { Lexicon, Noun, Unit, Verb, Word } from "./lexicon";

export interface Call {
  domain: string;
  service: string;
  data: Record<string, number>;
  ids: string[];
}

export interface Command {
  // The same for the same calls.
  key: string;
  // "Turns off 3 lights in Kitchen"; and their names, or the state of one.
  text: string;
  note: string;
  // None if it is so already.
  calls: Call[];
  ids: string[];
}

// The results of a search for some words, the best first.
export type Find = (text: string) => Hit<{ entity?: string }>[];

// Longer texts are no commands.
const mostWords = 12;
// As many hits are looked at, and as many things are offered by their names.
const mostHits = 60;
const mostNamed = 3;
export const mostCommands = 4;
// As many names stand below a command.
const mostNames = 12;

interface Token {
  text: string;
  meaning: Word;
  value?: number;
  // It came with the number: "19°".
  unit?: Unit | undefined;
}

interface Place {
  // Empty for the whole home.
  name: string;
  has: (id: string) => boolean;
  isExact: boolean;
}

const number = /^(\d{1,6}(?:[.,]\d{1,3})?)(\D*)$/;

function tokensOf(text: string, lexicon: Lexicon): Token[] {
  return wordsIn(text).map((word) => {
    const [, digits, rest = ""] = number.exec(word) ?? [];
    const unit = rest === "" ? undefined : lexicon.get(rest)?.unit;
    if (digits === undefined || (rest !== "" && !unit)) return { text: word, meaning: lexicon.get(word) ?? {} };
    return { text: word, meaning: {}, value: Number(digits.replace(",", ".")), unit };
  });
}

// Without the words that say nothing. "Switch" is one at the beginning: "switch off the lamp".
function meaningful(tokens: Token[]): Token[] {
  return tokens.filter(({ meaning }, index) => !meaning.isFiller || (meaning.noun !== undefined && index > 0));
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

// A name that is written from the right does not turn the sentence around it.
function inSentence(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

// The domains meant if only a room is named.
const ofVerb: Partial<Record<Verb, string[]>> = {
  on: ["light"],
  off: ["light"],
  open: ["cover"],
  close: ["cover"],
  stop: ["cover"],
  lock: ["lock"],
  unlock: ["lock"],
  play: ["media_player"],
  pause: ["media_player"],
  run: ["vacuum"],
  dock: ["vacuum"],
};
const everything = ["light", "switch", "fan", "media_player"];

type Told = { verb: Verb } | { value: number; unit: Unit | undefined };

class Reader {
  constructor(
    private readonly home: Home,
    private readonly find: Find,
  ) {}

  // The thing that `tokens` name, told so.
  commands(told: Told, tokens: Token[]): Command[] {
    const named = this.named(told, tokens);
    // "Kitchen" is the room, even if a lamp has the id light.kitchen.
    const text = tokens.map((token) => token.text).join(" ");
    const isExact = (id: string) => id === text || plain(this.home.nameOf(id)) === text;
    const single = (ids: string[]) => ids.map((id) => this.command(told, [id], ""));
    return [
      ...single(named.filter(isExact)),
      ...this.groups(told, tokens),
      ...single(named.filter((id) => !isExact(id)).slice(0, mostNamed)),
    ].filter((command) => command !== undefined);
  }

  private named(told: Told, tokens: Token[]): string[] {
    if (tokens.length === 0) return [];
    const found: string[] = [];
    for (const { item, rank } of this.find(tokens.map(({ text }) => text).join(" ")).slice(0, mostHits)) {
      if (rank === ranks.parts) continue;
      const entity = item.entity === undefined ? undefined : this.home.entity(item.entity);
      if (entity && this.does(told, entity)) found.push(entity.entity_id);
    }
    return found;
  }

  private does(told: Told, entity: Entity): boolean {
    return "verb" in told
      ? serviceFor(this.home, entity, told.verb) !== undefined
      : settingFor(this.home, entity, told.value, told.unit) !== undefined;
  }

  private groups(told: Told, tokens: Token[]): (Command | undefined)[] {
    if ("verb" in told && (told.verb === "toggle" || told.verb === "press")) return [];
    const isAll = tokens.some(({ meaning }) => meaning.isAll);
    const others = tokens.filter(({ meaning }) => !meaning.isAll);
    const nouns = others.filter(({ meaning }) => meaning.noun);
    const rest = others.filter(({ meaning }) => !meaning.noun);
    const found: (Command | undefined)[] = [];
    // "Garage" may be a room, too.
    if (nouns.length > 0) for (const place of this.places(others)) found.push(...this.ofPlace(told, place, [], isAll));
    const wanted = nouns.map(({ meaning }) => meaning.noun as Noun);
    if (rest.length > 0) for (const place of this.places(rest)) found.push(...this.ofPlace(told, place, wanted, isAll));
    else if (wanted.length > 0 || isAll) found.push(...this.ofPlace(told, { name: "", has: () => true, isExact: true }, wanted, isAll));
    return found;
  }

  // The rooms and floors of that name, the best first.
  private places(tokens: Token[]): Place[] {
    const words = tokens.map(({ text }) => text);
    const wanted = words.join(" ");
    const { home } = this;
    const all: Place[] = [
      ...[...home.areas.values()].map(({ area_id, name }) => ({ name, has: (id: string) => home.areaOf(id)?.area_id === area_id })),
      ...[...home.floors.values()].map(({ floor_id, name }) => ({ name, has: (id: string) => home.areaOf(id)?.floor_id === floor_id })),
    ].map((place) => ({ ...place, isExact: plain(place.name) === wanted }));
    const begins = (name: string, is: (part: string, word: string) => boolean) => {
      const parts = plain(name).split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => parts.some((part) => is(part, word)));
    };
    const exact = all.filter(({ isExact }) => isExact);
    if (exact.length > 0) return exact;
    const begun = all.filter(({ name }) => begins(name, (part, word) => part.startsWith(word)));
    if (begun.length > 0) return begun.slice(0, 2);
    const like = new Map(words.map((word) => [word, misspells(word)]));
    return all.filter(({ name }) => begins(name, (part, word) => part.startsWith(word) || like.get(word)?.(part) === true)).slice(0, 2);
  }

  private ofPlace(told: Told, place: Place, nouns: Noun[], isAll: boolean): (Command | undefined)[] {
    if (nouns.length > 0) return [this.group(told, place, (entity) => nouns.some((noun) => isOf(entity, noun)))];
    const isPlain = (entity: Entity, domain: string) =>
      domainOfId(entity.entity_id) === domain && !(domain === "cover" && isEntrance(entity));
    if ("verb" in told) {
      const domains = isAll && told.verb === "off" ? everything : (ofVerb[told.verb] ?? []);
      return [this.group(told, place, (entity) => domains.some((domain) => isPlain(entity, domain)))];
    }
    const domains = told.unit === "degrees" ? ["climate"] : told.unit === "percent" ? ["light"] : ["climate", "light"];
    return domains.map((domain) => this.group(told, place, (entity) => isPlain(entity, domain)));
  }

  private group(told: Told, place: Place, isMeant: (entity: Entity) => boolean): Command | undefined {
    const ids: string[] = [];
    for (const [id, entity] of this.home.entities) {
      if (!isMeant(entity) || !place.has(id) || !this.does(told, entity)) continue;
      const registered = this.home.registry.get(id);
      if (!registered?.hidden_by && !registered?.entity_category) ids.push(id);
    }
    return this.command(told, ids, place.name);
  }

  // For one it is done in any case, for several where it does something.
  private command(told: Told, ids: string[], room: string): Command | undefined {
    const { home } = this;
    const calls = new Map<string, Call>();
    let setting: Setting | undefined;
    for (const id of ids) {
      const entity = home.entity(id) as Entity;
      const domain = domainOfId(id);
      setting = "value" in told ? settingFor(home, entity, told.value, told.unit) : undefined;
      const service = setting?.service ?? ("verb" in told ? serviceFor(home, entity, told.verb) : undefined);
      if (service === undefined || (ids.length > 1 && !setting && !changes(home, entity, service))) continue;
      const data = setting?.data ?? {};
      const key = `${domain}.${service} ${JSON.stringify(data)}`;
      const call = calls.get(key) ?? { domain, service, data, ids: [] };
      call.ids.push(id);
      calls.set(key, call);
    }
    if (ids.length === 0) return undefined;
    const done = [...calls.values()];
    const meant = done.length > 0 ? done.flatMap((call) => call.ids) : ids;
    const what = this.what(meant, room, ids.length === 1);
    const value = setting && "value" in told ? quantity(home, setting.attribute, told.value, setting.unit) : "";
    const text = done.length === 0 ? t("say.nothing", { what }) : t("verb" in told ? `say.${told.verb}` : "say.set", { what, value });
    return {
      key: `${text} ${meant.join(" ")}`,
      text,
      note: ids.length === 1 ? this.stateOf(meant[0] as string) : this.namesOf(meant),
      calls: done,
      ids: meant,
    };
  }

  private stateOf(id: string): string {
    const { home } = this;
    return [stateText(home, home.entity(id) as Entity), home.areaOf(id)?.name].filter(Boolean).join(" · ");
  }

  private namesOf(ids: string[]): string {
    const names = ids.slice(0, mostNames).map((id) => this.home.nameOf(id));
    return [...names, ...(ids.length > mostNames ? ["…"] : [])].join(", ");
  }

  private what(ids: string[], room: string, isNamed: boolean): string {
    const [first = ""] = ids;
    if (isNamed) return inSentence(this.home.nameOf(first));
    const kinds = new Set(ids.map(domainOfId));
    const count = { count: ids.length };
    const things = (kinds.size === 1 ? this.things(domainOfId(first), ids.length) : undefined) ?? t("say.many", count);
    return room ? t("say.in", { what: things, room: inSentence(room) }) : things;
  }

  private things(domain: string, count: number): string | undefined {
    return maybeT(`say.${domain}_one`) === undefined ? undefined : t(`say.${domain}` as "say.light", { count });
  }
}

function isOf(entity: Entity, { domain, classes }: Noun): boolean {
  return domainOfId(entity.entity_id) === domain && (!classes || classes.includes(String(entity.attributes.device_class)));
}

// Commands that say the same are one.
function once(commands: Command[]): Command[] {
  const known = new Set<string>();
  const isNew = ({ calls, ids, text }: Command) => {
    const key = calls.length > 0 ? JSON.stringify(calls) : `${text} ${ids.join(" ")}`;
    return !known.has(key) && known.add(key);
  };
  return commands.filter(isNew).slice(0, mostCommands);
}

// The commands that a text may be, the best first. None for those who may only look.
export function commandsOf(home: Home, text: string, lexicon: Lexicon, find: Find): Command[] {
  if (home.user.is_read_only) return [];
  const tokens = tokensOf(text, lexicon);
  if (tokens.length < 2 || tokens.length > mostWords) return [];
  const reader = new Reader(home, find);
  for (let index = tokens.length - 1; index >= 0; index--) {
    const verb = tokens[index]?.meaning.verb;
    if (!verb || verb === "set") continue;
    const found = reader.commands({ verb }, meaningful(tokens.filter((_, other) => other !== index)));
    if (found.length > 0) return once(found);
  }
  return once(settings(reader, tokens, find));
}

// "bedroom 19", "kitchen light 40 %". A number that is part of a name is none.
function settings(reader: Reader, tokens: Token[], find: Find): Command[] {
  const index = tokens.findLastIndex(({ value }) => value !== undefined);
  const { value, unit } = tokens[index] ?? {};
  if (value === undefined) return [];
  const after = tokens[index + 1]?.meaning.unit;
  const isPart = (other: number) => other === index || (after !== undefined && other === index + 1);
  const rest = tokens.filter((_, other) => !isPart(other));
  const isSaid = rest.some(({ meaning }) => meaning.verb === "set" || meaning.verb === "on");
  const isName = !isSaid && find(tokens.map(({ text }) => text).join(" ")).some(({ rank }) => rank <= ranks.wordsBegin);
  if (rest.length === 0 || isName) return [];
  const said = rest.filter(({ meaning }) => meaning.verb !== "set" && meaning.verb !== "on");
  return reader.commands({ value, unit: unit ?? after }, meaningful(said));
}
