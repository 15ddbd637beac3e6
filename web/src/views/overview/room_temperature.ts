// SPDX-License-Identifier: Apache-2.0
// How warm a room is: by the sensor that was chosen for it, otherwise by its thermostat, otherwise by sensors that are no part of an
// appliance.
import type { Home } from "../../api/home";
import { numberOf } from "../../api/samples";
import type { Area, Device, Entity, RegisteredEntity } from "../../api/types";
import { plain } from "../../elements/fields/finder";

type RoomHome = Pick<Home, "entity" | "areaOf" | "nameOf"> & {
  registry: ReadonlyMap<string, RegisteredEntity>;
  devices: ReadonlyMap<string, Device>;
};

// In K: temperatures that differ by more are not those of one room.
const most = 5;

// Things that warm or cool something else than the room, as their name or their device says it, in English and German.
const appliances =
  /fridge|refrigerat|freez|cooler|cooker|\bice\b|\bbbq\b|smoker|\bmeat\b|\bcar\b|vehicle|\bgpu\b|\bssd\b|\bdisk|\bphone|tablet|\bovens?\b|stove|\bhob\b|cooktop|grill|barbecue|washer|washing|dryer|boiler|kettle|coffee|espresso|microwave|toaster|fryer|\bpool\b|\bspa\b|hot ?tub|sauna|aquarium|terrarium|\bfish|water|\bflow\b|\breturn\b|supply|exhaust|\bcpu\b|processor|\bchip\b|\bcore\b|board|\bnas\b|server|router|printer|comput|laptop|inverter|batter(y|ie)|solar|heat ?pump|radiator|chimney|engine|charger|kuhlschrank|gefrier|tiefkuhl|\bkuhl|kuhler|ofen\b|ofentemp|herd\b|kocher|garer|spul|wasch|trockner|wasser|kaffee|mikrowelle|vorlauf|rucklauf|heizkorper|prozessor|rechner|drucker|wechselrichter|akku|warmepumpe|kamin|abluft|zuluft|motor/;
const outdoors = /outdoor|outside|weather|au(ss|ß)en|drau(ss|ß)en|wetter/;
// Rooms of which the weather is the temperature.
const open = /outdoor|outside|garden|terrace|balcony|patio|yard|porch|garten|terrasse|balkon|hof\b|au(ss|ß)en|drau(ss|ß)en/;
// A device with one of these measures how warm it is itself, unless it measures the humidity, too.
const machines = new Set(["switch", "light", "cover", "fan", "lock", "valve", "siren", "camera", "media_player", "vacuum", "lawn_mower"]);

const domainOf = (id: string): string => id.slice(0, id.indexOf("."));

function wordsOf(home: RoomHome, id: string): string {
  const device = home.devices.get(home.registry.get(id)?.device_id ?? "");
  return plain([home.nameOf(id), id.replaceAll(/[._]/g, " "), device?.name_by_user ?? device?.name, device?.model].join(" "));
}

function isOther(home: RoomHome, id: string, siblings: string[], area: Area | undefined): boolean {
  const words = wordsOf(home, id);
  const room = plain(area?.name ?? "");
  const named = appliances.exec(words)?.[0];
  if (named !== undefined && !room.includes(named)) return true;
  if (outdoors.test(words) && !open.test(room)) return true;
  if (siblings.some((one) => domainOf(one) === "water_heater")) return true;
  const isMachine = siblings.some((one) => machines.has(domainOf(one)) && !home.registry.get(one)?.entity_category);
  return isMachine && !siblings.some((one) => home.entity(one)?.attributes.device_class === "humidity");
}

// The entities of a room that may say how warm it is.
export function thermometersIn(home: RoomHome, ids: readonly string[]): string[] {
  const area = ids[0] === undefined ? undefined : home.areaOf(ids[0]);
  const chosen = area?.temperature_entity_id;
  if (chosen) return [chosen];
  const measuring = ids.filter((id) => {
    if (home.registry.get(id)?.entity_category) return false;
    return id.startsWith("climate.") || (id.startsWith("sensor.") && home.entity(id)?.attributes.device_class === "temperature");
  });
  const byDevice = new Map<string, string[]>();
  for (const id of measuring.length > 0 ? ids : []) {
    const device = home.registry.get(id)?.device_id;
    if (device) byDevice.set(device, [...(byDevice.get(device) ?? []), id]);
  }
  return measuring.filter((id) => {
    const device = home.registry.get(id)?.device_id;
    const siblings = id.startsWith("climate.") ? [] : (byDevice.get(device ?? "") ?? []);
    return !isOther(home, id, siblings, area);
  });
}

// In the home's unit.
function temperatureOf({ entity_id, state, attributes }: Entity, unit: string): number | undefined {
  if (entity_id.startsWith("climate.")) {
    return typeof attributes.current_temperature === "number" ? attributes.current_temperature : undefined;
  }
  const value = numberOf(state);
  const own = attributes.unit_of_measurement;
  if (value === undefined || own === undefined || own === unit) return value;
  const celsius = own === "°F" ? (value - 32) / 1.8 : own === "K" ? value - 273.15 : value;
  return unit === "°F" ? celsius * 1.8 + 32 : unit === "K" ? celsius + 273.15 : celsius;
}

// Undefined if nothing measures it, or if what measures it differs too much.
export function temperatureIn(home: Pick<Home, "entity">, thermometers: readonly string[], unit: string): number | undefined {
  const values = (wanted: (id: string) => boolean) =>
    thermometers.filter(wanted).flatMap((id) => {
      const entity = home.entity(id);
      const value = entity && temperatureOf(entity, unit);
      return value ?? [];
    });
  const isThermostat = (id: string) => id.startsWith("climate.");
  const ofThermostats = values(isThermostat);
  const all = ofThermostats.length > 0 ? ofThermostats : values((id) => !isThermostat(id));
  const difference = Math.max(...all) - Math.min(...all);
  return difference > (unit === "°F" ? most * 1.8 : most) ? undefined : all[0];
}
