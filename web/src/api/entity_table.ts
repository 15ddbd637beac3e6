// SPDX-License-Identifier: Apache-2.0
// The states of the home as `subscribe_entities` tells of them. The library's own collection copies the whole table for each
// message, which 10,000 entities would feel; this one touches what has changed.
import type { Attributes, Context, Entity } from "./types";

interface Full {
  s: string;
  a: Attributes;
  c: string | Context;
  lc: number;
  lu?: number;
}

interface Difference {
  "+"?: { s?: string; a?: Attributes; c?: string | Partial<Context>; lc?: number; lu?: number };
  "-"?: { a?: string[] };
}

export interface EntityChanges {
  a?: Record<string, Full>;
  c?: Record<string, Difference>;
  r?: string[];
}

function whole(entity_id: string, full: Full): Entity {
  return {
    entity_id,
    state: full.s,
    attributes: full.a,
    context: typeof full.c === "string" ? { id: full.c, parent_id: null, user_id: null } : full.c,
    last_changed: full.lc,
    last_updated: full.lu ?? full.lc,
  };
}

function changed(old: Entity, difference: Difference): Entity {
  const plus = difference["+"] ?? {};
  const gone = difference["-"]?.a ?? [];
  let attributes = old.attributes;
  if (plus.a || gone.length > 0) {
    attributes = { ...attributes, ...plus.a };
    for (const name of gone) delete attributes[name];
  }
  const context = typeof plus.c === "string" ? { id: plus.c } : plus.c;
  return {
    entity_id: old.entity_id,
    state: plus.s ?? old.state,
    attributes,
    context: context ? { ...old.context, ...context } : old.context,
    last_changed: plus.lc ?? old.last_changed,
    last_updated: plus.lu ?? plus.lc ?? old.last_updated,
  };
}

export interface Applied {
  changed: string[];
  // True if entities came or went.
  membership: boolean;
}

// Applies one event to the table, in the order a, r, c. The first event after a (re)connection has everything: `fresh` drops what it
// does not name.
export function apply(table: Map<string, Entity>, changes: EntityChanges, fresh: boolean): Applied {
  const applied: Applied = { changed: [], membership: false };
  if (fresh) {
    const added = changes.a ?? {};
    for (const id of table.keys()) {
      if (id in added) continue;
      table.delete(id);
      applied.changed.push(id);
      applied.membership = true;
    }
  }
  for (const [id, full] of Object.entries(changes.a ?? {})) {
    if (!table.has(id)) applied.membership = true;
    table.set(id, whole(id, full));
    applied.changed.push(id);
  }
  for (const id of changes.r ?? []) {
    if (table.delete(id)) applied.membership = true;
    applied.changed.push(id);
  }
  for (const [id, difference] of Object.entries(changes.c ?? {})) {
    const old = table.get(id);
    if (!old) continue;
    table.set(id, changed(old, difference));
    applied.changed.push(id);
  }
  return applied;
}
