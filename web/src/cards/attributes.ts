// SPDX-License-Identifier: Apache-2.0
// Readers for attributes of an entity, where anything may stand.
import type { Entity } from "../api/types";

// An attribute that is a number; undefined where it is none.
export function numberIn(entity: Entity, name: string): number | undefined {
  const value = entity.attributes[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

// An attribute that is a list of texts.
export function textsIn(entity: Entity, name: string): string[] {
  const value = entity.attributes[name];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

export function textIn(entity: Entity, name: string): string {
  const value = entity.attributes[name];
  return typeof value === "string" ? value : "";
}
