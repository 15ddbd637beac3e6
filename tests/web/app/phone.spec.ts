// SPDX-License-Identifier: Apache-2.0
// What the small screen of a phone needs.
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, navigation, settled } from "../pages";
import { add, section } from "../sentences";

const phone = { width: 360, height: 740, touch: true };

const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const saveBar = (page: Page) => page.locator(".end-buttons");

test("notices cover neither the navigation nor the bar with Save, which stands on it", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/long", {
    alias: "Long",
    triggers: [],
    actions: Array.from({ length: 12 }, (_, index) => ({ delay: index + 1 })),
  });
  const page = await open("/settings/automations/automation.long", { hub, ...phone });
  await add(section(page, "Then do"), /^Wait for some time/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const notice = page.locator("hearth-notices").getByText("Saved");
  await expect(notice).toBeVisible();
  const [above, bar, below] = [await boxOf(notice), await boxOf(saveBar(page)), await boxOf(navigation(page))];
  expect(above.y + above.height).toBeLessThanOrEqual(bar.y);
  expect(below.y + below.height).toBe(740);
  expect(Math.abs(bar.y + bar.height - below.y)).toBeLessThanOrEqual(1); // no strip of the page between them
});

test("dialogs are sheets at the bottom of a phone, and boxes in the middle of a large screen", async ({ open }) => {
  const page = await open("/overview?entity=light.kitchen", phone);
  const sheet = dialog(page).locator("dialog");
  const bottom = async () => {
    const { y, height } = await boxOf(sheet);
    return Math.round(y + height);
  };
  await expect.poll(bottom).toBe(740);
  expect(await boxOf(sheet)).toMatchObject({ x: 0, width: 360 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(bottom).toBeLessThan(800);
});

test("an item's sentences begin in the first third of a phone's screen, and its buttons are in a menu", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/one", { alias: "One", triggers: [], actions: [{ delay: 1 }] });
  const page = await open("/settings/automations/automation.one", { hub, ...phone });
  await settled(page);
  await expect(page.getByRole("button", { name: "Run now" })).toBeHidden();
  const { y } = await boxOf(page.locator("hearth-item-editor"));
  expect(y).toBeLessThan(740 / 3);
  const menu = page.getByRole("button", { name: "What can be done with it" });
  await menu.click();
  await expect(page.getByRole("menuitem")).toHaveText(["Run now", "Duplicate", "Make a blueprint", "State", "Delete"]);
  await page.getByRole("menuitem", { name: "State" }).click();
  await expect(dialog(page).getByRole("heading", { name: "One" })).toBeVisible();
  await page.keyboard.press("Escape");
  await menu.click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await expect(page.locator("hearth-notices")).toContainText("One has been started");
});

test("History's choices are one row on a phone", async ({ open, hub }) => {
  const page = await open("/history?entity=sensor.living_room_temperature&span=24h", { hub, ...phone });
  const chart = page.locator("hearth-curve").first();
  await expect(chart).toBeVisible();
  const span = page.getByRole("combobox", { name: "Span" });
  const zoom = page.getByRole("button", { name: "Zoom out" });
  const middle = async (part: Locator) => {
    const { y, height } = await boxOf(part);
    return Math.round(y + height / 2);
  };
  expect(Math.abs((await middle(span)) - (await middle(zoom)))).toBeLessThanOrEqual(2);
  expect((await boxOf(chart)).y).toBeLessThan(380);
  await span.selectOption({ label: "7 d" });
  await expect(page).toHaveURL(/span=7d/);
  await expect(page.getByRole("button", { name: "Export CSV" })).toBeVisible();
});
