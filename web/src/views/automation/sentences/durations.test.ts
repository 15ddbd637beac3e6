// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { durationOf, offsetOf, secondsOf, writeDuration, writeOffset } from "./durations";

test.each([
  [90, { amount: 90, unit: "seconds" }],
  ["120", { amount: 2, unit: "minutes" }],
  ["00:02:00", { amount: 2, unit: "minutes" }],
  ["1:30", { amount: 90, unit: "minutes" }],
  ["00:00:00.5", { amount: 0.5, unit: "seconds" }],
  [{ hours: 24 }, { amount: 1, unit: "days" }],
  [
    { minutes: 1, seconds: "30" },
    { amount: 90, unit: "seconds" },
  ],
  [{ milliseconds: 250 }, { amount: 0.25, unit: "seconds" }],
  [0, { amount: 0, unit: "seconds" }],
])("%j is a duration", (value, duration) => {
  expect(durationOf(value)).toEqual(duration);
  expect(secondsOf(writeDuration(durationOf(value)!))).toBe(secondsOf(value));
});

test.each(["{{ 5 }}", "soon", { minutes: "{{ 5 }}" }, { weeks: 1 }, { minutes: "" }, [1], null, undefined, "-00:05", "1:2", NaN])(
  "%j is none",
  (value) => {
    expect(durationOf(value)).toBeUndefined();
  },
);

test("an offset has a direction", () => {
  expect(offsetOf("-00:30:00")).toEqual({ amount: 30, unit: "minutes", before: true });
  expect(offsetOf({ hours: -1 })).toEqual({ amount: 1, unit: "hours", before: true });
  expect(offsetOf("+00:00:10")).toEqual({ amount: 10, unit: "seconds", before: false });
  expect(writeOffset({ amount: 90, unit: "minutes", before: true })).toBe("-01:30:00");
  expect(writeOffset({ amount: 5, unit: "seconds", before: false })).toBe("00:00:05");
});
