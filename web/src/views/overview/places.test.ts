// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Home } from "../../api/home";
import { placesOf } from "./summary";

function home(states: Record<string, string>): Pick<Home, "entity" | "nameOf"> {
  return {
    entity: (id: string) => (id in states ? ({ entity_id: id, state: states[id] } as never) : undefined),
    nameOf: (id: string) => id.slice("person.".length),
  };
}

test("who is at home comes first, then who is at a place, then who is away", () => {
  const states = { "person.d": "not_home", "person.c": "Work", "person.b": "home", "person.a": "home", "person.e": "unknown" };
  expect(placesOf(home(states), [...Object.keys(states), "person.gone"])).toEqual([
    { zone: "home", names: ["a", "b"] },
    { zone: "Work", names: ["c"] },
    { zone: "not_home", names: ["d"] },
  ]);
});

test("a home whose persons say nothing says nothing of them", () => {
  expect(placesOf(home({ "person.a": "unknown", "person.b": "unavailable" }), ["person.a", "person.b"])).toEqual([]);
});
