// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { csvOf } from "./csv";

const noon = Date.UTC(2026, 10, 24, 12) / 1000;

test("each change is a line with the local time, and what would break one is quoted", () => {
  const series = [
    {
      id: "sensor.a",
      name: 'A, "warm"',
      unit: "°C",
      samples: [
        { time: noon, state: "21.5" },
        { time: noon + 0.25, state: "unknown" },
      ],
    },
    { id: "sensor.b", name: "B", unit: "", samples: [{ time: noon, state: "two\nlines" }] },
  ];
  expect(csvOf(series, "Europe/Berlin")).toBe(
    "entity_id,name,state,unit,time,last_changed\r\n" +
      'sensor.a,"A, ""warm""",21.5,°C,2026-11-24 13:00:00,2026-11-24T12:00:00.000Z\r\n' +
      'sensor.a,"A, ""warm""",unknown,,2026-11-24 13:00:00,2026-11-24T12:00:00.250Z\r\n' +
      'sensor.b,B,"two\nlines",,2026-11-24 13:00:00,2026-11-24T12:00:00.000Z\r\n',
  );
});

test("means stand with their least and greatest value", () => {
  const samples = [
    { time: noon, state: "5", low: -1, high: 9 },
    { time: noon, state: "unavailable" },
  ];
  expect(csvOf([{ id: "sensor.a", name: "A", unit: "W", samples }], "UTC").split("\r\n")).toEqual([
    "entity_id,name,state,unit,time,last_changed,min,max",
    "sensor.a,A,5,W,2026-11-24 12:00:00,2026-11-24T12:00:00.000Z,-1,9",
    "sensor.a,A,unavailable,,2026-11-24 12:00:00,2026-11-24T12:00:00.000Z,,",
    "",
  ]);
});
