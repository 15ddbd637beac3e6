// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { changedAlerts, groupsOf, hasLowBattery, idsOf, type Alert } from "./alerts";

const alert = (entity_id: string, kind: string, grade: Alert["grade"], minute = 0): Alert => ({
  alert_id: `${kind}.${entity_id}`,
  kind,
  grade,
  entity_id,
  device_id: null,
  area_id: null,
  since: `2026-11-21T09:0${minute}:00.000000+00:00`,
  snoozed_until: null,
});
const battery = (name: string, minute = 0) => alert(`sensor.${name}`, "battery", "warning", minute);
const smoke = alert("binary_sensor.smoke", "smoke", "danger");
const leak = alert("binary_sensor.leak", "moisture", "danger", 5);

test("alerts come, change and go, danger first and then the latest", () => {
  const all = changedAlerts(new Map(), { alerts: [battery("a"), battery("b", 2), smoke] });
  expect([...all.keys()]).toEqual(["binary_sensor.smoke", "sensor.b", "sensor.a"]);
  const later = changedAlerts(all, { changed: [leak, { ...battery("a"), snoozed_until: leak.since }], removed: ["battery.sensor.b"] });
  expect([...later.keys()]).toEqual(["binary_sensor.leak", "binary_sensor.smoke", "sensor.a"]);
  expect(later.get("sensor.a")?.snoozed_until).toBe(leak.since);
  expect([...changedAlerts(later, { alerts: [smoke] }).keys()]).toEqual(["binary_sensor.smoke"]);
});

test("an alert whose entity was renamed is there once", () => {
  const all = changedAlerts(new Map(), { alerts: [battery("a")] });
  expect([...changedAlerts(all, { changed: [{ ...battery("a"), entity_id: "sensor.other" }] }).keys()]).toEqual(["sensor.other"]);
});

test("dangers stand alone, and warnings of a kind together", () => {
  const batteries = Array.from({ length: 101 }, (_, index) => battery(`b${index}`));
  const door = alert("binary_sensor.door", "open", "warning");
  const groups = groupsOf([smoke, leak, ...batteries, door]);
  expect(groups.map(({ kind, alerts }) => [kind, alerts.length])).toEqual([
    ["smoke", 1],
    ["moisture", 1],
    ["battery", 101],
    ["open", 1],
  ]);
});

test("alerts of a kind are named, without those that are snoozed", () => {
  expect(idsOf([smoke, battery("a"), { ...battery("b"), snoozed_until: leak.since }], "battery")).toEqual(["sensor.a"]);
});

test("a device has a low battery if there is an alert of one of its entities", () => {
  const devices = { "vacuum.robot": "robot", "sensor.robot_battery": "robot", "sensor.a": "other", "vacuum.own": null };
  const registry = new Map(Object.entries(devices).map(([id, device_id]) => [id, { device_id }]));
  const low = (id: string, ...alerts: Alert[]) => hasLowBattery({ alerts: changedAlerts(new Map(), { alerts }), registry }, id);
  expect(low("vacuum.robot", battery("robot_battery"))).toBe(true);
  expect(low("vacuum.robot", battery("a"), alert("vacuum.robot", "vacuum_error", "danger"))).toBe(false);
  expect(low("vacuum.own", battery("nowhere"))).toBe(false);
});
