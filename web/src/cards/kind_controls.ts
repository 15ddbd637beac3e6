// SPDX-License-Identifier: Apache-2.0
// With what an entity can be used: from what the hub tells of its domain, and what the entity itself says that it can do.
import type { Entity, Kind, KindAction, KindField, Selector } from "../api/types";
import { numberIn, textIn, textsIn } from "./attributes";
import { domainOf } from "./domains";

export type Form =
  | { as: "slider" | "stepper"; min: number; max: number; step: number }
  | { as: "number"; min?: number | undefined; max?: number | undefined; step?: number | undefined }
  | { as: "choice"; options: string[] }
  | { as: "switch" | "text" | "date" | "time" | "datetime" };

// A control for one field of a service.
export interface FieldControl {
  service: string;
  field: string;
  form: Form;
  // The attribute that it becomes, "state" for the value; undefined if it is sent and not kept.
  sets: string | undefined;
  unit: string | undefined;
}

export interface Controls {
  // The services of a switch, if there is one.
  toggle: { on: string; off: string } | undefined;
  buttons: KindAction[];
  // Of attributes.
  switches: Switch[];
  fields: FieldControl[];
}

export interface Switch {
  attribute: string;
  on: string;
  off: string;
}

// As many steps a stepper takes; more are typed.
const manySteps = 200;

// The step of a number that has none of its own.
function niceStep(min: number, max: number): number {
  return 10 ** Math.floor(Math.log10((max - min) / 50));
}

function numberForm(entity: Entity, { selector, from }: KindField): Form {
  const { min: low, max: high, step: whole } = selector.number ?? {};
  const min = (from?.min !== undefined ? numberIn(entity, from.min) : undefined) ?? low;
  const max = (from?.max !== undefined ? numberIn(entity, from.max) : undefined) ?? high;
  const own = (from?.step !== undefined ? numberIn(entity, from.step) : undefined) ?? (typeof whole === "number" ? whole : undefined);
  const isSpan = min !== undefined && max !== undefined && min < max;
  if (!isSpan) return { as: "number", min, max, step: own };
  const step = own !== undefined && own > 0 ? own : niceStep(min, max);
  if (textIn(entity, "mode") !== "box") return { as: "slider", min, max, step };
  return (max - min) / step <= manySteps ? { as: "stepper", min, max, step } : { as: "number", min, max, step: own };
}

// The control that asks for the field; undefined if a card cannot.
function formOf(entity: Entity, input: KindField): Form | undefined {
  const { selector, from } = input;
  const options = from?.options !== undefined ? textsIn(entity, from.options) : selector.select?.options;
  if (options) return options.length > 0 ? { as: "choice", options } : undefined;
  if (selector.number) return numberForm(entity, input);
  if (selector.boolean) return { as: "switch" };
  if (selector.text) return selector.text.multiple ? undefined : { as: "text" };
  for (const as of ["date", "time", "datetime"] as const) if (selector[as]) return { as };
  return undefined;
}

// True if the features are among those of `supported_features`.
export function canOf(kind: Kind, entity: Entity): (needs: string[] | undefined) => boolean {
  const bits = Number(entity.attributes.supported_features) || 0;
  const has = (name: string) => kind.features.some((feature) => feature.name === name && (feature.always || (bits & feature.bit) !== 0));
  return (needs) => (needs ?? []).every(has);
}

// A number from 0 to 100 is a share.
export function unitOf({ number }: Selector): string | undefined {
  return number?.unit_of_measurement ?? (number?.min === 0 && number.max === 100 ? "%" : undefined);
}

// The services that the entity has the features for. With `detailed` all that its dialog has.
export function controlsOf(kind: Kind, entity: Entity, detailed: boolean): Controls {
  const own = domainOf(kind.domain);
  const can = canOf(kind, entity);
  const able = kind.actions.filter(({ needs, answers }) => !answers && can(needs));
  const named = (service: string | undefined) => able.find((action) => action.service === service);
  const [on, off] = [named(kind.on), named(kind.off)];
  const toggle = on && off?.value === "off" ? { on: on.service, off: off.service } : undefined;

  const pairs = Object.entries(own?.switches ?? {}).map(([attribute, services]) => ({ attribute, ...services }));
  const ofPairs = pairs.flatMap((pair) => [pair.on, pair.off]);
  const switches = pairs.filter(
    (pair) => detailed && typeof entity.attributes[pair.attribute] === "boolean" && named(pair.on) && named(pair.off),
  );

  const isWanted = ({ service, toggles }: KindAction) => {
    if (ofPairs.includes(service)) return false;
    const other = own?.leftFor?.[service];
    const isLeft = toggles || service === "toggle" || (other !== undefined && named(other) !== undefined);
    return !isLeft && (detailed || !own?.inDialog?.includes(service)) && (own?.when?.[service]?.(entity) ?? true);
  };
  const buttons: KindAction[] = [];
  const fields: FieldControl[] = [];
  const add = (action: KindAction, field: string, input: KindField) => {
    const sets = input.sets ?? field;
    const isKept = sets === "state" || kind.attributes.some(({ name }) => name === sets);
    const isSent = own?.sent?.includes(action.service) ?? false;
    const form = isKept || isSent ? formOf(entity, input) : undefined;
    if (!form || (isKept && fields.some((other) => other.sets === sets))) return;
    const unit = unitOf(input.selector) ?? (sets === "state" ? textIn(entity, "unit_of_measurement") : undefined);
    fields.push({ service: action.service, field, form, sets: isKept ? sets : undefined, unit });
  };

  const wanted = able.filter(isWanted);
  for (const action of wanted) {
    const required = Object.entries(action.fields).filter(([, input]) => input.required);
    const isOfToggle = toggle && (action === on || action === off);
    if (required.length === 0 && !isOfToggle) buttons.push(action);
    if (required.length === 1) add(action, ...(required[0] as [string, KindField]));
  }
  // A field that may go with a service, and is one of several, is chosen by itself: a remote's activity.
  for (const action of wanted) {
    for (const [field, input] of Object.entries(action.fields)) {
      if (!input.required && input.from?.options !== undefined && can(input.needs)) add(action, field, input);
    }
  }
  return { toggle, buttons, switches, fields };
}

// Where controls stand on a card of the overview.
export interface Places {
  // Beside the name: the only thing that can be done.
  button: KindAction | undefined;
  field: FieldControl | undefined;
  // Moved by the card as a whole.
  level: FieldControl | undefined;
  // Below each other.
  hasButtons: boolean;
  fields: FieldControl[];
}

export function placesOf(domain: string, { toggle, buttons, fields }: Controls): Places {
  const only = fields.length === 1 && buttons.length === 0 ? fields[0] : undefined;
  const isShort = !toggle && (only?.form.as === "choice" || only?.form.as === "stepper") && only.sets === "state";
  const isLevel = only?.form.as === "slider" && only.sets === "state" && !domainOf(domain)?.motor;
  const isSingle = !toggle && fields.length === 0 && buttons.length === 1;
  return {
    button: isSingle ? buttons[0] : undefined,
    field: isShort ? only : undefined,
    level: isLevel ? only : undefined,
    hasButtons: buttons.length > 0 && !isSingle,
    fields: isShort || isLevel ? [] : fields,
  };
}
