// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

import { loadLanguage } from "./catalogue";
import { fromWallTime, read, wallTime, written } from "./wall_time";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: [] });

test("wall clocks of a time zone are read as they are shown", () => {
  const winter = Date.UTC(2026, 0, 15, 8, 30) / 1000;
  const summer = Date.UTC(2026, 6, 15, 8, 30) / 1000;
  expect(wallTime(winter, "Europe/Berlin")).toBe("2026-01-15T09:30");
  expect(wallTime(summer, "Europe/Berlin")).toBe("2026-07-15T10:30");
  for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"]) {
    for (const time of [winter, summer]) expect(fromWallTime(wallTime(time, zone), zone), zone).toBe(time);
  }
  // The clocks go from 2:00 to 3:00.
  expect(wallTime(fromWallTime("2026-03-29T02:30", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-29T03:30");
  expect(fromWallTime("noon", "UTC")).toBeNaN();
});

test("times are typed as they are written, in every language", async () => {
  for (const tag of ["en", "de"]) {
    await loadLanguage(tag);
    expect(read(written("2026-11-02T08:30"))).toBe("2026-11-02T08:30");
    expect(read("2026-11-02 8:30")).toBe("2026-11-02T08:30");
    for (const text of ["", "2026-02-31 08:30", "2026-11-02", "2026-13-02 08:30", "2026-11-02 24:30", "2026-11-02 08:30:15"]) {
      expect(read(text), text).toBeUndefined();
    }
  }
  expect(written("2026-11-02T08:30")).toBe("02.11.2026, 08:30");
  expect(read("2.11.2026, 8:30")).toBe("2026-11-02T08:30");
});
