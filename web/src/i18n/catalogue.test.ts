// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test, vi } from "vitest";

import { bestLanguage, formatBytes, formatDuration, formatNumber, formatRelative, language, loadLanguage, t } from "./catalogue";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: ["fr-CH", "de-AT", "en"] });

test("the best language is the first that there is, with or without its country", () => {
  expect(bestLanguage("auto")).toBe("de");
  expect(bestLanguage("de-CH")).toBe("de");
  expect(bestLanguage("fr")).toBe("en");
});

test("no key stands in two files of a language: the one that comes later would win", () => {
  const files = import.meta.glob<Record<string, string>>(
    ["./languages/*.json", "!./languages/{messages,reports,services,blueprints}.*.json"],
    {
      eager: true,
      import: "default",
    },
  );
  for (const language of ["en", "de"]) {
    const own = Object.entries(files).filter(([path]) => path.endsWith(`/${language}.json`) || path.endsWith(`.${language}.json`));
    expect(own.length).toBeGreaterThan(5);
    const keys = own.flatMap(([, texts]) => Object.keys(texts));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  }
});

describe("in English", () => {
  beforeAll(() => loadLanguage("en"));

  test("a text takes its values, and the form for their count", () => {
    expect(language()).toBe("en");
    expect(t("overview.found", { count: 1 })).not.toBe(t("overview.found", { count: 2 }));
    expect(t("overview.found", { count: 1234 })).toContain("1,234");
  });

  test.each([
    [0, "0 seconds"],
    [0.4, "1 second"],
    [59, "59 seconds"],
    [61, "2 minutes"],
    [3600, "1 hour"],
    [3661, "1 hour, 2 minutes"],
    [172800 + 3 * 3600, "2 days, 3 hours"],
    [86399, "24 hours"],
  ])("%d seconds are %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test.each([
    [0, "0 B"],
    [1023, "1,023 B"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [250 * 1024 * 1024, "250 MiB"],
    [5 * 1024 ** 5, "5,120 TiB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test("what is long ago is told in the largest unit", () => {
    const now = new Date("2026-11-24T12:00:00Z");
    expect(formatRelative(new Date("2026-11-24T11:57:10Z"), now)).toBe("2 minutes ago");
    expect(formatRelative(new Date("2026-11-26T12:00:00Z"), now)).toBe("in 2 days");
    expect(formatRelative(now, now)).toBe("now");
  });
});

test("another language writes numbers in its way", async () => {
  await loadLanguage("de");
  expect(formatNumber(1234.5)).toBe("1\u00a0234,5"); // as in Austria, where the browser's user is
  expect(formatDuration(3600)).toBe("1 Stunde");
  await expect(loadLanguage("fr")).rejects.toThrow("no language fr");
  expect(language()).toBe("de");
});
