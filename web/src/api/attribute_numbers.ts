// SPDX-License-Identifier: Apache-2.0
// Numbers that entities measure or were set to beside their states: attributes, which history draws as curves.
import type { Key } from "../i18n/catalogue";
import type { Home } from "./home";
import type { Sample } from "./samples";
import type { Attributes } from "./types";

interface AttributeNumber {
  attribute: string;
  label: Key;
  unit: "temperature" | "%";
  // The number that is a hundred percent, if it is not 100.
  most?: number;
}

const temperatures: AttributeNumber[] = [
  { attribute: "current_temperature", label: "history.currentTemperature", unit: "temperature" },
  { attribute: "temperature", label: "history.targetTemperature", unit: "temperature" },
  { attribute: "target_temp_low", label: "history.targetLow", unit: "temperature" },
  { attribute: "target_temp_high", label: "history.targetHigh", unit: "temperature" },
];
const humidities: AttributeNumber[] = [
  { attribute: "current_humidity", label: "history.currentHumidity", unit: "%" },
  { attribute: "humidity", label: "history.targetHumidity", unit: "%" },
];
const position: AttributeNumber = { attribute: "current_position", label: "history.position", unit: "%" };

const numbers: Record<string, AttributeNumber[]> = {
  climate: [...temperatures, ...humidities],
  cover: [position, { attribute: "current_tilt_position", label: "history.tilt", unit: "%" }],
  fan: [{ attribute: "percentage", label: "history.speed", unit: "%" }],
  humidifier: humidities,
  light: [{ attribute: "brightness", label: "history.brightness", unit: "%", most: 255 }],
  valve: [position],
  water_heater: temperatures,
};

function numbersOf(id: string): AttributeNumber[] {
  const domain = id.slice(0, id.indexOf("."));
  return Object.hasOwn(numbers, domain) ? (numbers[domain] as AttributeNumber[]) : [];
}

export function hasNumbers(id: string): boolean {
  return numbersOf(id).length > 0;
}

// The numbers among the attributes, by name; undefined if the entity's domain has none.
export function attributeNumbers(id: string, attributes: Attributes): Record<string, number> | undefined {
  const wanted = numbersOf(id);
  if (wanted.length === 0) return undefined;
  const found: Record<string, number> = {};
  for (const { attribute, most = 100 } of wanted) {
    const value = attributes[attribute];
    if (typeof value === "number") found[attribute] = most === 100 ? value : Math.round((value / most) * 100);
  }
  return found;
}

// True if two samples say the same.
export function isSame(a: Sample | undefined, b: Sample): boolean {
  return a?.state === b.state && JSON.stringify(a.numbers) === JSON.stringify(b.numbers);
}

export interface NumberLine {
  label: Key;
  unit: string;
  samples: Sample[];
}

// A line for each number that an entity had within the samples; while it had none there is a gap.
export function numberLines(home: Home, id: string, samples: Sample[]): NumberLine[] {
  return numbersOf(id).flatMap(({ attribute, label, unit }) => {
    const line: Sample[] = [];
    for (const { time, numbers: values } of samples) {
      const value = values?.[attribute];
      const state = value === undefined ? "unavailable" : String(value);
      if (line.at(-1)?.state !== state) line.push({ time, state });
    }
    if (line.every(({ state }) => state === "unavailable")) return [];
    return [{ label, unit: unit === "%" ? unit : (home.configuration.unit_system[unit] ?? "°C"), samples: line }];
  });
}
