// SPDX-License-Identifier: Apache-2.0
// Takes back what somebody has just done, by a button or a key.
import type { Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { dialog, notices, settled, toggle } from "../pages";

const undo = (page: Page, text: string | RegExp) =>
  notices(page).locator("div.undo", { hasText: text }).getByRole("button", { name: "Undo" });

test("a tap is taken back by the notice's button, and the focus stays where it is", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  const page = await open("/overview", { hub });
  await settled(page);
  const noted = await calls(hub);
  const meant = toggle(page, "Kitchen light");
  await meant.focus();
  await page.keyboard.press("Space");
  await expect(undo(page, "Kitchen light is on")).toBeVisible();
  await expect(meant).toBeFocused();
  await expect(notices(page).getByRole("status")).toHaveAttribute("aria-live", "polite");
  await undo(page, "Kitchen light is on").click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await expect(notices(page)).toContainText("Taken back: Kitchen light");
  await expect(undo(page, "")).toHaveCount(0);
  expect(noted.map(({ service }) => service)).toEqual(["light.turn_on", "light.turn_off"]);

  // The clock of the page jumps: what is offered stays for its five seconds, and goes then.
  await meant.click();
  await expect(undo(page, "Kitchen light is on")).toBeVisible();
  await page.evaluate(() => {
    Date.now = () => 4e12;
  });
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await meant.click();
  await expect(undo(page, "Kitchen light is on")).toBeVisible();
  await expect(undo(page, "Kitchen light is on")).toHaveCount(0, { timeout: 8000 });
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
});

test("all lights of a room come back as they were, and a text keeps its Ctrl+Z", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.living_room", brightness: 90 });
  await hub.call("light", "turn_on", { entity_id: "light.floor_lamp" }).catch(() => undefined);
  const before = (await hub.state("light.living_room")).attributes;
  const page = await open("/overview", { hub });
  await settled(page);
  await page.getByRole("button", { name: "Turn off all lights: Living room" }).click();
  await expect.poll(async () => (await hub.state("light.living_room")).state).toBe("off");
  await expect(undo(page, /off/)).toBeVisible();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Control+z");
  expect((await hub.state("light.living_room")).state).toBe("off");
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await hub.state("light.living_room")).attributes)
    .toMatchObject({
      brightness: before.brightness,
      color_temp_kelvin: before.color_temp_kelvin,
    });
});

test("several steps on a slider are one undo, in a dialog too; what somebody else has changed stays", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const page = await open("/overview?entity=light.bedroom", { hub });
  await settled(page);
  const slider = dialog(page).getByRole("slider", { name: "Brightness of Bedroom light" });
  const level = async () => (await hub.state("light.bedroom")).attributes.brightness;
  await slider.focus();
  for (const [key, percent] of [
    ["PageUp", 30],
    ["PageUp", 40],
  ] as const) {
    await page.keyboard.press(key);
    await expect(undo(page, `Bedroom light: ${percent}%`)).toBeVisible();
  }
  await expect(undo(page, "")).toHaveCount(1);
  await undo(page, "Bedroom light: 40%").click(); // a dialog does not make it inert
  await expect.poll(level).toBe(51);

  await slider.focus();
  await page.keyboard.press("PageUp");
  await expect(undo(page, "Bedroom light: 30%")).toBeVisible();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 200 });
  await expect(slider).toHaveValue("78");
  await undo(page, "Bedroom light: 30%").click();
  await expect(notices(page)).toContainText("Bedroom light was changed by somebody else meanwhile: nothing was taken back.");
  expect(await level()).toBe(200);
});
