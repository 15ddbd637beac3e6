// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { categoryOf, deleteCategory, namesOf, renameCategory, setCategory, type Category } from "./categories";
import type { Home } from "./home";

const all: Category[] = [
  { scope: "automation", category_id: "a1", name: "Light", icon: null },
  { scope: "script", category_id: "s1", name: "light", icon: null },
  { scope: "automation", category_id: "a2", name: "Heating", icon: null },
];
const registry = new Map(
  Object.entries({ "automation.hall": { automation: "a1" }, "script.hall": { script: "s1" }, "script.other": { automation: "a1" } }).map(
    ([id, categories]) => [id, { categories }],
  ),
);
const home = { registry } as unknown as Home;

function recorder(): { home: Home; calls: unknown[] } {
  const calls: unknown[] = [];
  const command = (type: string, fields: object) => {
    calls.push([type.replace("config/", ""), fields]);
    return Promise.resolve({ category_id: "new" });
  };
  return { home: { command } as unknown as Home, calls };
}

test("a category of a name is one, whichever scopes have it", () => {
  expect(namesOf(all)).toEqual(["Light", "Heating"]);
  expect(categoryOf(home, all, "automation.hall")).toBe("Light");
  expect(categoryOf(home, all, "script.hall")).toBe("Light");
  expect(categoryOf(home, all, "script.other")).toBe(""); // of another scope
  expect(categoryOf(home, all, "automation.none")).toBe("");
});

test("things of several scopes get one category, which is made where it is missing", async () => {
  const { home: asked, calls } = recorder();
  await setCategory(asked, all, ["automation.hall", "scene.movie", "input_boolean.guests", "script.hall"], "LIGHT ");
  expect(calls).toEqual([
    ["entity_registry/update", { entity_id: "automation.hall", categories: { automation: "a1" } }],
    ["entity_registry/update", { entity_id: "script.hall", categories: { script: "s1" } }],
    ["category_registry/create", { scope: "scene", name: "LIGHT" }],
    ["entity_registry/update", { entity_id: "scene.movie", categories: { scene: "new" } }],
    ["category_registry/create", { scope: "helpers", name: "LIGHT" }],
    ["entity_registry/update", { entity_id: "input_boolean.guests", categories: { helpers: "new" } }],
  ]);
});

test("none takes the category away", async () => {
  const { home: asked, calls } = recorder();
  await setCategory(asked, all, ["automation.hall"], "");
  expect(calls).toEqual([["entity_registry/update", { entity_id: "automation.hall", categories: { automation: null } }]]);
});

test("a category is renamed and deleted in all scopes that have it", async () => {
  const { home: asked, calls } = recorder();
  await renameCategory(asked, all, "Light", "Lamps");
  await deleteCategory(asked, all, "Light");
  expect(calls).toEqual([
    ["category_registry/update", { scope: "automation", category_id: "a1", name: "Lamps" }],
    ["category_registry/update", { scope: "script", category_id: "s1", name: "Lamps" }],
    ["category_registry/delete", { scope: "automation", category_id: "a1" }],
    ["category_registry/delete", { scope: "script", category_id: "s1" }],
  ]);
});
