// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { choicesOf, controlOf, limitsOf, nothingOf, partsOf } from "./selector";

test("a selector has its control, and a value that it cannot show is written", () => {
  expect(controlOf({ number: { min: 1 } }, 3)).toBe("number");
  expect(controlOf({ number: { min: 1 } }, undefined)).toBe("number");
  expect(controlOf({ number: null }, "{{ states('sensor.a') }}")).toBe("template");
  expect(controlOf({ number: null }, [1])).toBe("yaml");
  expect(controlOf({ entity: {} }, ["light.a"])).toBe("entity");
  expect(controlOf({ entity: {} }, { entity_id: "light.a" })).toBe("yaml");
  expect(controlOf({ select: { options: ["a"] } }, "b")).toBe("template");
  expect(controlOf({ select: { options: ["a"], custom_value: true } }, "b")).toBe("select");
  expect(controlOf({ of_tomorrow: {} }, 1)).toBe("yaml");
  expect(controlOf(null, "a text")).toBe("text");
  expect(controlOf(null, { a: 1 })).toBe("yaml");
  expect(controlOf({ toString: {} }, 1)).toBe("yaml");
});

test("a number slides only between limits, and a colour temperature has those of its unit", () => {
  expect(limitsOf({ number: { min: 0, max: 9, unit_of_measurement: "min" } })).toEqual({ min: 0, max: 9, unit: "min", slides: true });
  expect(limitsOf({ number: { min: 0, max: 9, mode: "box", step: 0.5 } })).toEqual({ min: 0, max: 9, step: 0.5, unit: "", slides: false });
  expect(limitsOf({ number: { min: 0 } }).slides).toBe(false);
  expect(limitsOf({ color_temp: null })).toEqual({ min: 153, max: 500, step: 1, unit: "mired", slides: true });
  expect(limitsOf({ color_temp: { unit: "kelvin", min: 2700 } })).toMatchObject({ min: 2700, max: 6500, unit: "K" });
});

test("options are texts, or values with labels", () => {
  expect(choicesOf({ select: { options: ["a", 7, { value: "c", label: "C" }, { label: "none" }] } })).toEqual([
    ["a", "a"],
    ["7", "7"],
    ["c", "C"],
  ]);
  expect(choicesOf({ ui_color: null }).length).toBeGreaterThan(10);
});

test("a duration is read in each of its forms", () => {
  const two = { days: 0, hours: 0, minutes: 2, seconds: 0, milliseconds: 0 };
  for (const written of [{ minutes: 2 }, 120, "120", "00:02:00", "0:02", { minutes: "2" }]) expect(partsOf(written)).toEqual(two);
  for (const wrong of ["{{ x }}", "soon", -1, { weeks: 1 }, [], null]) expect(partsOf(wrong)).toBeUndefined();
  expect(partsOf("00:00:01.5")).toMatchObject({ seconds: 1, milliseconds: 500 });
});

test("where a default would count, nothing is said by a value of its kind, if there is one", () => {
  expect(nothingOf({ select: { options: ["a"], multiple: true } }, ["a"])).toEqual([]);
  expect(nothingOf({ target: {} }, { entity_id: "light.a" })).toEqual({});
  for (const kind of ["text", "entity", "icon", "template"]) expect(nothingOf({ [kind]: {} }, "a")).toBe("");
  expect(nothingOf({ select: { options: ["a"], custom_value: true } }, "a")).toBe("");
  for (const [kind, otherwise] of [
    ["number", 5],
    ["time", "07:00:00"],
    ["object", { a: 1 }],
  ] as const)
    expect(nothingOf({ [kind]: {} }, otherwise)).toBeUndefined();
  expect(nothingOf({ select: { options: ["a"] } }, "a")).toBeUndefined();
});
