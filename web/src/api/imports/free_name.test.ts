// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { freeName } from "./free_name";

test.each([
  ["Automatic backup 2026.2.3.tar", "automatic_backup_2026_2_3"],
  ["My Home (2).tar", "my_home_2"],
  ["5d0c1a2b.tar", "5d0c1a2b"],
  ["homeassistant.tar.gz", "homeassistant"],
  ["Sicherung-Küche.TAR", "sicherung-k_che"],
  ["家.tar", "backup"],
  [`${"a".repeat(100)}.tar`, "a".repeat(60)],
])("%s is kept as %s", (file, name) => {
  expect(freeName(file, new Set())).toBe(name);
});

test("a name that another backup has gets a number", () => {
  expect(freeName("home.tar", new Set(["home", "home_2", "other"]))).toBe("home_3");
});
