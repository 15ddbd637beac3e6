// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { filled, painted, stretchesIn, textOf, type Stretch } from "./week";

const text = (stretches: Stretch[]) => textOf(stretches);

test("cells are painted on, and join what they touch", () => {
  expect(text(painted([], 13, 15, true))).toBe("06:30–08:00");
  expect(text(painted([{ from: "06:30:00", to: "08:00:00" }], 16, 17, true))).toBe("06:30–09:00");
  expect(
    text(
      painted(
        [
          { from: "06:00", to: "07:00" },
          { from: "08:00", to: "09:00" },
        ],
        14,
        15,
        true,
      ),
    ),
  ).toBe("06:00–09:00");
  expect(text(painted([], 47, 47, true))).toBe("23:30–24:00");
});

test("cells are painted off, and cut what they meet", () => {
  expect(text(painted([{ from: "06:00", to: "09:00" }], 14, 15, false))).toBe("06:00–07:00, 08:00–09:00");
  expect(text(painted([{ from: "06:00", to: "09:00" }], 0, 47, false))).toBe("");
  expect(text(painted([{ from: "06:10", to: "06:20" }], 12, 12, false))).toBe("");
});

test("a stretch with data keeps it", () => {
  const warm = { from: "06:00", to: "08:00", data: { target: 21 } };
  expect(painted([warm], 16, 16, true)).toEqual([warm, { from: "08:00", to: "08:30" }]);
  expect(painted([warm], 10, 17, true)).toEqual([{ from: "05:00", to: "06:00" }, warm, { from: "08:00", to: "09:00" }]);
  expect(painted([warm], 14, 14, false)).toEqual([
    { ...warm, to: "07:00" },
    { ...warm, from: "07:30" },
  ]);
  expect(stretchesIn("06:00-08:00, 09:00-10:00", [warm])).toEqual([warm, { from: "09:00", to: "10:00" }]);
});

test("a cell is whole, in part or not in a stretch", () => {
  const day = [{ from: "06:30", to: "07:15" }];
  expect([12, 13, 14, 15].map((index) => filled(day, index))).toEqual(["none", "whole", "part", "none"]);
  expect(filled([{ from: "soon", to: "later" }], 3)).toBe("none");
});
