// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from "vitest";

import { roomKinds } from "../../../api/rooms";
import type { Area, Device, Entity, RegisteredEntity } from "../../../api/types";
import { Arrangement, arrangeableRows, type Row } from "./arrangement";

const areas = new Map(
  ["Kitchen", "Hall"].map((name) => [
    name.toLowerCase(),
    { area_id: name.toLowerCase(), name, floor_id: null, icon: null, labels: [] } as Area,
  ]),
);
let home: {
  devices: Map<string, Device>;
  registry: Map<string, RegisteredEntity>;
  entities: Map<string, Entity>;
  areas: Map<string, Area>;
};
let arrangement: Arrangement;

function add(id: string, name: string, entities: [string, object?, object?][], more: object = {}): void {
  home.devices.set(id, { id, name, name_by_user: null, area_id: null, disabled_by: null, entry_type: null, ...more } as Device);
  for (const [entity_id, attributes = {}, registered = {}] of entities) {
    home.registry.set(entity_id, { entity_id, device_id: id, hidden_by: null, entity_category: null, ...registered } as RegisteredEntity);
    home.entities.set(entity_id, { entity_id, state: "on", attributes } as unknown as Entity);
  }
}

const rows = () => arrangeableRows(home, "en");
const row = (id: string): Row => rows().find(({ device }) => device.id === id) as Row;
const changes = (made = new Map<string, string>()) => arrangement.changes(rows(), made);

beforeEach(() => {
  home = { devices: new Map(), registry: new Map(), entities: new Map(), areas };
  arrangement = new Arrangement();
  arrangement.know(areas);
  add("a", "Kitchen lamp", [["light.a"], ["sensor.a_power", { device_class: "power" }]]);
  add("b", "Hall motion", [
    ["sensor.b_battery", { device_class: "battery" }, { entity_category: "diagnostic" }],
    ["binary_sensor.b", { device_class: "motion" }],
  ]);
  add("c", "Bridge", [["update.c"]]);
  add("d", "Garage plug", [["switch.d"]]);
});

test("devices stand by what they are; services and disabled ones do not stand anywhere", () => {
  add("e", "Weather", [["sensor.e"]], { entry_type: "service" });
  add("f", "Off", [["light.f"]], { disabled_by: "user" });
  expect(rows().map(({ device, kind }) => [device.id, kind])).toEqual([
    ["a", "light"],
    ["d", "switch"],
    ["b", "binary_sensor.motion"],
    ["c", "other"],
  ]);
});

test("guesses are chosen already, also of a room that has to be made first", () => {
  const garage = roomKinds.find(({ id }) => id === "garage");
  expect(arrangement.roomOf(row("a"))).toEqual({ room: "kitchen", isGuess: true });
  expect(arrangement.roomOf(row("c"))).toEqual({ room: "", isGuess: false });
  expect(arrangement.newRooms(rows())).toEqual([garage]);
  expect(changes(new Map([["garage", "garage_2"]]))).toEqual([
    { device_id: "a", area_id: "kitchen" },
    { device_id: "d", area_id: "garage_2" },
    { device_id: "b", area_id: "hall" },
  ]);
  // If it could not be made, the device stays where it is.
  expect(changes().map(({ device_id }) => device_id)).toEqual(["a", "b"]);
  expect(arrangement.isTouched).toBe(false);
});

test("what a person chooses counts more than a guess, also no room at all", () => {
  arrangement.choose([row("a"), row("b")], { room: "" });
  arrangement.choose([row("c")], { room: "hall", hidden: true });
  arrangement.choose([row("d")], { room: "", name: " Drill " });
  expect(changes()).toEqual([
    { device_id: "d", name_by_user: "Drill" },
    { device_id: "c", area_id: "hall", hidden: true },
  ]);
  expect(arrangement.isTouched).toBe(true);
});

test("a device that has a room stays there unless another is chosen", () => {
  add("g", "Kitchen fan", [["fan.g"]], { area_id: "hall" });
  expect(arrangement.roomOf(row("g"))).toEqual({ room: "hall", isGuess: false });
  arrangement.choose([row("g")], { room: "" });
  expect(changes().find(({ device_id }) => device_id === "g")).toEqual({ device_id: "g", area_id: null });
});

test("an emptied name, and the device's own, take the person's away", () => {
  add("g", "0x1", [["light.g"]], { name_by_user: "Mine", area_id: "hall" });
  for (const name of ["", "  ", "0x1"]) {
    arrangement.choose([row("g")], { name });
    expect(changes().find(({ device_id }) => device_id === "g")).toEqual({ device_id: "g", name_by_user: null });
  }
});

test("a device is hidden if all of it is that people see", () => {
  add(
    "g",
    "Hidden",
    [
      ["light.g", {}, { hidden_by: "user" }],
      ["sensor.g", {}, { hidden_by: "integration" }],
    ],
    { area_id: "hall" },
  );
  expect(row("g").isHidden).toBe(true);
  arrangement.choose([row("g")], { hidden: false });
  expect(changes().find(({ device_id }) => device_id === "g")).toEqual({ device_id: "g", hidden: false });
});

test("what the hub refuses stays wanted, and says why; what it took, and what is gone, does not", () => {
  arrangement.choose(rows(), { room: "hall", name: "x".repeat(300) });
  const sent = changes();
  arrangement.settle(sent, {
    updated: 2,
    failed: [
      { device_id: "a", code: "invalid_info", message: "name_by_user: too long" },
      { device_id: "b", code: "not_found", message: "There is no device b." },
    ],
  });
  expect(arrangement.failures).toEqual(new Map([["a", "name_by_user: too long"]]));
  expect(arrangement.nameOf(row("a"))).toHaveLength(300);
  expect(arrangement.nameOf(row("b"))).toBe("Hall motion");
  arrangement.choose([row("a")], { name: "Lamp" });
  expect(arrangement.failures.size).toBe(0);
});
