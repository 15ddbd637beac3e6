// SPDX-License-Identifier: Apache-2.0
import type { Connection } from "home-assistant-js-websocket";
import { expect, test, vi } from "vitest";

import type { Layout } from "./layout";
import { LayoutStore } from "./layout_store";
import type { RegisteredEntity } from "./types";

vi.stubGlobal("localStorage", { getItem: () => null });

type Sent = { type: string; key: string; value: unknown };
type Tell = (told: { value: unknown }) => void;

function storeOf(registered: [string, string][], kept: unknown = null) {
  const registry = new Map<string, RegisteredEntity>();
  const rename = (id: string, entity_id: string) => registry.set(entity_id, { id, entity_id } as RegisteredEntity);
  for (const [id, entity_id] of registered) rename(id, entity_id);
  const sent: Sent[] = [];
  const connection = {
    sendMessagePromise: async (message: Sent) => void sent.push(message),
    subscribeMessage: async (tell: Tell, { type }: { type: string }) => {
      tell({ value: type === "frontend/subscribe_user_data" ? kept : null });
      return async () => undefined;
    },
  } as unknown as Connection;
  return { store: new LayoutStore(connection, registry), registry, rename, sent };
}

const layout: Layout = {
  favorites: ["light.a", "sensor.written", "lock.b"],
  rooms: ["kitchen"],
  cards: { kitchen: ["lock.b", "light.a"] },
  hidden: ["light.a"],
  wide: ["lock.b"],
};

test("an entity that gets another id keeps its place", async () => {
  const { store, registry, rename, sent } = storeOf([
    ["id-a", "light.a"],
    ["id-b", "lock.b"],
  ]);
  await store.keep(layout);
  expect(sent[0]?.value).toEqual({
    version: 1,
    favorites: ["id-a", "sensor.written", "id-b"],
    rooms: ["kitchen"],
    cards: { kitchen: ["id-b", "id-a"] },
    hidden: ["id-a"],
    wide: ["id-b"],
  });
  expect(store.layout).toEqual(layout);
  registry.delete("light.a");
  rename("id-a", "light.renamed");
  store.resolve();
  expect(store.layout.favorites).toEqual(["light.renamed", "sensor.written", "lock.b"]);
  expect(store.layout.cards).toEqual({ kitchen: ["lock.b", "light.renamed"] });
  expect(store.layout.hidden).toEqual(["light.renamed"]);
  // An entity that is gone for a while keeps its place.
  registry.delete("lock.b");
  store.resolve();
  await store.keep(store.layout);
  expect(sent[1]?.value).toMatchObject({ favorites: ["id-a", "sensor.written", "id-b"] });
});

test("a layout that names entity ids is read as before, and another screen's is understood", async () => {
  const { store, rename } = storeOf([["id-a", "light.a"]], { version: 1, favorites: ["light.a", "id-late", "light.b"] });
  await store.follow();
  expect(store.layout.favorites).toEqual(["light.a", "id-late", "light.b"]);
  rename("id-late", "lock.late");
  store.resolve();
  expect(store.layout.favorites).toEqual(["light.a", "lock.late", "light.b"]);
});
