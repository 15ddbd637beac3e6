// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { RecentValues, recentSpan } from "./recent_values";
import type { Entity } from "./types";

function power(time: number, state: string, attributes: Entity["attributes"] = { unit_of_measurement: "W" }): Entity {
  return {
    entity_id: "sensor.power",
    state,
    attributes,
    context: { id: "", parent_id: null, user_id: null },
    last_changed: time,
    last_updated: time,
  };
}

test("numbers with a unit are kept, each time once", () => {
  const recent = new RecentValues();
  recent.add(power(1, "5"));
  recent.add(power(2, "unavailable"));
  recent.add(power(3, "7"));
  recent.add(power(3, "8"));
  recent.add(power(2, "9"));
  recent.add(power(4, "1", {}));
  expect(recent.of("sensor.power")).toMatchObject({ times: [1, 3], values: [5, 7] });
  recent.forget("sensor.power");
  expect(recent.of("sensor.power")).toEqual({ times: [], values: [] });
});

test("of a lively entity few are kept, evenly over the span, and the last always", () => {
  const recent = new RecentValues();
  const end = 2 * recentSpan;
  for (let time = 1; time <= end; time++) recent.add(power(time, String(time)));
  const { times, values } = recent.of("sensor.power");
  expect(times.length).toBeLessThanOrEqual(120);
  expect(times.length).toBeGreaterThan(40);
  expect(values.at(-1)).toBe(end);
  expect(times[1]).toBeGreaterThanOrEqual(end - recentSpan);
  expect(values).toEqual(times);
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  expect(Math.max(...gaps.slice(0, -1))).toBeLessThanOrEqual(3 * Math.min(...gaps.slice(0, -1)));
});
