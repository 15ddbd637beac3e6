// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, navigation, toggle } from "../pages";

const field = (page: Page): Locator => page.getByRole("combobox", { name: "Find and do" });
const rows = (page: Page): Locator => page.getByRole("grid", { name: "What was found" }).getByRole("row");
const chosen = (page: Page): Locator => page.locator('hearth-palette [role="row"][aria-selected="true"]');

test("the palette finds and does by the keyboard alone, and gives the focus back", async ({ open, hub }) => {
  await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
  const page = await open("/overview");
  const link = navigation(page).getByRole("link", { name: "History" });
  await link.focus();
  await page.keyboard.press("/");
  await expect(field(page)).toBeFocused();
  await expect(rows(page).first()).toContainText("Living room");

  // The row that is chosen is the one that a screen reader says.
  await page.keyboard.type("kitchen off");
  await expect(chosen(page)).toContainText("Turns off Kitchen light");
  await expect(field(page)).toHaveAttribute("aria-activedescendant", "row-0");
  await page.keyboard.press("ArrowDown");
  await expect(field(page)).toHaveAttribute("aria-activedescendant", "row-1");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await expect(field(page)).toHaveCount(0);
  await expect(link).toBeFocused();

  // Tab goes to the control of the row.
  await page.keyboard.press("Control+k");
  await expect(rows(page).first()).toContainText("Turns off Kitchen light"); // chosen last
  await page.keyboard.type("light.kitchen");
  await expect(chosen(page)).toContainText("Kitchen light");
  await page.keyboard.press("Tab");
  await expect(page.locator("hearth-palette").getByRole("switch", { name: "Kitchen light" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(link).toBeFocused();

  // A door to the street asks, as on its card.
  await page.keyboard.press("/");
  await field(page).fill("garage open");
  await expect(chosen(page)).toContainText("Opens Garage door");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toContainText("Open Garage door?");
  await page.keyboard.press("Escape");

  // A value written elsewhere is no wish.
  await page.getByRole("searchbox").fill("");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toHaveValue("/");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("mqtt");
  await expect(chosen(page)).toContainText("Settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/mqtt$/);
});

test("a command for several things is one notice, and is taken back as one", async ({ open, startHub }) => {
  const hub = await startHub();
  const on = ["light.living_room", "light.tv_backlight", "media_player.living_room"];
  for (const id of on) await hub.call(id.split(".")[0] as string, "turn_on", { entity_id: id });
  const states = async () => Promise.all(on.map(async (id) => (await hub.state(id)).state === "off"));
  expect(await states()).toEqual([false, false, false]);
  const page = await open("/overview", { hub });
  const shown = page.locator("hearth-notices div.undo");
  await navigation(page).getByRole("button", { name: "Search" }).click();
  await field(page).fill("living room all off");
  await expect(chosen(page)).toContainText("Turns off");
  await page.keyboard.press("Enter");
  await expect.poll(states).toEqual([true, true, true]);
  await expect(shown).toContainText("and 2 more is off");
  await page.keyboard.press("Control+z");
  await expect.poll(states).toEqual([false, false, false]);
  await expect(shown).toHaveCount(0);
});

test("on a phone the palette is behind a button, and does what is tapped", async ({ open, hub }) => {
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  const page = await open("/overview", { touch: true, width: 360, height: 740 });
  await navigation(page).getByRole("button", { name: "Search" }).tap();
  await field(page).fill("kitchen on");
  await rows(page).getByText("Turns on Kitchen light").tap();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await expect(toggle(page, "Kitchen light")).toBeChecked();
  await navigation(page).getByRole("button", { name: "Search" }).tap();
  await field(page).fill("bedroom light");
  await rows(page).getByText("Bedroom light", { exact: true }).first().tap();
  await expect(dialog(page)).toContainText("Bedroom light");
});

test("who may only look finds things and states, and nothing that does or changes", async ({ open }) => {
  const page = await open("/overview", { user: "display" });
  await expect(navigation(page)).toBeVisible();
  await page.keyboard.press("/");
  await field(page).fill("kitchen light");
  await expect(rows(page).first()).toContainText("Kitchen light");
  await expect(page.locator("hearth-palette").getByRole("switch")).toHaveCount(0);
  await field(page).fill("kitchen off");
  await expect(page.locator("hearth-palette")).toContainText("off");
  await expect(rows(page).filter({ hasText: "Turns" })).toHaveCount(0);
  await field(page).fill("backups");
  await expect(page.getByText("Nothing is called “backups”.").first()).toBeVisible();
});
