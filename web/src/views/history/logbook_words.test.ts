// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import type { Home } from "../../api/home";
import { loadLanguage } from "../../i18n/catalogue";
import { sourceText, whatText, withAdded } from "./logbook_words";

const root = vi.hoisted(() => ({ lang: "en" }));
vi.stubGlobal("document", { documentElement: root });
vi.stubGlobal("navigator", { languages: ["en-GB"] });
beforeAll(() => loadLanguage("en"));

const entities = new Map([
  [
    "binary_sensor.hall",
    { entity_id: "binary_sensor.hall", state: "off", attributes: { device_class: "motion", friendly_name: "Hall motion" } },
  ],
]);
const home = {
  entities,
  entity: (id: string) => entities.get(id),
  nameOf: (id: string) => (id === "binary_sensor.hall" ? "Hall motion" : id),
  registry: new Map(
    ["sensor.a", "sensor.b"].map((entity_id) => [entity_id, { entity_id, device_id: "d", name: null, original_name: entity_id.slice(7) }]),
  ),
  devices: new Map([["d", { id: "d", name: "Meter", name_by_user: null, created_at: 1000 }]]),
  kinds: new Map(),
  configuration: { time_zone: "UTC", unit_system: {} },
} as unknown as Home;
const nothing = () => undefined;

test.each([
  ["by hand", "by hand"],
  ["state of binary_sensor.hall", "by Hall motion (Detected)"],
  ["numeric state of sensor.gone", "by sensor.gone"],
  ["sunset", "by the sunset"],
  ["time pattern", "by the time"],
  ["calendar calendar.bins", "by the calendar calendar.bins"],
  ["sentence 'lights on'", "by the sentence “lights on”"],
  ["mqtt topic a/b", "by mqtt topic a/b"],
])("what an automation was triggered by, %s, is said as “%s”", (source, text) => {
  expect(sourceText(home, source, (id) => (id === "binary_sensor.hall" ? "on" : undefined))).toBe(text);
});

test("an automation's entry says what triggered it, once", () => {
  expect(whatText(home, { when: 1, name: "Night", message: "triggered by by hand", source: "by hand" }, nothing)).toBe("triggered by hand");
  expect(whatText(home, { when: 1, name: "Night", message: "triggered" }, nothing)).toBe("triggered");
  expect(whatText(home, { when: 1, name: "Hall", entity_id: "binary_sensor.hall", state: "off" }, nothing)).toBe("Clear");
});

test("what a device brings with it is one row: added", () => {
  const entry = (entity_id: string, when: number, state = "on", more = {}) => ({ entity_id, when, state, name: entity_id, ...more });
  const told = (entries: ReturnType<typeof entry>[]) =>
    withAdded(home, entries).map((row) => ("added" in row ? `${row.added}: ${row.names.length}` : `${row.entity_id} ${row.state}`));
  expect(
    told([
      entry("light.x", 999),
      entry("sensor.a", 1000, "unknown"),
      entry("light.x", 1001),
      entry("sensor.a", 1001),
      entry("sensor.b", 1002),
      entry("sensor.b", 1003, "off"),
      entry("sensor.a", 2000),
    ]),
  ).toEqual(["light.x on", "d: 2", "light.x on", "sensor.b off", "sensor.a on"]);
  expect(told([entry("sensor.a", 1000, "on", { context_user_id: "ann" })])).toEqual(["sensor.a on"]);
});
