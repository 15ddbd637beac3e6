// SPDX-License-Identifier: Apache-2.0
// Automations, scripts and scenes as the files of the home have them.
import type { Home } from "./home";

export const writtenKinds = ["automation", "script", "scene"] as const;
export type WrittenKind = (typeof writtenKinds)[number];
export type Item = Record<string, unknown>;

export function kindOf(entityId: string): WrittenKind | undefined {
  return writtenKinds.find((kind) => entityId.startsWith(`${kind}.`));
}

// By what the hub writes the item of an entity; undefined if it cannot be written.
export function itemId(home: Pick<Home, "entity" | "registry">, entityId: string): string | undefined {
  const kind = kindOf(entityId);
  if (kind === "script") return home.registry.get(entityId)?.unique_id ?? entityId.slice("script.".length);
  const id = home.entity(entityId)?.attributes.id;
  return typeof id === "string" && id !== "" ? id : undefined;
}

// Where the REST interface has an item.
export function pathOf(kind: WrittenKind, id: string): string {
  return `/api/config/${kind}/config/${encodeURIComponent(id)}`;
}

// The item of an entity as it is written, without its id.
export async function readItem(home: Home, entityId: string): Promise<Item> {
  const kind = kindOf(entityId);
  const id = itemId(home, entityId);
  if (kind === "automation" || kind === "script")
    return withoutId((await home.command<{ config: Item }>(`${kind}/config`, { entity_id: entityId })).config);
  if (kind && id !== undefined) return withoutId(await home.rest<Item>("GET", pathOf(kind, id)));
  return {};
}

function withoutId({ id: _, ...item }: Item): Item {
  return item;
}

export function deleteItem(home: Home, kind: WrittenKind, id: string): Promise<unknown> {
  return home.rest("DELETE", pathOf(kind, id));
}

// How long the entity of a new item may take, in milliseconds.
const patience = 5000;

// The entity of an item that has just been written; undefined if none comes.
export function entityOfItem(home: Home, kind: WrittenKind, id: string): Promise<string | undefined> {
  const find = () => [...home.entities.keys()].find((entityId) => entityId.startsWith(`${kind}.`) && itemId(home, entityId) === id);
  return new Promise((resolve) => {
    const end = (found: string | undefined) => {
      stop();
      clearTimeout(timer);
      resolve(found);
    };
    const stop = home.on("any", () => {
      const found = find();
      if (found) end(found);
    });
    const timer = setTimeout(() => end(find()), patience);
    const found = find();
    if (found) end(found);
  });
}

// Starts it now.
export function runItem(home: Home, entityId: string): Promise<void> {
  const kind = kindOf(entityId);
  return home.call(kind ?? "", kind === "automation" ? "trigger" : "turn_on", {}, { entity_id: entityId });
}

// An object id of a name: "Küche am Abend" → "kueche_am_abend".
export function objectIdOf(name: string): string {
  const written = name.toLowerCase().replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss");
  return written
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}
