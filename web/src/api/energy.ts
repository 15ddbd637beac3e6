// SPDX-License-Identifier: Apache-2.0
// The meters of the home, and what they say of a span of time: the hub computes it, these are its answers.
import type { Home } from "./home";

export type EnergySpan = "day" | "week" | "month" | "year";
export type Role = "grid_in" | "grid_out" | "sun" | "battery_out" | "battery_in" | "gas" | "water";
export type FlowName =
  | "grid_to_home"
  | "sun_to_home"
  | "battery_to_home"
  | "sun_to_battery"
  | "sun_to_grid"
  | "grid_to_battery"
  | "battery_to_grid";

// By bar, in the whole span, and in the span before.
export interface Line {
  values: number[];
  total: number;
  before: number;
}

export interface MeterLine extends Line {
  role: Role;
  statistic_id: string;
  name: string | null;
  unit: string;
  cost: Line | null;
}

export interface DeviceLine {
  statistic_id: string;
  name: string | null;
  included_in: string | null;
  unit: string;
  values: number[];
  total: number;
  whole: number;
}

export interface Note {
  kind: "no_statistics" | "meter_reset" | "meter_backwards" | "price_unknown" | "devices_exceed" | "water_devices_exceed";
  statistic_id: string | null;
  at: number | null;
  amount: number;
}

interface Share {
  total: number | null;
  before: number | null;
}

// Times are milliseconds.
export interface EnergyReport {
  start: number;
  end: number;
  before: { start: number; end: number };
  period: string;
  currency: string;
  bars: number[];
  meters: MeterLine[];
  used: Line;
  flows: Record<FlowName, Line>;
  self_sufficiency: Share;
  self_consumption: Share;
  cost: Line;
  devices: DeviceLine[];
  other: { values: number[]; total: number };
  water_devices: DeviceLine[];
  other_water: { values: number[]; total: number };
  notes: Note[];
}

// `date` is a day within the span, as 2026-11-30.
export function readEnergy(home: Home, span: EnergySpan, date: string): Promise<EnergyReport> {
  return home.command<EnergyReport>("hearth/energy", { span, date });
}

// As other programs write them, too: what this page does not know stays.
export interface Source {
  type: string;
  [key: string]: unknown;
}
export interface ConsumingDevice {
  stat_consumption: string;
  name?: string;
  included_in_stat?: string;
}
export interface EnergyPreferences {
  energy_sources: Source[];
  device_consumption: ConsumingDevice[];
  device_consumption_water: ConsumingDevice[];
}

export const noPreferences: EnergyPreferences = { energy_sources: [], device_consumption: [], device_consumption_water: [] };

// Undefined if nothing is set.
export async function readPreferences(home: Home): Promise<EnergyPreferences | undefined> {
  try {
    return await home.command<EnergyPreferences>("energy/get_prefs");
  } catch (error) {
    if ((error as { code?: string }).code === "not_found") return undefined;
    throw error;
  }
}

export function savePreferences(home: Home, preferences: EnergyPreferences): Promise<EnergyPreferences> {
  return home.command<EnergyPreferences>("energy/save_prefs", { ...preferences });
}

export interface Finding {
  type: string;
  affected_entities: [string, string | number | null][];
}
export interface Findings {
  energy_sources: Finding[][];
  device_consumption: Finding[][];
  device_consumption_water: Finding[][];
}

export function validate(home: Home): Promise<Findings> {
  return home.command<Findings>("energy/validate");
}

// A statistic that a meter may be.
export interface Statistic {
  statistic_id: string;
  name: string | null;
  unit: string;
}

export async function readTotals(home: Home): Promise<Statistic[]> {
  const all = await home.command<{ statistic_id: string; name: string | null; statistics_unit_of_measurement: string | null }[]>(
    "recorder/list_statistic_ids",
    { statistic_type: "sum" },
  );
  return all.map(({ statistic_id, name, statistics_unit_of_measurement }) => ({
    statistic_id,
    name,
    unit: statistics_unit_of_measurement ?? "",
  }));
}
