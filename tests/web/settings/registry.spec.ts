// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, navigation, settled } from "../pages";

test("an entity that a client writes is named, labelled, gets an icon and another id, and is deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("sensor.shed", "21", { friendly_name: "Shed", unit_of_measurement: "°C" });
  const page = await open("/settings/areas", { hub, height: 1_400 });
  await page.getByRole("searchbox").fill("sensor.shed");
  await page.getByRole("button", { name: "Edit Shed" }).click();
  const form = dialog(page);
  await form.getByLabel("Name", { exact: true }).fill("Potting bench");
  await form.getByLabel("Area", { exact: true }).selectOption("Kitchen");
  await form.getByLabel("New label").fill("Outside");
  await form.getByRole("button", { name: "Add" }).click();
  await expect(form.getByRole("button", { name: /Remove Outside|Outside/ })).toBeVisible();
  await form.getByRole("textbox", { name: "Icon" }).fill("barn");
  await form.getByRole("button", { name: "barn", exact: true }).click();
  await expect(form.getByRole("textbox", { name: "Icon" })).toHaveValue("mdi:barn");
  await settled(page);
  await page.screenshot({ path: "../../build/screenshots/entity-settings.png" });
  await form.getByLabel("Entity ID").fill("sensor.potting_bench");
  await expect(form.getByLabel("Disable")).toHaveCount(0);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toHaveCount(0);
  expect((await hub.state("sensor.potting_bench")).attributes).toMatchObject({ friendly_name: "Potting bench", icon: "mdi:barn" });

  await page.getByRole("searchbox").fill("potting_bench");
  await expect(page.locator("hearth-entity-row")).toContainText("Kitchen");
  await page.getByRole("button", { name: "Edit Potting bench" }).click();
  await expect(form.getByText("Outside")).toBeVisible();
  await form.getByRole("button", { name: "Delete" }).click();
  await dialog(page).last().getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("hearth-entity-row")).toHaveCount(0);
  expect((await hub.fetch("GET", "/api/states/sensor.potting_bench", undefined, hub.token("ann"))).status).toBe(404);
});

test("a bell has what the home wants to tell", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await expect(navigation(page)).toBeVisible();
  const bell = page.getByRole("button", { name: /Notifications/ });
  await expect(bell).toHaveCount(0);
  await hub.call("persistent_notification", "create", { message: "Open for an hour <b>", title: "Front door", notification_id: "door" });
  await hub.call("persistent_notification", "create", { message: "Low battery" });
  await expect(bell).toContainText("2");
  await bell.click();
  await expect(dialog(page)).toContainText("Open for an hour <b>");
  await page.screenshot({ path: "../../build/screenshots/notifications.png" });
  await dialog(page).getByRole("button", { name: "Dismiss Front door" }).click();
  await expect(dialog(page)).not.toContainText("Front door");
  await dialog(page).getByRole("button", { name: "Dismiss all" }).click();
  await expect(bell).toHaveCount(0);
  await expect(dialog(page)).toHaveCount(0);
});

test("what is wrong is under Repairs until it is mended, and can be ignored", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/system", { hub, height: 1_200 });
  const repairs = page.locator("hearth-repairs");
  await expect(repairs).toContainText("Nothing is wrong.");
  const file = join(hub.folder, "configuration.yaml");
  const good = readFileSync(file, "utf8");
  writeFileSync(file, `${good}\nnonsense: 1\n`);
  const issue = repairs.getByRole("listitem").filter({ hasText: "A part of the configuration is left out" });
  await expect(issue).toContainText("nonsense: unknown key");
  await expect(issue).toContainText("Warning");
  await page.screenshot({ path: "../../build/screenshots/repairs.png" });
  await page.setViewportSize({ width: 360, height: 1_200 });
  await issue.scrollIntoViewIfNeeded();
  await page.screenshot({ path: "../../build/screenshots/repairs-360.png" });
  const bottomOf = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);
  const ignore = issue.getByRole("button", { name: "Ignore" });
  expect(await ignore.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(
    (await bottomOf(issue.locator("p").first())) + 4,
  );
  await page.setViewportSize({ width: 1024, height: 1_200 });
  await issue.getByRole("button", { name: "Ignore" }).click();
  await expect(issue).toContainText("Ignored");
  writeFileSync(file, good);
  await expect(issue).toHaveCount(0);
});

test("labels are made, recoloured, renamed and deleted, and stand at what has them", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas", { hub, height: 1_400 });
  const labels = page.locator("hearth-labels");
  await expect(labels).toContainText("There are none yet.");
  await labels.getByRole("button", { name: "Add label" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Night");
  await dialog(page).getByRole("radio", { name: "Indigo" }).check();
  await dialog(page).getByRole("button", { name: "Add label" }).click();
  await expect(labels.getByRole("listitem")).toContainText("Night");
  const dot = labels.getByRole("listitem").locator("i");
  await expect(dot).toHaveCSS("background-color", "rgb(57, 73, 171)");

  await page.getByRole("button", { name: "Edit Kitchen", exact: true }).click();
  await dialog(page).getByRole("combobox", { name: "Labels" }).fill("night");
  await dialog(page).getByRole("option", { name: /Night/ }).click();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const kitchen = page.locator("hearth-areas").getByRole("listitem").filter({ hasText: "Kitchen" }).first();
  await expect(kitchen).toContainText("Night");

  await labels.getByRole("button", { name: "Edit Night" }).click();
  await expect(dialog(page).getByRole("radio", { name: "Indigo" })).toBeChecked();
  await dialog(page).getByRole("radio", { name: "Red" }).check();
  await page.screenshot({ path: "../../build/screenshots/label-dialog.png" });
  await dialog(page).getByLabel("Name", { exact: true }).fill("Bedtime");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(kitchen).toContainText("Bedtime");
  await expect(dot).toHaveCSS("background-color", "rgb(211, 47, 47)");
  for (const width of [2560, 1024, 360]) {
    await page.setViewportSize({ width, height: 1_100 });
    await page.screenshot({ path: `../../build/screenshots/labels-${width}.png` });
  }

  await labels.getByRole("button", { name: "Delete Bedtime" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(labels.getByRole("listitem")).toHaveCount(0);
  await expect(kitchen).not.toContainText("Bedtime");
});

test("a sensor is shown in another unit, with as many decimals as one wants", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas?open=sensor.outdoor_temperature", { hub });
  const form = dialog(page);
  await expect(form.getByLabel("Unit").getByRole("option")).toHaveText(["As it is reported", "°C", "°F", "K"]);
  const celsius = Number((await hub.state("sensor.outdoor_temperature")).state);
  await form.getByLabel("Unit").selectOption("°F");
  await form.getByLabel("Shown as").selectOption("3");
  await page.screenshot({ path: "../../build/screenshots/entity-unit.png" });
  await form.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await hub.state("sensor.outdoor_temperature")).attributes.unit_of_measurement).toBe("°F");
  const { state } = await hub.state("sensor.outdoor_temperature");
  expect(Number(state)).toBeCloseTo((celsius * 9) / 5 + 32, 1);
  await page.goto("/overview?entity=sensor.outdoor_temperature");
  await expect(form.locator("hearth-sensor-card")).toContainText(`${Number(state).toFixed(3)} °F`);

  await page.goto("/settings/areas?open=sensor.outdoor_temperature");
  await expect(form.getByLabel("Unit")).toHaveValue("°F");
  for (const label of ["Unit", "Shown as"]) await form.getByLabel(label).selectOption("As it is reported");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await hub.state("sensor.outdoor_temperature")).attributes.unit_of_measurement).toBe("°C");
});
