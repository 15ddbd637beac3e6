// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { nearest, vocabulary } from "./nearest";

const known = vocabulary(["kitchen light", "küche", "detected", "tv"]);

test.each([
  ["kitchen", "kitchen"],
  ["kichen", "kitchen"],
  ["kittchen", "kitchen"],
  ["kitchem", "kitchen"],
  ["kithcen", "kitchen"],
  ["detezt", "detected"],
  ["lihgt", "light"],
])("“%s” means %s", (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant);
});

test.each(["tw", "kiten", "bedroom", "", "ligths"])("“%s” may mean anything", (typed) => {
  expect(nearest(typed, known)).toBeUndefined();
});
