// SPDX-License-Identifier: Apache-2.0
// What an automation, script or scene was before each change: seen, undone, and brought back after it was deleted.

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

const hall = {
  alias: "Hall light",
  triggers: [{ trigger: "state", entity_id: "switch.garden_pump", to: "on" }],
  actions: [{ action: "light.turn_on", target: { entity_id: "light.hall" } }],
};
const write = (hub: Hub, kind: string, id: string, item: object) => hub.rest("POST", `/api/config/${kind}/config/${id}`, item);

test("an automation's changes are listed with their difference, and undone", async ({ open, startHub }) => {
  const hub = await startHub();
  await write(hub, "automation", "hall", hall);
  const steps = [...hall.actions, { delay: "00:02:00" }, { action: "light.turn_off", target: { entity_id: "light.hall" } }];
  await write(hub, "automation", "hall", { ...hall, triggers: [{ ...hall.triggers[0], to: "off" }], actions: steps });
  await write(hub, "automation", "hall", { ...hall, alias: "Corridor", triggers: [{ ...hall.triggers[0], to: "off" }], actions: steps });
  const page = await open("/settings/automations/automation.hall_light", { hub });
  await page.getByRole("link", { name: "Versions", exact: true }).click();
  const rows = page.locator("hearth-item-versions").getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("Name changed");
  await expect(rows.nth(0).locator("del")).toHaveText("  alias: Hall light");
  await expect(rows.nth(0).locator("ins")).toHaveText("  alias: Corridor");
  await expect(rows.nth(1)).toContainText("Trigger 1 (to) changed · Step 2 added · Step 3 added");
  await expect(rows.nth(1)).toContainText("by ann");
  await rows.nth(1).getByText("What changed in the text").click();
  await expect(rows.nth(1).locator("ins")).toHaveCount(5);
  await looksRight(page, "versions");
  await rows.nth(0).getByRole("button", { name: /^Undo/ }).click();
  await expect(page.getByRole("heading", { name: "Hall light" })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await rows
    .nth(2)
    .getByRole("button", { name: /^Restore what was before/ })
    .click();
  await expect(rows).toHaveCount(4);
  expect(await hub.rest("GET", "/api/config/automation/config/hall")).toEqual({ id: "hall", ...hall });
});

test("undoing asks before what is not saved is lost, and shows what came back", async ({ open, startHub }) => {
  const hub = await startHub();
  await write(hub, "automation", "hall", hall);
  await write(hub, "automation", "hall", { ...hall, alias: "Corridor" });
  const page = await open("/settings/automations/automation.hall_light?view=yaml", { hub });
  const text = page.getByRole("textbox", { name: "YAML text" });
  await expect(text).toContainText("alias: Corridor");
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("mode: restart");
  await page.getByRole("link", { name: "Versions", exact: true }).click();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect(await hub.rest("GET", "/api/config/automation/config/hall")).toMatchObject({ alias: "Corridor" });
  await page.getByRole("button", { name: /^Undo/ }).click();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("heading", { name: "Hall light" })).toBeVisible();
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await expect(text).toContainText("alias: Hall light");
  await expect(text).not.toContainText("mode: restart");
});

test("what was deleted is found and brought back", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/404 .*scene\/config\/night/, false); // the page may ask for it again before it has left
  const hub = await startHub();
  await write(hub, "automation", "hall", hall);
  await write(hub, "scene", "night", { name: "Night", entities: { "light.hall": "off" } });
  await write(hub, "scene", "dinner", { name: "Dinner", entities: { "light.hall": "on" } });
  await write(hub, "scene", "night", { name: "Late night", entities: { "light.hall": "off" } });
  const page = await open("/settings/automations/scene.night", { hub });
  await page.getByRole("link", { name: "Versions", exact: true }).click();
  await expect(page.getByText("Name changed")).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/settings\/automations$/);
  await page.getByRole("link", { name: "Deleted ones" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Late night" });
  await expect(row).toContainText("by ann");
  await looksRight(page, "deleted");
  await row.getByRole("link", { name: "Late night" }).click();
  await expect(page.getByText("It was deleted")).toBeVisible();
  await page.goBack();
  await row.getByRole("button", { name: "Bring back: Late night" }).click();
  await expect(page.getByRole("heading", { name: "Late night" })).toBeVisible();
  await page.getByRole("link", { name: "Automations, scripts, scenes" }).click();
  await page.getByRole("link", { name: "Deleted ones" }).click();
  await expect(page.getByText("Nothing that was deleted is kept.")).toBeVisible();
});
