// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { noPreferences, type EnergyPreferences } from "../../../api/energy";
import { addEntry, entries, isWhole, kinds, priceKind, removeEntry, setPrice } from "./entries";

const flat = (): EnergyPreferences => ({
  ...structuredClone(noPreferences),
  energy_sources: [
    {
      type: "grid",
      stat_energy_from: "sensor.in",
      stat_energy_to: "sensor.out",
      number_energy_price: 0.3,
      number_energy_price_export: 0.1,
      stat_rate: "sensor.power",
    },
  ],
});

test("each kind of meter can be added, and is incomplete until its entity is chosen", () => {
  const preferences = structuredClone(noPreferences);
  for (const kind of kinds) addEntry(preferences, kind);
  expect(entries(preferences).map(({ kind }) => kind)).toEqual(kinds);
  expect(isWhole(preferences)).toBe(false);
  for (const { fields, meters } of entries(preferences)) for (const key of meters) fields[key] = "sensor.x";
  expect(isWhole(preferences)).toBe(true);
});

test("meters of the grid share a source, and the last one takes it along", () => {
  const preferences = structuredClone(noPreferences);
  for (const kind of ["grid_in", "grid_in", "grid_out"] as const) addEntry(preferences, kind);
  expect(preferences.energy_sources).toHaveLength(1);
  for (const entry of entries(preferences)) removeEntry(preferences, entry);
  expect(preferences.energy_sources).toEqual([]);
});

test("the flat form stays, with what only other programs know", () => {
  const preferences = flat();
  const [bought, sold] = entries(preferences);
  expect([priceKind(bought!), sold!.price!.number]).toEqual(["number", "number_energy_price_export"]);
  setPrice(sold!, "entity", "sensor.price");
  removeEntry(preferences, bought!);
  expect(preferences.energy_sources).toEqual([
    {
      type: "grid",
      stat_energy_from: null,
      stat_energy_to: "sensor.out",
      stat_cost: null,
      entity_energy_price: null,
      number_energy_price: null,
      stat_compensation: null,
      entity_energy_price_export: "sensor.price",
      number_energy_price_export: null,
      stat_rate: "sensor.power",
    },
  ]);
});
