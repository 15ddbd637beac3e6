// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { all, fits, grouped, isAll, none } from "./item_filters";

const facts = { category: "Light", area: "Kitchen", labels: ["Night", "Guests"] };
const bare = { category: "", area: "", labels: [] };

test("a list shows what has the category, the room and the label, or none of them", () => {
  expect(fits(facts, all)).toBe(true);
  expect(isAll(all)).toBe(true);
  expect(fits(facts, { ...all, category: "Light", label: "Guests" })).toBe(true);
  expect(fits(facts, { ...all, category: "Light", label: "Day" })).toBe(false);
  expect(fits(facts, { ...all, area: "Hall" })).toBe(false);
  for (const key of ["category", "area", "label"]) {
    expect(fits(facts, { ...all, [key]: none })).toBe(false);
    expect(fits(bare, { ...all, [key]: none })).toBe(true);
    expect(isAll({ ...all, [key]: none })).toBe(false);
  }
});

test("groups are in order, their rows keep theirs, and those of none come last", () => {
  const rows = ["b2", "1", "a1", "b1"];
  const compare = (a: string, b: string) => a.localeCompare(b);
  expect(grouped(rows, (row) => row.replace(/\d/, ""), compare)).toEqual([
    ["a", ["a1"]],
    ["b", ["b2", "b1"]],
    ["", ["1"]],
  ]);
});
