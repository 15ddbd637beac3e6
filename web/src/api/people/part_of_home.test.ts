// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { selects, type Parts } from "./part_of_home";
import type { Selection } from "../types";

const home: Parts = {
  areas: new Map([
    ["kitchen", { labels: ["warm"] }],
    ["hall", { labels: [] }],
  ]),
  devices: new Map([["stove", { area_id: "kitchen", labels: ["hot"] }]]),
  registry: new Map([
    ["light.stove", { area_id: null, device_id: "stove", labels: [] }],
    ["sensor.stove", { area_id: "hall", device_id: "stove", labels: ["dry"] }],
    ["light.hall", { area_id: "hall", device_id: null }],
    ["light.loose", { area_id: null, device_id: null, labels: ["dry"] }],
  ]),
};

function named(selection: Selection): string[] {
  return [...home.registry.keys(), "light.unregistered"].filter((id) => selects(home, selection, id));
}

test("a selection names entities by themselves, domains, rooms and labels, as the hub does", () => {
  expect(named({})).toEqual([]);
  expect(named({ all: true })).toHaveLength(5);
  expect(named({ entities: ["light.unregistered", "light.hall"] })).toEqual(["light.hall", "light.unregistered"]);
  expect(named({ domains: ["sensor"] })).toEqual(["sensor.stove"]);
  expect(named({ areas: ["kitchen"] })).toEqual(["light.stove"]); // an entity's own room counts before its device's
  expect(named({ areas: ["hall"] })).toEqual(["sensor.stove", "light.hall"]);
  expect(named({ labels: ["dry"] })).toEqual(["sensor.stove", "light.loose"]);
  expect(named({ labels: ["hot"] })).toEqual(["light.stove", "sensor.stove"]);
  expect(named({ labels: ["warm"] })).toEqual(["light.stove"]);
  expect(named({ areas: ["kitchen"], labels: ["dry"] })).toEqual(["light.stove", "sensor.stove", "light.loose"]);
});
