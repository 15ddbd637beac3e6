// SPDX-License-Identifier: Apache-2.0
// Sliders by mouse and keys; by touch see touch.spec.ts.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { placeOf, pointOn } from "../finger";
import { dialog } from "../pages";

const tall = { height: 3_000 };

// In the dialog that is open.
const slider = (page: Page, name: string): Locator => dialog(page).getByRole("slider", { name, exact: true });

test("a mouse sets what it presses on, and sends it when it lets go", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const page = await open("/overview?entity=light.bedroom", { ...tall, hub });
  const level = async () => (await hub.state("light.bedroom")).attributes.brightness;
  const meant = slider(page, "Brightness of Bedroom light");
  await expect(meant).toHaveValue("20");
  const press = async (share: number, button: "left" | "right" = "left") => {
    const { x, y } = await pointOn(meant, share);
    await page.mouse.move(x, y);
    await page.mouse.down({ button });
  };
  await press(0.5);
  await expect(meant).toHaveValue("50");
  expect(await level()).toBe(51);
  await page.mouse.up();
  await expect(meant).toBeFocused();
  expect(await meant.evaluate((element) => element.matches(":focus-visible"))).toBe(false); // whose ring is for keys
  await expect.poll(level).toBe(128);

  // The thumb is held where it was taken, and the mouse may leave the track.
  const { x, y, width } = await placeOf(meant);
  const held = x + width / 2 + 9;
  await page.mouse.move(held, y + 20);
  await page.mouse.down();
  await expect(meant).toHaveValue("50");
  await page.mouse.move(held + 0.25 * (width - 24), y + 300, { steps: 3 });
  await expect(meant).toHaveValue("75");
  await page.mouse.move(held + width, y + 300);
  await expect(meant).toHaveValue("100");
  await page.mouse.up();
  await expect.poll(level).toBe(255);

  await press(0.25, "right");
  await page.mouse.up({ button: "right" });
  await press(0.25);
  await expect(meant).not.toHaveValue("100");
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  await expect(meant).toHaveValue("100");
  await page.mouse.up();
  await page.mouse.move(x, y);
  await expect(meant).toHaveValue("100");
  expect(await level()).toBe(255);
});

test("a cover does not jump to the mouse", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=cover.kitchen_blind", { ...tall, hub });
  const meant = slider(page, "Position of Kitchen blind");
  await expect(meant).toHaveValue("60");
  const { x, y } = await pointOn(meant, 0.1);
  const { width } = await placeOf(meant);
  await page.mouse.click(x, y);
  await expect(meant).toHaveValue("60");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 0.3 * (width - 24), y, { steps: 3 });
  await expect(meant).toHaveValue("90");
  expect((await hub.state("cover.kitchen_blind")).attributes.current_position).toBe(60);
  await page.mouse.up();
  await expect.poll(async () => (await hub.state("cover.kitchen_blind")).attributes.current_position).toBe(90);
});

test("keys go step by step and to the ends, and what they choose is sent once they rest", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=cover.kitchen_blind", { ...tall, hub });
  const position = async () => (await hub.state("cover.kitchen_blind")).attributes.current_position;
  const meant = slider(page, "Position of Kitchen blind");
  await expect(meant).toHaveValue("60");
  await meant.focus();
  for (const [key, value] of Object.entries({ ArrowRight: 61, ArrowUp: 62, ArrowLeft: 61, PageUp: 71, End: 100, PageDown: 90, Home: 0 })) {
    await page.keyboard.press(key);
    await expect(meant).toHaveValue(String(value));
    await expect(meant).toHaveAttribute("aria-valuetext", new RegExp(`^${value}\\s?%$`));
  }
  await expect.poll(position).toBe(0);
  const noted = await calls(hub);
  await Promise.all(["End", "PageDown", "ArrowLeft", "ArrowLeft"].map((key) => page.keyboard.press(key))); // in one go
  await expect(meant).toHaveValue("88");
  await expect.poll(() => noted.map(({ data }) => data.position)).toEqual([88]);
  // Who leaves the slider has chosen.
  await page.keyboard.press("End");
  await page.keyboard.press("Tab");
  await expect.poll(position).toBe(100);
});

test("from right to left values grow to the left", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=light.bedroom", { ...tall, hub });
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  const level = slider(page, "Brightness of Bedroom light");
  const { x, y } = await pointOn(level, 0.25);
  await page.mouse.click(x, y);
  await expect.poll(async () => (await hub.state("light.bedroom")).attributes.brightness).toBeGreaterThan(180);
  await expect(level).toHaveValue(/^7\d$/);
  await page.goto("/overview?entity=cover.kitchen_blind");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  const blind = slider(page, "Position of Kitchen blind");
  await expect(blind).toHaveValue("60");
  const at = await pointOn(blind, 0.5);
  const { width } = await placeOf(blind);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 0.2 * (width - 24), at.y);
  await page.mouse.up();
  await expect(blind).toHaveValue("80");
});

test("what may not be moved is not", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const page = await open("/overview?entity=light.bedroom", { ...tall, hub, user: "display" });
  const reader = slider(page, "Brightness of Bedroom light");
  await expect(reader).toBeDisabled();
  const at = await pointOn(reader, 0.7);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await expect(reader).toHaveValue("20");
  await page.mouse.up();

  // One that disappears under the pointer, too.
  const attributes = { friendly_name: "Dream light", supported_color_modes: ["brightness"], brightness: 51 };
  await hub.setState("light.dream", "on", attributes);
  const own = await open("/overview?entity=light.dream", { ...tall, hub });
  const dream = slider(own, "Brightness of Dream light");
  await expect(dream).toHaveValue("20");
  const { x, y } = await pointOn(dream, 0.5);
  await own.mouse.move(x, y);
  await own.mouse.down();
  await expect(dream).toHaveValue("50");
  await hub.setState("light.dream", "unavailable", attributes);
  await expect(dream).toBeDisabled();
  await expect(dream).toHaveValue("0");
  await own.mouse.up();
  await expect(dream).toHaveValue("0");
});

test("a mouse dims a card by moving on it, and opens it by a click", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const page = await open("/overview?view=list", { ...tall, hub });
  const meant = page.getByRole("slider", { name: "Brightness of Bedroom light", exact: true });
  await expect(meant).toHaveValue("20");
  const { x, y } = await pointOn(meant, 0.5);
  const { width } = await placeOf(meant);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await expect(meant).toHaveValue("20");
  await page.mouse.move(x + 0.3 * (width - 24), y + 2, { steps: 4 });
  await expect(meant).toHaveValue("50");
  await page.mouse.up();
  await expect.poll(async () => (await hub.state("light.bedroom")).attributes.brightness).toBe(128);
  await expect(page).toHaveURL(/\/overview\?view=list$/);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/entity=light\.bedroom/);
  await expect(dialog(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Bedroom light" })).toBeFocused();
});
