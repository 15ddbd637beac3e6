// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { wantedOf } from "./scene_states";

test("a lamp is taken with its brightness and its one colour, and off without", () => {
  const attributes = {
    brightness: 80,
    color_mode: "color_temp",
    color_temp_kelvin: 3000,
    hs_color: [28, 60],
    rgb_color: [1, 2, 3],
    effect: "none",
    friendly_name: "A",
  };
  expect(wantedOf({ entity_id: "light.a", state: "on", attributes })).toEqual({ state: "on", brightness: 80, color_temp_kelvin: 3000 });
  expect(wantedOf({ entity_id: "light.a", state: "on", attributes: { ...attributes, color_mode: "hs", effect: "rainbow" } })).toEqual({
    state: "on",
    brightness: 80,
    hs_color: [28, 60],
    effect: "rainbow",
  });
  expect(wantedOf({ entity_id: "light.a", state: "off", attributes })).toBe("off");
});

test("others are taken with what can be set of them", () => {
  expect(wantedOf({ entity_id: "cover.a", state: "open", attributes: { current_position: 40, device_class: "blind" } })).toEqual({
    state: "open",
    current_position: 40,
  });
  expect(wantedOf({ entity_id: "switch.a", state: "on", attributes: { friendly_name: "A" } })).toBe("on");
  expect(wantedOf({ entity_id: "climate.a", state: "heat", attributes: { temperature: 21, target_temp_high: null } })).toEqual({
    state: "heat",
    temperature: 21,
  });
});
