// SPDX-License-Identifier: Apache-2.0
// The preferences of energy as a list of meters that a form can change. Each entry points into the preferences, in whichever of their
// two forms a grid is: what the form does not know stays as other programs wrote it.
import type { ConsumingDevice, EnergyPreferences, Source } from "../../../api/energy";

export type Kind = "grid_in" | "grid_out" | "sun" | "battery" | "gas" | "water";
export const kinds: readonly Kind[] = ["grid_in", "grid_out", "sun", "battery", "gas", "water"];

type Fields = Record<string, unknown>;

export interface PriceKeys {
  statistic: string;
  entity: string;
  number: string;
}

export interface Entry {
  kind: Kind;
  source: Source;
  // Where its keys are: the source, or one of its flows.
  fields: Fields;
  // A battery has two.
  meters: string[];
  price?: PriceKeys;
}

const cost: PriceKeys = { statistic: "stat_cost", entity: "entity_energy_price", number: "number_energy_price" };
const income: PriceKeys = { ...cost, statistic: "stat_compensation" };
const flatIncome: PriceKeys = {
  statistic: "stat_compensation",
  entity: "entity_energy_price_export",
  number: "number_energy_price_export",
};

function flows(source: Source, key: "flow_from" | "flow_to"): Fields[] {
  const list = source[key];
  return Array.isArray(list) ? (list as Fields[]) : [];
}

const isFlat = (source: Source) => source.type === "grid" && !("flow_from" in source) && !("flow_to" in source);

function entriesOf(source: Source): Entry[] {
  const one = (kind: Kind, fields: Fields, meters: string[], price?: PriceKeys): Entry => ({
    kind,
    source,
    fields,
    meters,
    ...(price && { price }),
  });
  switch (source.type) {
    case "grid":
      if (isFlat(source)) {
        return [
          ...(typeof source.stat_energy_from === "string" ? [one("grid_in", source, ["stat_energy_from"], cost)] : []),
          ...(typeof source.stat_energy_to === "string" ? [one("grid_out", source, ["stat_energy_to"], flatIncome)] : []),
        ];
      }
      return [
        ...flows(source, "flow_from").map((flow) => one("grid_in", flow, ["stat_energy_from"], cost)),
        ...flows(source, "flow_to").map((flow) => one("grid_out", flow, ["stat_energy_to"], income)),
      ];
    case "solar":
      return [one("sun", source, ["stat_energy_from"])];
    case "battery":
      return [one("battery", source, ["stat_energy_from", "stat_energy_to"])];
    case "gas":
    case "water":
      return [one(source.type, source, ["stat_energy_from"], cost)];
    default:
      return [];
  }
}

export function entries(preferences: EnergyPreferences): Entry[] {
  return preferences.energy_sources.flatMap(entriesOf);
}

const noPrice = { entity_energy_price: null, number_energy_price: null };

export function addEntry(preferences: EnergyPreferences, kind: Kind): void {
  const { energy_sources: sources } = preferences;
  if (kind === "sun") sources.push({ type: "solar", stat_energy_from: "", config_entry_solar_forecast: null });
  else if (kind === "battery") sources.push({ type: "battery", stat_energy_from: "", stat_energy_to: "" });
  else if (kind === "gas" || kind === "water") sources.push({ type: kind, stat_energy_from: "", stat_cost: null, ...noPrice });
  else {
    let grid = sources.find((source) => source.type === "grid" && !isFlat(source));
    if (!grid) sources.push((grid = { type: "grid", flow_from: [], flow_to: [], cost_adjustment_day: 0 }));
    const key = kind === "grid_in" ? "flow_from" : "flow_to";
    const flow = kind === "grid_in" ? { stat_energy_from: "", stat_cost: null } : { stat_energy_to: "", stat_compensation: null };
    grid[key] = [...flows(grid, key), { ...flow, ...noPrice }];
  }
}

export function removeEntry(preferences: EnergyPreferences, entry: Entry): void {
  const { source, fields, kind, meters, price } = entry;
  if (kind === "grid_in" || kind === "grid_out") {
    if (isFlat(source)) for (const key of [...meters, ...Object.values(price ?? {})]) source[key] = null;
    else {
      const key = kind === "grid_in" ? "flow_from" : "flow_to";
      source[key] = flows(source, key).filter((flow) => flow !== fields);
    }
    if (entriesOf(source).length > 0) return;
  }
  preferences.energy_sources = preferences.energy_sources.filter((other) => other !== source);
}

export type PriceKind = "none" | "number" | "entity" | "statistic";

export function priceKind({ fields, price }: Entry): PriceKind {
  if (!price) return "none";
  if (typeof fields[price.statistic] === "string") return "statistic";
  if (typeof fields[price.entity] === "string") return "entity";
  return typeof fields[price.number] === "number" ? "number" : "none";
}

export function setPrice({ fields, price }: Entry, kind: PriceKind, value: string | number): void {
  if (!price) return;
  for (const key of Object.values(price)) fields[key] = null;
  if (kind !== "none") fields[price[kind]] = value;
}

// Everything is chosen.
export function isWhole(preferences: EnergyPreferences): boolean {
  const hasMeters = ({ fields, meters, price }: Entry) =>
    meters.every((key) => fields[key]) && !Object.values(price ?? {}).some((key) => fields[key] === "");
  const devices: ConsumingDevice[] = [...preferences.device_consumption, ...preferences.device_consumption_water];
  return entries(preferences).every(hasMeters) && devices.every(({ stat_consumption }) => stat_consumption);
}
