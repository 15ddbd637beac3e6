// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { apply, type EntityChanges } from "./entity_table";
import type { Entity } from "./types";

const lamp = { s: "on", a: { brightness: 7, friendly_name: "Lamp" }, c: "C1", lc: 10 };

function tableOf(changes: EntityChanges): Map<string, Entity> {
  const table = new Map<string, Entity>();
  apply(table, changes, true);
  return table;
}

test("a whole entity is read with what it leaves out", () => {
  const table = tableOf({ a: { "light.lamp": lamp, "light.desk": { ...lamp, lu: 12, c: { id: "C2", parent_id: "C1", user_id: "ann" } } } });
  expect(table.get("light.lamp")).toEqual({
    entity_id: "light.lamp",
    state: "on",
    attributes: { brightness: 7, friendly_name: "Lamp" },
    context: { id: "C1", parent_id: null, user_id: null },
    last_changed: 10,
    last_updated: 10,
  });
  expect(table.get("light.desk")).toMatchObject({ last_updated: 12, context: { id: "C2", parent_id: "C1", user_id: "ann" } });
});

test("a difference changes only what it names", () => {
  const table = tableOf({ a: { "light.lamp": lamp } });
  const before = table.get("light.lamp");
  const applied = apply(
    table,
    { c: { "light.lamp": { "+": { a: { brightness: 9, effect: "rainbow" }, c: { user_id: "ben" }, lu: 11 } } } },
    false,
  );
  expect(applied).toEqual({ changed: ["light.lamp"], membership: false });
  expect(table.get("light.lamp")).toEqual({
    entity_id: "light.lamp",
    state: "on",
    attributes: { brightness: 9, friendly_name: "Lamp", effect: "rainbow" },
    context: { id: "C1", parent_id: null, user_id: "ben" },
    last_changed: 10,
    last_updated: 11,
  });
  expect(before?.attributes).toEqual(lamp.a); // who holds the old one sees it unchanged
});

test("a change of the state moves both times, and attributes can go", () => {
  const table = tableOf({ a: { "light.lamp": lamp } });
  apply(table, { c: { "light.lamp": { "+": { s: "off", c: "C3", lc: 20 }, "-": { a: ["brightness"] } } } }, false);
  expect(table.get("light.lamp")).toMatchObject({
    state: "off",
    attributes: { friendly_name: "Lamp" },
    last_changed: 20,
    last_updated: 20,
  });
  expect(table.get("light.lamp")?.attributes).not.toHaveProperty("brightness");
  expect(table.get("light.lamp")?.context.id).toBe("C3");
});

test("what came and went is told, in the order a, r, c", () => {
  const table = tableOf({ a: { "light.lamp": lamp, "light.desk": lamp } });
  expect(apply(table, { a: { "light.hall": lamp }, r: ["light.desk"], c: { "light.desk": { "+": { s: "off" } } } }, false)).toEqual({
    changed: ["light.hall", "light.desk"],
    membership: true,
  });
  expect([...table.keys()]).toEqual(["light.lamp", "light.hall"]);
  expect(apply(table, { a: { "light.lamp": lamp } }, false).membership).toBe(false);
});

test("the first event after a connection drops what it does not name", () => {
  const table = tableOf({ a: { "light.lamp": lamp, "light.desk": lamp } });
  expect(apply(table, { a: { "light.lamp": { ...lamp, s: "off" } } }, true)).toEqual({
    changed: ["light.desk", "light.lamp"],
    membership: true,
  });
  expect([...table.keys()]).toEqual(["light.lamp"]);
  expect(apply(table, {}, true)).toEqual({ changed: ["light.lamp"], membership: true });
});
