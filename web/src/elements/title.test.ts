// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { titleOf } from "./title";

test("a title goes from the inside out", () => {
  const settings = { page: "Settings", home: "Villa", isPlain: false };
  const overview = { page: "Overview", home: "Villa", isPlain: true };
  expect(titleOf(settings, [{ depth: 1, text: "MQTT" }])).toBe("MQTT – Settings – Villa");
  expect(
    titleOf(settings, [
      { depth: 1, text: "Automations" },
      { depth: 2, text: "Night" },
    ]),
  ).toBe("Night – Automations – Settings – Villa");
  expect(titleOf(settings, [])).toBe("Settings – Villa");
  expect(titleOf(overview, [])).toBe("Overview – Villa");
  expect(titleOf(overview, [{ depth: 1, text: "Kitchen" }])).toBe("Kitchen – Villa");
  expect(
    titleOf(overview, [
      { depth: 3, text: "Hall light" },
      { depth: 3, text: "Sure?" },
      { depth: 1, text: "" },
    ]),
  ).toBe("Sure? – Hall light – Villa");
});
