// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { firstDay, isDate, stepped } from "./date";

test("spans begin where the calendar has them", () => {
  expect(firstDay("2026-11-30", "day")).toBe("2026-11-30");
  expect(firstDay("2026-11-29", "week")).toBe("2026-11-23");
  expect(firstDay("2026-11-30", "week")).toBe("2026-11-30");
  expect(firstDay("2026-02-28", "month")).toBe("2026-02-01");
  expect(firstDay("2026-02-28", "year")).toBe("2026-01-01");
});

test("a step from a long month stays within the next", () => {
  expect(stepped("2026-01-31", "month", 1)).toBe("2026-02-01");
  expect(stepped("2026-01-31", "month", -1)).toBe("2025-12-01");
  expect(stepped("2024-02-29", "year", -1)).toBe("2023-01-01");
  expect(stepped("2026-03-29", "day", 1)).toBe("2026-03-30");
  expect(stepped("2026-01-01", "week", -1)).toBe("2025-12-22");
});

test("only days are days", () => {
  expect(isDate("2026-11-30")).toBe(true);
  for (const text of [null, "", "2026-13-01", "26-11-30", "2026-11-30T00:00", "1901-01-01"]) expect(isDate(text)).toBe(false);
});
