// SPDX-License-Identifier: Apache-2.0
// The page Energy: from no meters to a month of them, and its table for other programs.
import { readFileSync } from "node:fs";

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { command, dialog } from "../pages";

const first = Date.parse("2025-09-30T22:00:00Z");
const hour = 3_600_000;

// The sums of a meter over October of Berlin, which has 745 hours.
function october(id: string, each: (hour: number) => number, unit = "kWh"): object {
  let sum = 0;
  const stats = Array.from({ length: 745 }, (_, index) => {
    sum += each(index);
    return { start: new Date(first + index * hour).toISOString(), sum: Number(sum.toFixed(3)), state: Number(sum.toFixed(3)) };
  });
  return {
    metadata: { statistic_id: id, source: "made", name: id.slice(5), unit_of_measurement: unit, has_mean: false, has_sum: true },
    stats,
  };
}

test("a home chooses its meters, sees a month of them, and takes it along", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/energy", { hub });
  await expect(page.getByRole("heading", { name: "No meters yet" })).toBeVisible();
  await looksRight(page, "energy-empty");
  const daylight = (index: number) => (index % 24 > 8 && index % 24 < 17 ? 1 : 0);
  for (const made of [
    october("made:grid", (index) => (daylight(index) ? 0.1 : 0.5)),
    october("made:sun", (index) => daylight(index) * 1.5),
    october("made:sold", (index) => daylight(index) * 0.75),
    october("made:car", (index) => (index % 24 === 3 ? 4 : 0)),
    october("made:water", () => 12, "L"),
  ])
    await command(page, "recorder/import_statistics", made);

  await page.getByRole("link", { name: "Choose the meters" }).click();
  for (const [group, statistic] of [
    ["From the grid", "grid"],
    ["To the grid", "sold"],
    ["Sun", "sun"],
    ["Water", "water"],
    ["Devices", "car"],
  ] as const) {
    const section = page.getByRole("region", { name: group, exact: true });
    await section.getByRole("button", { name: "Add" }).click();
    await section.getByRole("combobox", { name: "Meter" }).fill(`made:${statistic}`);
    await page.getByRole("option", { name: statistic }).first().click();
  }
  const grid = page.getByRole("region", { name: "From the grid", exact: true });
  await grid.getByRole("combobox", { name: "Price", exact: true }).selectOption("Fixed");
  await grid.getByLabel("Price in EUR/kWh").fill("0.30");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await looksRight(page, "energy-meters");

  await page.goto("/energy?span=month&date=2025-10-15");
  // 248 hours of 0.1, 497 of 0.5: 273.3 kWh at 0.30.
  await expect(page.getByText("€81.99").first()).toBeVisible();
  await expect(page.getByText("October 2025")).toBeVisible();
  await looksRight(page, "energy-month");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  expect(file.suggestedFilename()).toBe("energy-month-2025-10-01.csv");
  const lines = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(lines.filter((line) => line.includes(",grid_in,"))).toHaveLength(31);

  await page.getByRole("button", { name: "Earlier" }).click();
  await expect(page.getByText("September 2025")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("October 2025")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
});
