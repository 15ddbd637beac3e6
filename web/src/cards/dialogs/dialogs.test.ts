// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";

import type { Entity } from "../../api/types";
import { angleAt, angleOf, arc, dragged, pointAt, shareOf, stepped, sweep } from "./dial_geometry";
import { colourOf, favouritesOf, isShining, mostFavourites, whites } from "./shines";

const scale = { min: 7, max: 35, step: 0.5 };
const lamp = (state: string, attributes: object) => ({ entity_id: "light.x", state, attributes }) as unknown as Entity;

describe("a dial", () => {
  test("begins at the lower left, and ends at the lower right", () => {
    expect(pointAt(0, 10).x).toBeCloseTo(-7.07, 1);
    expect(pointAt(0, 10).y).toBeCloseTo(7.07, 1);
    expect(pointAt(sweep, 10).x).toBeCloseTo(7.07, 1);
    expect(pointAt(sweep / 2, 10).y).toBeCloseTo(-10, 5); // the middle is above
  });

  test.each([0, 1, 90, 135, 200, 269, 270])("a place at %d degrees is found again", (angle) => {
    const { x, y } = pointAt(angle, 50);
    expect(angleAt(x, y)).toBeCloseTo(angle, 6);
  });

  test("the gap below belongs to the nearer end", () => {
    expect(angleAt(-1, 10)).toBeLessThan(0);
    expect(angleAt(1, 10)).toBeGreaterThan(sweep);
  });

  test("values have their share, beyond the ends as at them, and without a span none", () => {
    expect(shareOf(21, scale)).toBeCloseTo(0.5);
    expect(shareOf(-100, scale)).toBe(0);
    expect(shareOf(100, scale)).toBe(1);
    expect(shareOf(5, { min: 5, max: 5, step: 1 })).toBe(0);
    expect(angleOf(35, scale)).toBe(sweep);
  });

  test.each([
    [21.2, 21],
    [21.3, 21.5],
    [-5, 7],
    [99, 35],
  ])("%d is on the step %d", (value, step) => expect(stepped(value, scale)).toBe(step));

  test("a drag turns by as much as the pointer, and never jumps over the gap", () => {
    const perDegree = 28 / sweep;
    expect(dragged(21, 135, 135 + 45, scale)).toBe(stepped(21 + 45 * perDegree, scale));
    expect(dragged(35, 268, 300, scale)).toBe(35);
    expect(dragged(35, 268, -40, scale)).toBe(35); // through the gap to the other end
    expect(dragged(7, 2, -30, scale)).toBe(7);
  });

  test("arcs of more than half a turn go the long way", () => {
    expect(arc(0, sweep, 84)).toMatch(/ 0 1 1 /);
    expect(arc(0, 90, 84)).toMatch(/ 0 0 1 /);
  });
});

describe("a lamp", () => {
  test("is offered white within what it can", () => {
    expect(whites(lamp("on", { min_color_temp_kelvin: 2600, max_color_temp_kelvin: 4000 }))).toEqual([2700, 3000, 4000]);
    expect(whites(lamp("on", { min_color_temp_kelvin: 3200, max_color_temp_kelvin: 3300 }))).toEqual([3200, 3300]);
    expect(whites(lamp("on", {})).length).toBe(6);
  });

  test("shines in what its mode says", () => {
    const white = lamp("on", { color_mode: "color_temp", color_temp_kelvin: 2703, hs_color: [28, 65], brightness: 200 });
    expect(isShining(white, { color_temp_kelvin: 2700 })).toBe(true);
    expect(isShining(white, { color_temp_kelvin: 2700, brightness: 100 })).toBe(false);
    expect(isShining(white, { hs_color: [28, 65] })).toBe(false);
    expect(isShining(lamp("off", { color_temp_kelvin: 2700 }), { color_temp_kelvin: 2700 })).toBe(false);
  });

  test.each([null, undefined, 3, "x", [], {}, { favourites: 3 }, { favourites: [null, 3, "x", {}, { entity_id: "all" }] }])(
    "%j are no favourites",
    (kept) => expect(favouritesOf(kept)).toEqual([]),
  );

  test("favourites are bounded, and say only how to shine", () => {
    const shine = { brightness: 120, hs_color: [10, 50] };
    const kept = Array.from({ length: 500 }, () => ({ ...shine, entity_id: "light.other", rgb_color: [1, "x"], flash: "long" }));
    expect(favouritesOf({ favourites: kept })).toEqual(Array.from({ length: mostFavourites }, () => shine));
    for (const one of favouritesOf({ favourites: kept })) expect(colourOf(one)).toMatch(/^hsl/);
    for (const odd of [{}, { hs_color: [1] }, { rgb_color: [] }, { color_temp_kelvin: 1e9 }]) expect(colourOf(odd)).toMatch(/^(rgb|hsl)\(/);
  });
});
