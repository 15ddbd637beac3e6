// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { isMeasured, measures, numberOf } from "./samples";
import type { Entity } from "./types";

function entity(id: string, attributes: Entity["attributes"] = {}): Entity {
  return { entity_id: id, state: "1", attributes, context: { id: "", parent_id: null, user_id: null }, last_changed: 0, last_updated: 0 };
}

test.each([
  ["21.5", 21.5],
  ["-0.25", -0.25],
  [" 7 ", 7],
  ["1e3", 1000],
  ["0", 0],
  ["", undefined],
  ["  ", undefined],
  ["on", undefined],
  ["unavailable", undefined],
  ["21,5", undefined],
  ["5 W", undefined],
  ["Infinity", undefined],
  ["NaN", undefined],
])("%j is the number %j", (state, number) => {
  expect(numberOf(state)).toBe(number);
});

test("what has a unit or a state class measures", () => {
  expect(measures(entity("sensor.a", { unit_of_measurement: "W" }))).toBe(true);
  expect(measures(entity("sensor.a", { state_class: "total" }))).toBe(true);
  expect(measures(entity("sensor.a"))).toBe(false);
  expect(measures(undefined)).toBe(false);
});

test("numbers of a domain that counts are a curve without a unit, too", () => {
  const numbers = [
    { time: 1, state: "unavailable" },
    { time: 2, state: "4" },
  ];
  const words = [{ time: 1, state: "calm" }];
  expect(isMeasured(entity("counter.visits"), numbers)).toBe(true);
  expect(isMeasured(entity("sensor.harbour"), words)).toBe(false);
  expect(isMeasured(entity("light.lamp"), numbers)).toBe(false);
  expect(isMeasured(entity("light.lamp", { unit_of_measurement: "lm" }), words)).toBe(true);
});
