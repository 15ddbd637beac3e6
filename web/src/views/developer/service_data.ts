// SPDX-License-Identifier: Apache-2.0
// The data of a service call, between the form's fields and one object as the REST interface takes it.
import type { Service, ServiceField } from "../../api/types";

// A field of the form: whether it is sent, and as what.
export interface Filled {
  on: boolean;
  value: unknown;
  // Why its text is no value.
  problem?: string;
}

export type TargetKey = "entity_id" | "area_id";

export interface Filling {
  target: Record<TargetKey, string[]>;
  fields: Map<string, Filled>;
  // Data that the form has no field for; it is sent, too.
  others: Record<string, unknown>;
}

export function emptyFilling(): Filling {
  return { target: { entity_id: [], area_id: [] }, fields: new Map(), others: {} };
}

// Which fields the form shows: the entities have a place of their own where the service has a target.
export function fieldsOf(service: Service): [string, ServiceField][] {
  return Object.entries(service.fields).filter(([name]) => !(service.target && name === "entity_id"));
}

function ids(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? value.split(",").map((id) => id.trim()) : value;
  return Array.isArray(list) && list.every((id) => typeof id === "string") ? list.filter(Boolean) : undefined;
}

function oneOrMany(list: string[]): string | string[] {
  return list.length === 1 ? (list[0] as string) : list;
}

export function dataOf({ target, fields, others }: Filling): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const chosen = Object.entries(target).filter(([, list]) => list.length > 0);
  const more = others.target;
  if (chosen.length > 0) {
    data.target = { ...(typeof more === "object" && more), ...Object.fromEntries(chosen.map(([key, list]) => [key, oneOrMany(list)])) };
  }
  for (const [name, { on, value }] of fields) if (on) data[name] = value;
  return { ...others, ...data };
}

export function fillingOf(service: Service, data: Record<string, unknown>): Filling {
  const filling = emptyFilling();
  const known = new Set(fieldsOf(service).map(([name]) => name));
  for (const [name, value] of Object.entries(data)) {
    if (known.has(name)) filling.fields.set(name, { on: true, value });
    else filling.others[name] = value;
  }
  if (service.target) takeTarget(filling);
  return filling;
}

// Moves those of the target's keys that the form can show to their place, from the top or from inside "target".
function takeTarget({ target, others }: Filling): void {
  const inside = others.target;
  const nested = typeof inside === "object" && inside !== null ? { ...(inside as Record<string, unknown>) } : undefined;
  for (const key of ["entity_id", "area_id"] as const) {
    for (const place of [nested, others]) {
      const list = ids(place?.[key]);
      if (!place || !list) continue;
      target[key] = [...new Set([...target[key], ...list])];
      delete place[key];
    }
  }
  if (!nested) return;
  if (Object.keys(nested).length > 0) others.target = nested;
  else delete others.target;
}
