// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { Finder } from "./finder";

const services = new Finder([
  { id: "light.toggle", name: "Toggle", note: "Turns a light on, or off if it is on: to turn it off", group: "Light" },
  { id: "light.turn_off", name: "Turn off", note: "Turns off one or more lights", group: "Light" },
  { id: "light.turn_on", name: "Turn on", note: "Turns on one or more lights, and sets them", group: "Light" },
  { id: "switch.turn_on", name: "Turn on", note: "Turns on one or more switches that switch a light", group: "Switch" },
  { id: "notify.send", name: "Send a message", note: "Also when the light does not turn on", group: "Notify" },
]);

test.each([
  ["light turn off", "light.turn_off"],
  ["light turn on", "light.turn_on"],
  ["turn on light", "light.turn_on"],
  ["switch turn on", "switch.turn_on"],
  ["light.turn_on", "light.turn_on"],
  ["light tog", "light.toggle"],
  ["Turn on", "light.turn_on"],
  ["lights", "light.turn_off"],
])("“%s” finds %s first", (text, id) => {
  expect(services.find(text)[0]?.id).toBe(id);
});

test("what has the words in its description alone comes last, and groups stay together", () => {
  expect(services.find("light turn on").map(({ id }) => id)).toEqual([
    "light.turn_on",
    "light.toggle",
    "light.turn_off",
    "switch.turn_on",
    "notify.send",
  ]);
  expect(services.find("nothing")).toEqual([]);
  expect(services.find(" ").map(({ id }) => id)).toHaveLength(5);
});

test("an exact id comes first, then an exact name, what begins so, what has the word, and what has a part of one", () => {
  const ids = ["sensor.a_big_5", "sensor.big_50", "sensor.big_55", "sensor.xbig_5", "sensor.big_5"];
  const sensors = new Finder([
    ...ids.map((id) => ({ id, name: `Value ${id.slice(7).replace("_", " ")}` })),
    { id: "sensor.other", name: "Big 5" },
    { id: "sensor.named", name: "A big 5 here" },
  ]);
  const found = (text: string) => sensors.find(text).map(({ id }) => id);
  expect(found("sensor.big_5")).toEqual(["sensor.big_5", "sensor.big_50", "sensor.big_55"]);
  expect(found("big_5").slice(0, 3)).toEqual(["sensor.big_5", "sensor.big_50", "sensor.big_55"]);
  expect(found("big 5").slice(0, 2)).toEqual(["sensor.other", "sensor.a_big_5"]);
  expect(found("big 5")).toContain("sensor.xbig_5");
});

test("case and accents do not count", () => {
  const rooms = new Finder([
    { id: "area_id:kuche", name: "Küche" },
    { id: "area_id:flur", name: "Flur" },
  ]);
  expect(rooms.find("KUCHE").map(({ name }) => name)).toEqual(["Küche"]);
  expect(rooms.find("flur").map(({ id }) => id)).toEqual(["area_id:flur"]);
});

test("a group of things comes before one that has a thing called just so, unless that is an id", () => {
  const targets = new Finder([
    { id: "entity_id:lock.front", name: "Front door lock", group: "Hall" },
    { id: "device_id:d1", name: "Front door", group: "Devices" },
  ]);
  expect(targets.find("front door").map(({ id }) => id)).toEqual(["entity_id:lock.front", "device_id:d1"]);
  expect(targets.find("d1").map(({ id }) => id)).toEqual(["device_id:d1"]);
});
