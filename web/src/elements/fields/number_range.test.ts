// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { digits } from "./number_range";

test.each<[Parameters<typeof digits>[0], unknown, string]>([
  [{ min: 0, max: 3600 }, 120, "4"],
  [{ min: 0, max: 1_000_000, step: 1 }, 5, "7"],
  [{ min: -100, max: 5 }, "", "4"],
  [{ min: 0, max: 1, step: 0.001 }, 0, "5"],
  [{ min: 0.25, max: 10 }, 1, "5"],
  [{ min: 0, max: 9 }, 3, "3"],
  [{ min: 0, max: 9 }, 12345, "5"],
  [{}, "", "5"],
  [{ min: 1 }, "1234567.25", "10"],
])("%j with %j needs %s characters", (limits, value, count) => {
  expect(digits(limits, value)).toEqual({ "--digits": count });
});
