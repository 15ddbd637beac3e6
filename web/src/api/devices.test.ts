// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { deviceName, entitiesByDevice, factsOf, integrationOf, makerOf, nameOnDevice, newDevices, seenAt, type Devices } from "./devices";
import type { Device, Entity, RegisteredEntity } from "./types";

const plain: Device = {
  id: "d1",
  name: "Motion sensor",
  name_by_user: null,
  area_id: null,
  labels: [],
  disabled_by: null,
  manufacturer: "Aqara",
  model: "P1",
  model_id: null,
  sw_version: "1.0",
  hw_version: null,
  serial_number: null,
  via_device_id: null,
  configuration_url: null,
  entry_type: null,
  primary_config_entry: "01KB8Y2Z3QXVJ4W5N6M7P8R9ST",
  created_at: 100,
};

// A home with one device and these entities: id, state, attributes.
function homeWith(...entities: [string, string, Record<string, unknown>?][]): Devices {
  return {
    devices: new Map([["d1", plain]]),
    registry: new Map(entities.map(([entity_id]) => [entity_id, { entity_id, device_id: "d1" } as RegisteredEntity])),
    entities: new Map(
      entities.map(([entity_id, state, attributes = {}]) => [entity_id, { entity_id, state, attributes } as unknown as Entity]),
    ),
  };
}

function facts(...entities: Parameters<typeof homeWith>) {
  const home = homeWith(...entities);
  return factsOf(home, plain, entitiesByDevice(home).get("d1") ?? []);
}

test("a device is called as the user, else as it calls itself, else by its id", () => {
  expect(deviceName(plain)).toBe("Motion sensor");
  expect(deviceName({ ...plain, name_by_user: "Hall" })).toBe("Hall");
  expect(deviceName({ ...plain, name: " " })).toBe("d1");
  expect(makerOf(plain)).toBe("Aqara P1");
  expect(makerOf({ ...plain, manufacturer: null })).toBe("P1");
});

test("battery, signal, the last time and firmware come from its entities", () => {
  const found = facts(
    ["sensor.hall_battery", "85", { device_class: "battery" }],
    ["sensor.hall_linkquality", "120", { unit_of_measurement: "lqi" }],
    ["sensor.hall_last_seen", "2026-11-25T10:00:00+00:00", { device_class: "timestamp" }],
    ["update.hall", "on", { installed_version: "1.2", latest_version: "1.3" }],
  );
  expect(found.battery?.state).toBe("85");
  expect(found.signal?.state).toBe("120");
  expect(seenAt(found)).toBe(Date.UTC(2026, 10, 25, 10));
  expect(found.firmware).toBe("1.2");
  expect(found.isGone).toBe(false);
});

test("what its entry says of the software counts if it has no update", () => {
  expect(facts().firmware).toBe("1.0");
  expect(seenAt(facts(["sensor.hall_last_seen", "unknown", { device_class: "timestamp" }]))).toBeUndefined();
  expect(seenAt(facts(["sensor.next_alarm", "2026-11-25T10:00:00Z", { device_class: "timestamp" }]))).toBeUndefined();
});

test("a battery that is measured says more than one that is only low or not", () => {
  const percent: [string, string, Record<string, unknown>] = ["sensor.battery", "70", { device_class: "battery" }];
  const low: [string, string, Record<string, unknown>] = ["binary_sensor.battery", "off", { device_class: "battery" }];
  expect(facts(percent, low).battery?.entity_id).toBe("sensor.battery");
  expect(facts(low, percent).battery?.entity_id).toBe("sensor.battery");
});

test("a device is gone if each of its states is", () => {
  expect(facts(["sensor.a", "unavailable"], ["sensor.b", "1"]).isGone).toBe(false);
  expect(facts(["sensor.a", "unavailable"], ["sensor.b", "unavailable"]).isGone).toBe(true);
  expect(facts().isGone).toBe(false);
});

test("new is what came later and has no area yet", () => {
  const devices = [
    plain,
    { ...plain, id: "d2", created_at: 300 },
    { ...plain, id: "d3", created_at: 200 },
    { ...plain, id: "d4", created_at: 400, area_id: "hall" },
    { ...plain, id: "d5", created_at: 400, entry_type: "service" },
    { ...plain, id: "d6", created_at: 400, disabled_by: "user" },
  ];
  const home = { ...homeWith(), devices: new Map(devices.map((device) => [device.id, device])) };
  expect(newDevices(home, 100).map(({ id }) => id)).toEqual(["d2", "d3"]);
  expect(newDevices(home, 300)).toEqual([]);
});

test("on its device's page an entity is called by what is left after the device's name", () => {
  const called = (name: string, device = plain) => nameOnDevice({ nameOf: () => name }, "sensor.any", device);
  expect(called("Motion sensor Battery")).toBe("Battery");
  expect(called("motion Sensor: battery low")).toBe("Battery low");
  expect(called("Motion sensor – Signal")).toBe("Signal");
  expect(called("Motion sensor")).toBe("Motion sensor");
  expect(called("Motion sensors")).toBe("Motion sensors");
  expect(called("Battery")).toBe("Battery");
  const renamed = { ...plain, name_by_user: "Hall" };
  expect(called("Hall battery", renamed)).toBe("Battery");
  expect(called("Motion sensor Battery", renamed)).toBe("Battery");
  expect(called("Hallway battery", renamed)).toBe("Hallway battery");
  expect(called("Anything", { ...plain, name: null })).toBe("Anything");
});

test("a device tells the integration that brings it by its own names, or by its id", () => {
  expect(integrationOf({ ...plain, identifiers: [["mqtt", "0x1"]] })).toBe("mqtt");
  expect(integrationOf({ ...plain, id: "demo.hall", identifiers: [] })).toBe("demo");
  expect(integrationOf(plain)).toBe("");
});
