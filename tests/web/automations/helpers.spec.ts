// SPDX-License-Identifier: Apache-2.0
// Groups, persons, zones, tags and weeks, made on the page.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

async function begin(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add helper" }).click();
  await dialog(page).getByLabel("Kind", { exact: true }).selectOption({ label: kind });
  await dialog(page).getByLabel("Name", { exact: true }).fill(name);
}

async function pick(page: Page, label: string, text: string): Promise<void> {
  await dialog(page).getByRole("combobox", { name: label, exact: true }).fill(text);
  await dialog(page)
    .getByRole("option", { name: new RegExp(`^${text}`) })
    .click();
}

async function end(page: Page, action = "Add helper"): Promise<void> {
  await dialog(page).getByRole("button", { name: action }).click();
  await expect(dialog(page)).toHaveCount(0);
}

const row = (page: Page, name: string) => page.locator("hearth-helpers").getByRole("listitem").filter({ hasText: name });

for (const width of [1280, 360]) {
  test(`a group is made by picking its members, changed and deleted, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    await hub.call("light", "turn_off", { entity_id: ["light.kitchen", "light.hall"] });
    const page = await open("/settings/automations", { hub, width });
    await begin(page, "Group", "Downstairs");
    await dialog(page).getByLabel("Kind of members").selectOption({ label: "Light" });
    await pick(page, "Members", "Kitchen light");
    await pick(page, "Members", "Hall light");
    await dialog(page).getByRole("combobox", { name: "Members", exact: true }).fill("pump");
    await expect(dialog(page).getByText("Nothing found.")).toBeVisible();
    await page.keyboard.press("Escape");
    await end(page);
    await expect(row(page, "Downstairs")).toContainText("Off");
    expect((await hub.state("light.downstairs")).attributes.entity_id).toEqual(["light.kitchen", "light.hall"]);
    await hub.call("light", "turn_on", { entity_id: "light.hall" });
    await expect(row(page, "Downstairs")).toContainText("On");

    await page.getByRole("button", { name: "Edit Downstairs" }).click();
    await expect(dialog(page).getByLabel("Kind of members")).toHaveCount(0);
    await dialog(page).getByRole("button", { name: "Remove Hall light" }).click();
    await dialog(page).getByLabel("On only if all are").check();
    await end(page, "Save");
    await expect.poll(async () => (await hub.state("light.downstairs")).attributes.entity_id).toEqual(["light.kitchen"]);
    await expect(row(page, "Downstairs")).toContainText("Off");

    await page.getByRole("button", { name: "Delete Downstairs" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await expect(row(page, "Downstairs")).toHaveCount(0);
  });
}

test("a group of sensors says what it makes of them, and one of any kind takes all", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("sensor.a", "2", { friendly_name: "Aaa" });
  await hub.setState("sensor.b", "5", { friendly_name: "Bbb" });
  const page = await open("/settings/automations", { hub });
  await begin(page, "Group", "Both");
  await dialog(page).getByLabel("Kind of members").selectOption({ label: "Sensor" });
  await dialog(page).getByLabel("Is their").selectOption({ label: "sum" });
  await pick(page, "Members", "Aaa");
  await pick(page, "Members", "Bbb");
  await looksRight(page, "helper-group", { fullPage: false });
  await end(page);
  await expect.poll(async () => (await hub.state("sensor.both")).state).toBe("7");
  await begin(page, "Group", "Mixed");
  await pick(page, "Members", "Kitchen light");
  await pick(page, "Members", "Garden pump");
  await end(page);
  await expect.poll(async () => (await hub.state("group.mixed")).attributes.entity_id).toEqual(["light.kitchen", "switch.garden_pump"]);
});

test("the week of a schedule is painted by keys and by mouse, and times to the minute are kept", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub, width: 1280 });
  await begin(page, "Schedule", "Heat");
  const cell = (name: string) => dialog(page).getByRole("gridcell", { name, exact: true });
  await cell("Monday 08:00, off").focus();
  await page.keyboard.press("Space");
  await expect(cell("Monday 08:00, on")).toBeFocused();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(cell("Tuesday 09:30, on")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(cell("Wednesday 09:30, off")).toBeFocused();

  await cell("Thursday 07:00, off").scrollIntoViewIfNeeded();
  await cell("Thursday 07:00, off").hover();
  await page.mouse.down();
  await cell("Friday 08:00, off").hover();
  await page.mouse.up();
  await cell("Friday 07:30, on").click();

  await dialog(page).getByText("Exact times").click();
  await expect(dialog(page).getByRole("textbox", { name: "Monday" })).toHaveValue("08:00–10:00");
  await expect(dialog(page).getByRole("textbox", { name: "Tuesday" })).toHaveValue("09:30–10:00");
  await expect(dialog(page).getByRole("textbox", { name: "Wednesday" })).toHaveValue("");
  await expect(dialog(page).getByRole("textbox", { name: "Thursday" })).toHaveValue("07:00–08:30");
  await expect(dialog(page).getByRole("textbox", { name: "Friday" })).toHaveValue("07:00–07:30, 08:00–08:30");
  await dialog(page).getByRole("textbox", { name: "Sunday" }).fill("06:10–06:20");
  await dialog(page).getByRole("textbox", { name: "Sunday" }).press("Tab");
  await expect(cell("Sunday 06:00, partly on")).toBeVisible();
  await looksRight(page, "helper-week", { fullPage: false });
  await end(page);
  expect((await hub.state("schedule.heat")).attributes.next_event).not.toBeNull();
  await page.getByRole("button", { name: "Edit Heat" }).click();
  await expect(cell("Thursday 07:00, on")).toBeAttached();
  await expect(cell("Sunday 06:00, partly on")).toBeAttached();
});

test("persons, zones and tags are made, changed and deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("device_tracker.phone", "home", { friendly_name: "Phone", source_type: "router" });
  const page = await open("/settings/automations", { hub });
  await begin(page, "Person", "Nora");
  await pick(page, "Devices that tell where they are", "Phone");
  await dialog(page).getByLabel("User").selectOption({ label: "ben" });
  await end(page);
  await expect.poll(async () => (await hub.state("person.nora")).attributes.device_trackers).toEqual(["device_tracker.phone"]);
  await expect(row(page, "Nora")).toContainText("Person");

  await begin(page, "Zone", "Work");
  await expect(dialog(page).getByLabel("Latitude")).toHaveValue("52.5");
  await dialog(page).getByLabel("Latitude").fill("91");
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Latitude: expected");
  await expect(dialog(page).getByLabel("Name", { exact: true })).toHaveValue("Work");
  await dialog(page).getByLabel("Latitude").fill("52.6");
  await dialog(page).getByLabel("Radius in metres").fill("250");
  await end(page);
  await expect.poll(async () => (await hub.state("zone.work")).attributes).toMatchObject({ latitude: 52.6, radius: 250, passive: false });

  await begin(page, "Tag", "Front door tag");
  await dialog(page).getByLabel("Description").fill("At the door");
  await end(page);
  await page.getByRole("button", { name: "Edit Front door tag" }).click();
  await expect(dialog(page).getByLabel("Description")).toHaveValue("At the door");
  await dialog(page).getByLabel("Name", { exact: true }).fill("Back door tag");
  await end(page, "Save");
  await expect(row(page, "Back door tag")).toBeVisible();
  for (const name of ["Back door tag", "Work", "Nora"]) {
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await expect(row(page, name)).toHaveCount(0);
  }
});
