// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { candidatesOf, madeText } from "./made_text";

const item = {
  id: "7",
  alias: "Hall",
  triggers: [{ trigger: "state", entity_id: "binary_sensor.hall", to: "on", for: { minutes: 2 } }],
  conditions: [{ condition: "time", after: "22:00:00" }],
  actions: [
    { action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 40 } },
    { delay: { minutes: 5 } },
    { action: "light.turn_off", target: { entity_id: "light.hall" } },
  ],
  mode: "single",
};

test("entities, numbers, times and durations can be inputs, the same one once", () => {
  expect(candidatesOf(item).map(({ value, paths, selector }) => [value, paths.length, selector])).toEqual([
    ["binary_sensor.hall", 1, { entity: { filter: { domain: "binary_sensor" } } }],
    ["on", 1, { text: {} }],
    [{ minutes: 2 }, 1, { duration: {} }],
    ["22:00:00", 1, { time: {} }],
    ["light.hall", 2, { entity: { filter: { domain: "light" } } }],
    [40, 1, { number: { mode: "box", step: "any" } }],
    [{ minutes: 5 }, 1, { duration: {} }],
  ]);
});

test("what is no duration is asked for as a text, and equal values are one input only at the same key", () => {
  const sun = {
    triggers: [
      { trigger: "sun", event: "sunset", offset: "-00:30:00" },
      { trigger: "state", entity_id: "light.a", to: "on" },
      { trigger: "state", entity_id: "light.b", to: "on" },
    ],
    conditions: [{ condition: "state", entity_id: "light.a", state: "on" }],
    actions: [{ delay: "{{ 5 }}" }, { delay: { minutes: -5 } }],
  };
  expect(candidatesOf(sun).map(({ at, value, paths, selector }) => [at, value, paths.length, Object.keys(selector)[0]])).toEqual([
    ["offset", "-00:30:00", 1, "text"],
    ["entity_id", "light.a", 2, "entity"],
    ["to", "on", 2, "text"],
    ["entity_id", "light.b", 1, "entity"],
    ["state", "on", 1, "text"],
    ["delay", "{{ 5 }}", 1, "text"],
    ["delay", { minutes: -5 }, 1, "object"],
  ]);
});

test("what is chosen is an input, the rest stays as it is", () => {
  const [motion, , , , light, level] = candidatesOf(item);
  const chosen = [motion, light, level].map((candidate, index) => ({
    candidate: candidate as NonNullable<typeof candidate>,
    name: ["Motion", "Lamp", "Lamp"][index] as string,
    isDefault: index === 2,
  }));
  const { text, inputs } = madeText(item, "automation", { name: "Light: at motion", description: "" }, chosen);
  expect(inputs).toEqual({ motion: "binary_sensor.hall", lamp: "light.hall", lamp_2: 40 });
  expect(text).toContain('name: "Light: at motion"\n');
  expect(text).toContain('    entity_id: !input motion\n    to: "on"\n');
  expect(text.match(/entity_id: !input lamp\n/g)).toHaveLength(2);
  expect(text).toContain("brightness_pct: !input lamp_2");
  expect(text).toContain("default: 40");
  expect(text).not.toContain("alias");
});
