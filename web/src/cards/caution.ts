// SPDX-License-Identifier: Apache-2.0
// Actions that people are asked about before they are done: those that open the home to the street, let water or gas flow, sound, or take a
// guard away. In its settings an entity can go without the question, or demand a PIN, which the hub checks.
import type { Home } from "../api/home";
import type { Entity } from "../api/types";
import type { Question } from "../elements/confirm";
import { t } from "../i18n/catalogue";

// Of an entity's options in the registry: {"hearth":{"ask":false}}, or "pin".
export const cautionOption = { domain: "hearth", key: "ask" } as const;

export type Asking = "always" | "never" | "pin";

type Deed = "open" | "close" | "move" | "sound" | "lock" | "unlock" | "unlatch" | "disarm" | "trigger";

interface Rule {
  // Of these device classes; of all if there are none.
  classes?: string[];
  deed: (service: string, entity: Entity, data: Record<string, unknown>) => Deed | undefined;
}

// Closing a door needs no question, moving it upwards does.
function ofDoor(service: string, { state, attributes }: Entity, data: Record<string, unknown>): Deed | undefined {
  if (service === "open_cover" || service === "turn_on") return "open";
  if (service === "toggle") return state === "open" || state === "opening" ? undefined : "open";
  if (service !== "set_cover_position") return undefined;
  const now = attributes.current_position;
  const isLower = Number(data.position) === 0 || (typeof now === "number" && Number(data.position) <= now);
  return isLower ? undefined : "move";
}

// A home without water stands still, too.
const ofValve = (service: string): Deed | undefined =>
  (({ open_valve: "open", turn_on: "open", close_valve: "close", turn_off: "close", set_valve_position: "move", toggle: "move" }) as const)[
    service
  ];

const ofSiren = (service: string, { state }: Entity): Deed | undefined =>
  service === "turn_on" || (service === "toggle" && state !== "on") ? "sound" : undefined;

const rules: Record<string, Rule> = {
  cover: { classes: ["door", "garage", "garage_door", "gate"], deed: ofDoor },
  valve: { classes: ["gas", "water"], deed: ofValve },
  siren: { deed: ofSiren },
  lock: {
    deed: (service) => (({ lock: "lock", unlock: "unlock", open: "unlatch", turn_on: "lock", turn_off: "unlock" }) as const)[service],
  },
  alarm_control_panel: { deed: (service) => (({ alarm_disarm: "disarm", alarm_trigger: "trigger" }) as const)[service] },
};

// Actions that make a home safer need no PIN: a plain question does there.
const safer: Deed[] = ["close", "lock"];

function ruleOf({ entity_id, attributes }: Entity): Rule | undefined {
  const domain = entity_id.split(".")[0] as string;
  const rule = Object.hasOwn(rules, domain) ? rules[domain] : undefined;
  return !rule?.classes || rule.classes.includes(String(attributes.device_class)) ? rule : undefined;
}

// True if there is something to ask about it at all.
export function isGuarded(entity: Entity | undefined): boolean {
  return entity !== undefined && ruleOf(entity) !== undefined;
}

export function askingOf(options: Record<string, Record<string, unknown>> | undefined): Asking {
  const kept = options?.[cautionOption.domain]?.[cautionOption.key];
  return kept === false ? "never" : kept === "pin" ? "pin" : "always";
}

const words: Record<Deed, (name: string) => Question> = {
  open: (name) => ({ heading: t("cover.openQuestion", { name }), text: "", action: t("do.open") }),
  close: (name) => ({ heading: t("cover.closeQuestion", { name }), text: "", action: t("do.close") }),
  move: (name) => ({ heading: t("cover.moveQuestion", { name }), text: "", action: t("cover.move") }),
  sound: (name) => ({ heading: t("siren.question", { name }), text: t("siren.questionText"), action: t("do.turnOn"), danger: true }),
  lock: (name) => ({ heading: t("lock.lockQuestion", { name }), text: "", action: t("lock.lock") }),
  unlock: (name) => ({ heading: t("lock.unlockQuestion", { name }), text: "", action: t("lock.unlock") }),
  unlatch: (name) => ({ heading: t("lock.openQuestion", { name }), text: t("lock.openText"), action: t("lock.open") }),
  disarm: (name) => ({ heading: `${t("do.disarm")}: ${name}`, text: "", action: t("do.disarm") }),
  trigger: (name) => ({ heading: `${t("do.trigger")}: ${name}`, text: t("kind.question"), action: t("do.trigger"), danger: true }),
};

type Known = Pick<Home, "entity" | "nameOf" | "registry">;

// Groups may be within groups.
const deepest = 5;

// The question about a service for an entity; undefined if it may be done at once. A group asks for its members.
export function cautionOf(
  home: Known,
  id: string,
  service: string,
  data: object = {},
  name = home.nameOf(id),
  depth = 0,
): Question | undefined {
  const entity = home.entity(id);
  if (!entity) return undefined;
  const members = entity.attributes.entity_id;
  const ofMembers =
    Array.isArray(members) && depth < deepest
      ? members.map((member) => cautionOf(home, String(member), service, data, home.nameOf(String(member)), depth + 1))
      : [];
  return oneOf([ownCaution(home, entity, service, data, name), ...ofMembers]);
}

function ownCaution(home: Known, entity: Entity, service: string, data: object, name: string): Question | undefined {
  const asking = askingOf(home.registry.get(entity.entity_id)?.options);
  if (asking === "never") return undefined;
  const deed = ruleOf(entity)?.deed(service, entity, data as Record<string, unknown>);
  if (!deed) return undefined;
  return asking === "pin" && !safer.includes(deed) ? { ...words[deed](name), pin: true } : words[deed](name);
}

type Part = Record<string, unknown>;
const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value);
const listed = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(",").map((id) => id.trim()) : [];

// The same of a call that somebody writes down, for all that it is for: its data and its target, which may stand in the data.
export function cautionOfCall(home: Home, service: string, call: Part): Question | undefined {
  const [domain, name = ""] = service.split(".");
  const parts = [call, call.data, call.target].filter(isPart);
  const of = (key: string) => parts.flatMap((part) => listed(part[key]));
  const [ids, devices, areas] = [of("entity_id"), of("device_id"), of("area_id")];
  const isMeant = (id: string) =>
    ids.includes(id) ||
    ids.includes("all") ||
    devices.includes(home.registry.get(id)?.device_id ?? "") ||
    areas.includes(home.areaOf(id)?.area_id ?? "");
  const meant = [...home.entities.keys()].filter((id) => (domain === "homeassistant" || id.startsWith(`${domain}.`)) && isMeant(id));
  return oneOf(meant.map((id) => cautionOf(home, id, name, Object.assign({}, ...parts) as Part)));
}

// The same of steps of an automation, with all within them.
export function cautionOfSteps(home: Home, steps: unknown): Question | undefined {
  if (Array.isArray(steps)) return oneOf(steps.map((step) => cautionOfSteps(home, step)));
  if (!isPart(steps)) return undefined;
  const service = steps.action ?? steps.service;
  const own = typeof service === "string" ? cautionOfCall(home, service, steps) : undefined;
  return oneOf([own, ...Object.values(steps).map((part) => cautionOfSteps(home, part))]);
}

// One question for several.
export function oneOf(all: (Question | undefined)[]): Question | undefined {
  const questions = all.filter((question) => question !== undefined);
  const [first] = questions;
  return first && questions.length > 1
    ? {
        ...first,
        ...(questions.some(({ pin }) => pin) && { pin: true }),
        text: questions
          .slice(1)
          .map(({ heading }) => heading)
          .join(" "),
      }
    : first;
}
