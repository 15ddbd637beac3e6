// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { isShown, ItemTexts, lastTime } from "./item_search";

const entity = (entity_id: string, state: string, attributes = {}) => ({ entity_id, state, attributes }) as unknown as Entity;

test("lists show what is off, failed, or ran since midnight", () => {
  const midnight = Date.parse("2026-11-28T00:00:00Z");
  const ran = (time: string) => entity("automation.a", "on", { last_triggered: time });
  expect(isShown(entity("automation.a", "off"), "off", midnight, "")).toBe(true);
  expect(isShown(entity("script.a", "off"), "off", midnight, "")).toBe(false);
  expect(isShown(entity("automation.a", "off"), "on", midnight, "")).toBe(false);
  expect(isShown(entity("automation.a", "on"), "on", midnight, "")).toBe(true);
  expect(isShown(entity("automation.a", "unavailable", { error: "no" }), "error", midnight, "")).toBe(true);
  expect(isShown(entity("automation.a", "on"), "error", midnight, "It failed")).toBe(true);
  expect(isShown(entity("automation.a", "on"), "error", midnight, "")).toBe(false);
  expect(isShown(ran("2026-11-28T00:00:01Z"), "today", midnight, "")).toBe(true);
  expect(isShown(ran("2026-11-27T23:59:59Z"), "today", midnight, "")).toBe(false);
  expect(isShown(entity("scene.a", "2026-11-28T10:00:00Z"), "today", midnight, "")).toBe(true);
  expect(lastTime(entity("scene.a", "unknown"))).toBeUndefined();
});

test("items are found by name, room, label, by what they use and by their text", async () => {
  const entities = new Map(
    [entity("automation.one", "on", { id: "1" }), entity("binary_sensor.hall_motion", "off")].map((one) => [one.entity_id, one]),
  );
  const home = {
    entities,
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => ({ "automation.one": "Light at night", "binary_sensor.hall_motion": "Bewegung im Flur" })[id] ?? id,
    areaOf: () => ({ name: "Küche" }),
    registry: new Map([["automation.one", { labels: ["l1"] }]]),
    command: () =>
      Promise.resolve({
        config: {
          triggers: [{ trigger: "state", entity_id: "binary_sensor.hall_motion" }],
          alias: "x",
          actions: [{ action: "notify.send", data: { message: "Somebody is there" } }],
        },
      }),
  } as unknown as Home;
  const texts = new ItemTexts(home, () => "Night");
  const found = (text: string) => texts.has("automation.one", text.split(" "));
  expect(found("light")).toBe(true);
  expect(found("somebody")).toBe(false);
  await texts.load(["automation.one"]);
  for (const text of ["light night", "kuche", "hall_motion", "flur", "somebody", "light notify.send"]) expect(found(text), text).toBe(true);
  expect(found("light bathroom")).toBe(false);
});
