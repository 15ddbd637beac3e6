// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { EnergyReport } from "../../api/energy";
import { energyCsv } from "./csv";

const line = (values: number[]) => ({ values, total: 1, before: 0 });

test("each bar of each meter is a line, with what it cost", () => {
  const report = {
    currency: "EUR",
    bars: [Date.parse("2026-10-25T00:00Z"), Date.parse("2026-10-25T01:00Z")],
    meters: [{ role: "grid_in", statistic_id: "sensor.grid", name: null, unit: "kWh", ...line([1, 2]), cost: line([0.3, 0.6]) }],
    used: line([1, 2]),
    devices: [{ statistic_id: "sensor.car", name: null, unit: "kWh", values: [0.5, 1] }],
    other: line([0.5, 1]),
    water_devices: [],
    other_water: line([0, 0]),
  } as unknown as EnergyReport;
  const names: Record<string, string> = { "sensor.grid": "=Grid, main", "sensor.car": "Car" };
  expect(energyCsv(report, "Europe/Berlin", ({ statistic_id }) => names[statistic_id] ?? "").split("\r\n")).toEqual([
    "time,start,kind,statistic_id,name,amount,unit,cost,currency",
    `2026-10-25 02:00,2026-10-25T00:00:00.000Z,grid_in,sensor.grid,"'=Grid, main",1,kWh,0.3,EUR`,
    `2026-10-25 02:00,2026-10-25T01:00:00.000Z,grid_in,sensor.grid,"'=Grid, main",2,kWh,0.6,EUR`,
    "2026-10-25 02:00,2026-10-25T00:00:00.000Z,used,,,1,kWh,,",
    "2026-10-25 02:00,2026-10-25T01:00:00.000Z,used,,,2,kWh,,",
    "2026-10-25 02:00,2026-10-25T00:00:00.000Z,device,sensor.car,Car,0.5,kWh,,",
    "2026-10-25 02:00,2026-10-25T01:00:00.000Z,device,sensor.car,Car,1,kWh,,",
    "2026-10-25 02:00,2026-10-25T00:00:00.000Z,other,,,0.5,kWh,,",
    "2026-10-25 02:00,2026-10-25T01:00:00.000Z,other,,,1,kWh,,",
    "",
  ]);
});
