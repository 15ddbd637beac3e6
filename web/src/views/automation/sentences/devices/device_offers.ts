// SPDX-License-Identifier: Apache-2.0
// The triggers, conditions and steps that a device offers, from what its entities can, and taking one of them.
import { entitiesByDevice } from "../../../../api/devices";
import type { Entity } from "../../../../api/types";
import { canOf } from "../../../../cards/kind_controls";
import { serviceOf } from "../call_pieces";
import type { Config } from "../edit";
import { statesOf, type Knowledge } from "../home_words";
import { commonKeys } from "../kinds";
import {
  choicesIn,
  conditionTypes,
  deviceStep,
  deviceSteps,
  keysOfMeaning,
  meaningOf,
  triggerTypes,
  type DeviceStep,
} from "./device_forms";
import { isStep } from "./device_words";

// Without what only looks as if it could: a lock that has no "jammed".
function isPossible({ home }: Knowledge, { entity_id }: Entity, config: Config): boolean {
  const { state } = meaningOf(config) ?? {};
  const known = state === undefined ? [] : statesOf(home, [entity_id]);
  return known.length === 0 || known.includes(String(state));
}

const dims = ({ attributes }: Entity) =>
  Array.isArray(attributes.supported_color_modes) &&
  attributes.supported_color_modes.some((mode) => mode !== "onoff" && mode !== "unknown");

function canDo({ home }: Knowledge, entity: Entity, domain: string, { type, service }: DeviceStep): boolean {
  const kind = home.kinds.get(domain);
  const action = kind?.actions.find((one) => `${domain}.${one.service}` === service);
  if (!kind || !action) return false;
  const can = canOf(kind, entity);
  if (type === "flash") return can(action.fields.flash?.needs);
  return can(action.needs) && (!type.startsWith("brightness_") || dims(entity));
}

function offersOf(know: Knowledge, config: Config, device_id: string, ids: string[]): Config[] {
  return ids.flatMap((entity_id) => {
    const entity = know.home.entity(entity_id);
    if (!entity) return [];
    const domain = entity_id.slice(0, entity_id.indexOf("."));
    const asked = (type: string): Config => ({ device_id, domain, entity_id, type });
    if (isStep(config))
      return deviceSteps(domain)
        .filter((step) => canDo(know, entity, domain, step))
        .map(({ type }) => asked(type));
    const { trigger } = config;
    const types = trigger === undefined ? conditionTypes(domain, entity.attributes) : triggerTypes(domain, entity.attributes);
    return types.map(asked).filter((one) => isPossible(know, entity, { ...one, ...(trigger !== undefined && { trigger }) }));
  });
}

// The offers that people want first: not how well the device is connected.
function entitiesOf({ home }: Knowledge): Map<string, string[]> {
  const rank = (id: string) => Number(Boolean(home.registry.get(id)?.entity_category));
  return new Map([...entitiesByDevice(home)].map(([device, ids]) => [device, ids.sort((a, b) => rank(a) - rank(b))]));
}

// The words of the row about its device; of a trigger without the device's own events beside its entities.
export function deviceOffersOf(know: Knowledge, config: Config, device = String(config.device_id ?? "")): Config[] {
  return offersOf(know, config, device, entitiesOf(know).get(device) ?? []);
}

// The devices that offer something for the row.
export function ableDevices(know: Knowledge, config: Config): Set<string> {
  return new Set([...entitiesOf(know)].filter(([device, ids]) => offersOf(know, config, device, ids).length > 0).map(([device]) => device));
}

const kept = new Set(["trigger", "condition", "variables", ...Object.values(commonKeys).flat()]);
const limits = ["above", "below"];

// Further keys of the type, with their first values where it cannot do without.
function keysOf(know: Knowledge, config: Config): [key: string, begin?: unknown][] {
  if (isStep(config)) {
    const step = deviceStep(config);
    return (step?.keys ?? []).map(([key, field]) => {
      const known = serviceOf(know, step?.service)?.fields[field];
      if (config.type === "flash" && key === "flash") return [key, "short"];
      return known?.required ? [key, known.selector && "number" in known.selector ? null : ""] : [key];
    });
  }
  const meaning = meaningOf(config);
  if (!meaning) return [];
  return keysOfMeaning(config, meaning).map((key) => (key === meaning.key ? [key, ""] : [key]));
}

// The row with another of the offers; what that takes, too, stays.
export function withOffer(know: Knowledge, config: Config, offer: Config): Config {
  const own = Object.entries(config).filter(([key]) => kept.has(key) || key in offer);
  const next: Config = { ...Object.fromEntries(own), ...offer };
  for (const [key, begin] of keysOf(know, next)) {
    if (key in config) next[key] = config[key];
    else if (begin !== undefined) next[key] = begin;
  }
  if (!isStep(next) && meaningOf(next)?.limits && !limits.some((key) => key in next)) next.above = null;
  return next;
}

// The row for another device: it says the same of it if that offers it, otherwise nothing yet.
export function withDevice(know: Knowledge, config: Config, device_id: string): Config {
  const { type, domain } = config;
  const same = deviceOffersOf(know, config, device_id).find((offer) => offer.type === type && offer.domain === domain);
  if (same) return withOffer(know, config, same);
  return {
    ...Object.fromEntries(Object.entries(config).filter(([key]) => kept.has(key))),
    device_id,
    ...(isStep(config) && { domain: "", type: "" }),
  };
}

// The values that the entity can be set to.
export function choicesOf({ home }: Knowledge, id: string, key: string): string[] {
  const list = home.entity(id)?.attributes[choicesIn[key] ?? ""];
  return Array.isArray(list) ? list.map(String) : [];
}
