// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { areaChoices, deviceChoices, entityChoices, floorChoices } from "./home_filters";

const entity = (entity_id: string, device_class?: string) => [entity_id, { entity_id, attributes: { device_class } }] as const;
const entry = (entity_id: string, device_id: string | null, platform: string) =>
  [entity_id, { entity_id, device_id, platform, area_id: null }] as const;
const home = {
  entities: new Map([entity("light.hall"), entity("binary_sensor.hall", "motion"), entity("binary_sensor.door", "door")]),
  registry: new Map([
    entry("light.hall", "lamp", "mqtt"),
    entry("binary_sensor.hall", "eye", "demo"),
    entry("binary_sensor.door", null, "demo"),
  ]),
  devices: new Map([
    ["lamp", { id: "lamp", name: "Lamp", name_by_user: null, manufacturer: "A", model: "1", area_id: "hall" }],
    ["eye", { id: "eye", name: "Eye", name_by_user: null, manufacturer: "B", model: "2", area_id: "attic" }],
  ]),
  areas: new Map([
    ["hall", { area_id: "hall", name: "Hall", floor_id: "ground" }],
    ["attic", { area_id: "attic", name: "Attic", floor_id: null }],
  ]),
  floors: new Map([["ground", { floor_id: "ground", name: "Ground", level: 0 }]]),
  nameOf: (id: string) => id,
  areaOf: (id: string) => home.areas.get(home.devices.get(home.registry.get(id)?.device_id ?? "")?.area_id ?? ""),
};
const of = home as unknown as Parameters<typeof entityChoices>[0];
const ids = (choices: { id: string }[]) => choices.map(({ id }) => id);

test("entities are taken by domain, class and integration, and by name", () => {
  expect(ids(entityChoices(of, {}))).toEqual(["binary_sensor.door", "binary_sensor.hall", "light.hall"]);
  expect(ids(entityChoices(of, { filter: { domain: "light" } }))).toEqual(["light.hall"]);
  expect(ids(entityChoices(of, { domain: ["binary_sensor"], device_class: "motion" }))).toEqual(["binary_sensor.hall"]);
  expect(ids(entityChoices(of, { filter: [{ domain: "light" }, { device_class: "door" }] }))).toEqual(["binary_sensor.door", "light.hall"]);
  expect(ids(entityChoices(of, { integration: "mqtt" }))).toEqual(["light.hall"]);
  expect(ids(entityChoices(of, { exclude_entities: ["light.hall"], filter: [{ domain: "light" }] }))).toEqual([]);
});

test("devices are taken by what they are and have", () => {
  expect(ids(deviceChoices(of, {}))).toEqual(["eye", "lamp"]);
  expect(ids(deviceChoices(of, { filter: { manufacturer: "A" } }))).toEqual(["lamp"]);
  expect(ids(deviceChoices(of, { integration: "demo" }))).toEqual(["eye"]);
  expect(ids(deviceChoices(of, { entity: { domain: "light" } }))).toEqual(["lamp"]);
});

test("areas and floors are those of what is taken", () => {
  expect(ids(areaChoices(of, {}))).toEqual(["attic", "hall"]);
  expect(ids(areaChoices(of, { entity: [{ device_class: "motion" }] }))).toEqual(["attic"]);
  expect(ids(areaChoices(of, { device: { manufacturer: "A" } }))).toEqual(["hall"]);
  expect(ids(floorChoices(of, { entity: { domain: "light" } }))).toEqual(["ground"]);
  expect(ids(floorChoices(of, { entity: { domain: "binary_sensor" } }))).toEqual([]);
});
