// SPDX-License-Identifier: Apache-2.0
// The report of an import, in the groups in which a person reads it.
import type { Report, ReportAutomation, ReportItem } from "../../api/imports/report";

// Things that have the same reason, of which the page says one sentence.
export interface Fold {
  // The hub's words; `why` has a word for the reason if they are empty.
  text: string;
  why: string;
  items: ReportItem[];
  // The same things by what can be used in their place.
  ways: { instead: string; items: ReportItem[] }[];
}

// Things that need a person, with the same cause and words.
export interface Need {
  attention: string;
  text: string;
  do: string;
  // Empty if it is about the home as a whole.
  items: ReportItem[];
}

// Entities and devices of an integration that Hearth has not.
export interface Waiting {
  platform: string;
  instead: string;
  devices: ReportItem[];
  entities: ReportItem[];
  others: ReportItem[];
}

export interface Groups {
  needs: Need[];
  lost: Fold[];
  // The most things first.
  waiting: Waiting[];
  // Automations that name what is not there, and scripts and scenes.
  faulty: (ReportAutomation & { name: string })[];
  left: Fold[];
  // Notes of the hub about all of it.
  notes: string[];
}

const key = (...parts: (string | undefined)[]) => parts.map((part) => part ?? "").join("\n");

// Things with the same key are together, in the order in which keys come first.
function grouped(items: ReportItem[], keyOf: (item: ReportItem) => string): [ReportItem, ...ReportItem[]][] {
  const groups = new Map<string, [ReportItem, ...ReportItem[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

function folds(items: ReportItem[]): Fold[] {
  return grouped(items, ({ text, why }) => key(text || why))
    .map((group): Fold => {
      const { text = "", why = "" } = group[0];
      const ways = grouped(group, ({ instead }) => key(instead)).map((own) => ({ instead: own[0].instead ?? "", items: own }));
      return { text, why, items: group, ways };
    })
    .sort((one, other) => other.items.length - one.items.length);
}

function needsOf({ attentions, items }: Report): Need[] {
  const whole = attentions.map(({ attention, text, do: todo }): Need => ({ attention, text, do: todo, items: [] }));
  // The advice may name the thing, and says no more than the cause.
  const ofThings = grouped(
    items.filter(({ attention }) => attention),
    ({ attention, text }) => key(attention, text),
  );
  const needs = ofThings.map((group): Need => {
    const { attention = "", text = "", do: todo = "" } = group[0];
    return { attention, text, do: todo, items: group };
  });
  return [...whole, ...needs];
}

const sizeOf = ({ devices, entities, others }: Waiting) => devices.length + entities.length + others.length;

function waitingOf(items: ReportItem[]): Waiting[] {
  return grouped(items, ({ platform }) => key(platform))
    .map((group): Waiting => {
      const of = (...kinds: string[]) => group.filter(({ what }) => kinds.includes(what));
      return {
        platform: group[0].platform ?? "",
        instead: group.find(({ instead }) => instead)?.instead ?? "",
        devices: of("device"),
        entities: of("entity"),
        others: group.filter(({ what }) => what !== "device" && what !== "entity"),
      };
    })
    .sort((one, other) => sizeOf(other) - sizeOf(one));
}

// As people call them; otherwise by their ids.
function named(automations: ReportAutomation[], items: ReportItem[]): Groups["faulty"] {
  const wanted = new Set(automations.map(({ entity_id }) => entity_id));
  const names = new Map(items.filter(({ what, id }) => what === "entity" && wanted.has(id)).map(({ id, name }) => [id, name]));
  return automations.map((one) => ({ ...one, name: names.get(one.entity_id) || one.entity_id || one.id }));
}

export function groupsOf(report: Report): Groups {
  const { items, automations, notes } = report;
  const waiting = waitingOf(items.filter(({ fate }) => fate === "reserved"));
  // An integration whose things wait is said there.
  const said = new Set(waiting.map(({ platform }) => platform));
  const isSaid = ({ what, platform = "", attention }: ReportItem) => !!attention || (what === "integration" && said.has(platform));
  return {
    needs: needsOf(report),
    lost: folds(items.filter(({ fate }) => fate === "lost")),
    waiting,
    faulty: named(
      automations.filter(({ errors }) => errors.length > 0),
      items,
    ),
    left: folds(items.filter((item) => item.fate === "left" && !isSaid(item))),
    notes,
  };
}

// How many of a kind came and how many there were: of automations, which the report counts among the entities, those without errors.
export interface Tally {
  kind: string;
  works: number;
  found: number;
}

// The groups that people look for first.
const first = ["areas", "devices", "entities", "automations", "helpers", "users", "dashboards", "states", "statistics"];

// `first` in its order, then the rest; what the old home had none of is not there.
export function talliesOf({ counts, automations }: Report): { first: Tally[]; rest: Tally[] } {
  const own = automations.filter(({ entity_id }) => entity_id === "" || entity_id.startsWith("automation."));
  const all = new Map<string, Tally>(Object.entries(counts).map(([kind, { carried, found }]) => [kind, { kind, works: carried, found }]));
  if (own.length > 0) {
    const works = own.filter(({ errors }) => errors.length === 0).length;
    all.set("automations", { kind: "automations", works, found: own.length });
  }
  const there = [...all.values()].filter(({ found }) => found > 0);
  return {
    first: first.flatMap((kind) => there.filter((tally) => tally.kind === kind)),
    rest: there.filter(({ kind }) => !first.includes(kind)),
  };
}

// Things that should have come and did not.
export function lostOf({ counts }: Report): number {
  return Object.values(counts).reduce((sum, { lost }) => sum + lost, 0);
}

const shutOut = new Set(["no_password", "no_second_factor", "local_only"]);

// True if nobody who comes could log in: all of them have to be helped first.
export function isShutOut({ items }: Report): boolean {
  const people = items.filter(({ what, fate }) => what === "user" && fate === "carried");
  return people.every(({ attention = "" }) => shutOut.has(attention));
}
