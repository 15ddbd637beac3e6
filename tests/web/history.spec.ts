// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";

import { expect, test } from "./fixtures";

test("history says what it has, draws it, and exports it", async ({ open, hub }) => {
  const page = await open("/history");
  await expect(page.getByText("Pick one or more entities")).toBeVisible();
  await page.getByRole("combobox", { name: "Entities" }).fill("outdoor temp");
  await page.getByRole("option", { name: /Outdoor temperature/ }).click();
  await page.getByRole("combobox", { name: "Entities" }).fill("hall light");
  await page.getByRole("option", { name: /Hall light/ }).click();
  await expect(page).toHaveURL(/entity=sensor\.outdoor_temperature/);
  await expect(page).toHaveURL(/light\.hall/);

  const before = (await hub.state("light.hall")).state;
  await hub.call("light", "toggle", { entity_id: "light.hall" });
  await hub.setState("sensor.outdoor_temperature", "7.5", (await hub.state("sensor.outdoor_temperature")).attributes);
  await expect(page.getByText(/does not record history yet/).first()).toBeVisible();
  await expect(page.locator("canvas, svg.bands, hearth-bands").first()).toBeVisible();

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
  expect(rows[0]).toContain("entity_id");
  expect(rows).toHaveLength(1); // nothing is recorded
  await hub.call("light", before === "on" ? "turn_on" : "turn_off", { entity_id: "light.hall" });
});

test("a span that ends before it begins is refused", async ({ open }) => {
  const page = await open("/history?entity=light.hall");
  await page.getByText("From – to").click();
  await page.getByLabel("From", { exact: true }).fill("2026-11-20T12:00");
  await page.getByLabel("To", { exact: true }).fill("2026-11-20T10:00");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("The end has to be after the beginning")).toBeVisible();
});
