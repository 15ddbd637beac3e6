// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Devices } from "../../api/devices";
import { patienceWithSilence, silentAmong } from "./silent";

type Row = [
  id: string,
  device: string | null,
  state: string,
  more?: { attributes?: object; category?: string; hidden?: boolean; changed?: number },
];

const now = 100_000;

function homeOf(rows: Row[]): [Devices, string[]] {
  const entities = rows.map(([entity_id, , state, more]) => [
    entity_id,
    { entity_id, state, attributes: more?.attributes ?? {}, last_changed: more?.changed ?? 0 },
  ]);
  const registry = rows.map(([entity_id, device_id, , more]) => [
    entity_id,
    { entity_id, device_id, entity_category: more?.category ?? null, hidden_by: more?.hidden ? "user" : null },
  ]);
  return [
    { entities: new Map(entities as never), registry: new Map(registry as never), devices: new Map() } as unknown as Devices,
    rows.map(([id]) => id),
  ];
}

const silent = (...rows: Row[]) => silentAmong(...homeOf(rows), now);

test("a device is silent if nothing of it is available for some time, and is named once", () => {
  expect(silent(["switch.coffee", "coffee", "unavailable"], ["sensor.coffee_power", "coffee", "unavailable"])).toEqual(["switch.coffee"]);
  expect(silent(["switch.coffee", "coffee", "unavailable"], ["sensor.coffee_power", "coffee", "12"])).toEqual([]);
  expect(silent(["switch.coffee", "coffee", "off"])).toEqual([]);
});

test("one that has just gone may come back by itself", () => {
  expect(silent(["switch.coffee", "coffee", "unavailable", { changed: now - patienceWithSilence + 1 }])).toEqual([]);
  expect(silent(["switch.coffee", "coffee", "unavailable", { changed: now - patienceWithSilence }])).toEqual(["switch.coffee"]);
});

test("what sleeps, is switched off or carried away may be silent", () => {
  expect(
    silent(
      ["binary_sensor.door", "door", "unavailable"],
      ["sensor.door_battery", "door", "unavailable", { attributes: { device_class: "battery" }, category: "diagnostic" }],
    ),
  ).toEqual([]);
  for (const domain of ["media_player", "remote", "device_tracker"]) expect(silent([`${domain}.tv`, "tv", "unavailable"])).toEqual([]);
});

test("what is hidden, of no device, or only tells of one is not asked about", () => {
  expect(silent(["switch.a", "a", "unavailable", { hidden: true }])).toEqual([]);
  expect(silent(["sensor.template", null, "unavailable"])).toEqual([]);
  expect(silent(["sensor.a_signal", "a", "unavailable", { category: "diagnostic" }])).toEqual([]);
});
