// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { temperatureIn, thermometersIn } from "./room_temperature";

interface Part {
  id: string;
  state?: string;
  device?: string;
  name?: string;
  category?: string;
  attributes?: object;
}

const degrees = { device_class: "temperature", unit_of_measurement: "°C" };
const sensor = (id: string, state: string, more: Partial<Part> = {}): Part => ({ id: `sensor.${id}`, state, attributes: degrees, ...more });

function shown(
  parts: Part[],
  { room = "Kitchen", chosen = null as string | null, unit = "°C", models = {} as Record<string, string> } = {},
) {
  const entities = new Map(parts.map(({ id, state = "on", attributes = {} }) => [id, { entity_id: id, state, attributes }]));
  const registry = new Map(parts.map(({ id, device = null, category = null }) => [id, { device_id: device, entity_category: category }]));
  const devices = new Map(
    parts.flatMap(({ device }) => (device ? [[device, { name: device, model: models[device] ?? null }]] : [])) as never,
  );
  const names = new Map(parts.map(({ id, name }) => [id, name ?? id]));
  const home = {
    entity: (id: string) => entities.get(id),
    areaOf: () => ({ name: room, temperature_entity_id: chosen }),
    nameOf: (id: string) => names.get(id) ?? id,
    registry,
    devices,
  } as never;
  const inRoom = parts.map(({ id }) => id).filter((id) => !id.includes("elsewhere"));
  const value = temperatureIn(home, thermometersIn(home, inRoom), unit);
  return value === undefined ? undefined : Math.round(value * 10) / 10;
}

test("an appliance's temperature is not the room's, by what it is called in English and German", () => {
  for (const name of [
    "Fridge temperature",
    "Refrigerator",
    "Freezer",
    "Oven temperature",
    "Washing machine temperature",
    "Dishwasher",
    "Tumble dryer",
    "Hot water",
    "Boiler flow",
    "Heat pump return",
    "Aquarium",
    "Outdoor temperature",
    "CPU temperature",
    "NAS",
    "Coffee machine",
    "Wine cooler",
    "Rice cooker",
    "Meat probe",
    "Car",
    "Weinkühler",
    "Pizzaofen",
    "Ofentemperatur",
    "Kühlschrank",
    "Kühlschranktemperatur",
    "Gefrierschrank",
    "Tiefkühler",
    "Backofen",
    "Waschmaschine",
    "Geschirrspüler",
    "Warmwasser",
    "Außentemperatur",
    "Außen",
    "Aussentemperatur",
    "Vorlauf",
    "Heizkörper",
    "Wechselrichter",
  ])
    expect([name, shown([sensor("a", "4.9", { name })])]).toEqual([name, undefined]);
  for (const name of [
    "Kitchen temperature",
    "Küche Temperatur",
    "Carpet temperature",
    "Office temperature",
    "Scarlet room",
    "Coventry temperature",
    "Temperature",
    "Thermometer",
  ])
    expect([name, shown([sensor("a", "21.5", { name })])]).toEqual([name, 21.5]);
});

test("an appliance is known by its device, its model and its id, too", () => {
  expect(shown([sensor("a", "4.9", { device: "Fridge", name: "Temperature" })])).toBe(undefined);
  expect(shown([sensor("a", "4.9", { device: "Eisbär", name: "Temperature" })], { models: { Eisbär: "Fridge-freezer 3000" } })).toBe(
    undefined,
  );
  expect(shown([sensor("fridge_temperature", "4.9", { name: "Temperature" })])).toBe(undefined);
});

test("what switches or moves something measures itself, unless it measures the humidity, too", () => {
  const plug: Part = { id: "switch.plug", device: "plug" };
  const humidity: Part = { id: "sensor.humidity", device: "plug", state: "50", attributes: { device_class: "humidity" } };
  expect(shown([plug, sensor("a", "41", { device: "plug" })])).toBe(undefined);
  expect(shown([plug, humidity, sensor("a", "21", { device: "plug" })])).toBe(21);
  expect(shown([{ ...plug, category: "config" }, sensor("a", "21", { device: "plug" })])).toBe(21);
  expect(shown([{ id: "water_heater.tank", device: "tank" }, sensor("a", "55", { device: "tank" })])).toBe(undefined);
  expect(shown([plug, sensor("a", "21", { device: "another" })])).toBe(21);
});

test("what only diagnoses a device is not asked", () => {
  expect(shown([sensor("a", "48", { category: "diagnostic" }), sensor("b", "21")])).toBe(21);
});

test("the thermostat comes before sensors, and the choice before both", () => {
  const thermostat: Part = { id: "climate.a", state: "heat", attributes: { current_temperature: 20.5 } };
  const parts = [sensor("a", "22"), thermostat, sensor("fridge", "5"), sensor("elsewhere", "18")];
  expect(shown(parts)).toBe(20.5);
  expect(shown(parts, { chosen: "sensor.fridge" })).toBe(5);
  expect(shown(parts, { chosen: "sensor.elsewhere" })).toBe(18);
  expect(shown([sensor("a", "22"), { ...thermostat, attributes: {} }])).toBe(22);
  expect(shown([sensor("a", "22"), sensor("b", "unavailable")], { chosen: "sensor.b" })).toBe(undefined);
});

test("several that differ by more than 5 K are not shown", () => {
  expect(shown([sensor("a", "20"), sensor("b", "25")])).toBe(20);
  expect(shown([sensor("a", "20"), sensor("b", "25.1")])).toBe(undefined);
  expect(shown([sensor("a", "20"), sensor("b", "unknown"), sensor("c", "21")])).toBe(20);
  expect(
    shown([
      { id: "climate.a", attributes: { current_temperature: 20 } },
      { id: "climate.b", attributes: { current_temperature: 26 } },
    ]),
  ).toBe(undefined);
  const fahrenheit = { device_class: "temperature", unit_of_measurement: "°F" };
  expect(shown([sensor("a", "70", { attributes: fahrenheit }), sensor("b", "78", { attributes: fahrenheit })], { unit: "°F" })).toBe(70);
  expect(shown([sensor("a", "70", { attributes: fahrenheit }), sensor("b", "80", { attributes: fahrenheit })], { unit: "°F" })).toBe(
    undefined,
  );
});

test("it is told in the home's unit", () => {
  expect(shown([sensor("a", "68", { attributes: { device_class: "temperature", unit_of_measurement: "°F" } })])).toBe(20);
  expect(shown([sensor("a", "20")], { unit: "°F" })).toBe(68);
});

test("outside, the weather is the room's temperature, and so is an appliance's in a room of its own", () => {
  for (const room of ["Garden", "Terrace", "Balkon", "Hinterhof"])
    expect([room, shown([sensor("a", "9", { name: "Outdoor temperature" })], { room })]).toEqual([room, 9]);
  expect(shown([sensor("a", "80", { name: "Sauna temperature" })], { room: "Sauna" })).toBe(80);
  expect(shown([sensor("a", "80", { name: "Sauna temperature" })], { room: "Bathroom" })).toBe(undefined);
});

test("nothing is shown where nothing measures", () => {
  expect(shown([])).toBe(undefined);
  expect(shown([{ id: "light.a" }])).toBe(undefined);
});
