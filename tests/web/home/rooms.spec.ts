// SPDX-License-Identifier: Apache-2.0
// The rooms of the overview: their order, what they tell, folds, pages of their own, and what the way back leads to.
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, settled, showPage, toggle } from "../pages";

const tall = { height: 3_000 };

const rooms = (page: Page): Promise<string[]> => page.locator("hearth-room-head :is(h2, h3)").allInnerTexts();
const head = (page: Page, room: string): Locator =>
  page.locator("hearth-room-head").filter({ has: page.getByRole("link", { name: room, exact: true }) });
const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

test("rooms stand in the order of the settings, floor by floor", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas", { hub, ...tall });
  const listed = async () => (await page.locator("hearth-areas li strong").allInnerTexts()).slice(0, 8);
  await expect.poll(async () => (await listed()).length).toBeGreaterThan(5);
  const floor = ["Living room", "Kitchen", "Hall", "Garden", "Garage"];
  const last = (await listed()).filter((name) => floor.includes(name)).at(-1) as string;
  for (let i = 0; i < 8 && (await listed())[0] !== last; i++) {
    const before = (await listed()).indexOf(last);
    await button(page, `Move ${last} up`).click();
    await expect.poll(async () => (await listed()).indexOf(last)).toBe(before - 1);
  }
  await page.goto("/overview?view=list");
  await settled(page);
  const shown = await rooms(page);
  expect(shown[0]).toBe(last);
  await expect(page.getByRole("heading", { name: "Ground floor" })).toHaveCount(1);
  expect(shown.indexOf("Bedroom")).toBeGreaterThan(shown.indexOf("Kitchen")); // a floor higher
  expect(shown.indexOf("Office")).toBeGreaterThan(shown.indexOf("Bedroom"));
});

test("a room tells what is on in it, and all its lights go off at once", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const name of ["light.living_room", "light.tv_backlight"]) await hub.call("light", "turn_off", { entity_id: name });
  const page = await open("/overview?view=list", { hub, ...tall });
  await expect(head(page, "Living room")).not.toContainText("light");
  await expect(button(page, "Turn off all lights: Living room")).toHaveCount(0);
  await hub.call("light", "turn_on", { entity_id: "light.living_room" });
  await expect(head(page, "Living room")).toContainText("1 light on");
  await hub.call("light", "turn_on", { entity_id: "light.tv_backlight" });
  await expect(head(page, "Living room")).toContainText("2 lights on");
  await expect(head(page, "Living room")).toContainText(/\d\s*°C/);
  await button(page, "Turn off all lights: Living room").click();
  await expect.poll(async () => (await hub.state("light.tv_backlight")).state).toBe("off");
  expect((await hub.state("light.living_room")).state).toBe("off");
  await expect(head(page, "Living room")).not.toContainText("light");
});

test("a room stays folded", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, ...tall });
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await button(page, "Fold Kitchen").click();
  await expect(toggle(page, "Kitchen light")).toHaveCount(0);
  await expect(toggle(page, "Hall light")).toBeVisible();
  await page.reload();
  await expect(toggle(page, "Hall light")).toBeVisible();
  await expect(toggle(page, "Kitchen light")).toHaveCount(0);
  await expect(button(page, "Unfold Kitchen")).toHaveAttribute("aria-expanded", "false");
  await button(page, "Unfold Kitchen").click();
  await expect(toggle(page, "Kitchen light")).toBeVisible();
});

test("a room has a page, and the way back leads to the place that was left", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, width: 360, height: 740, touch: true });
  await settled(page);
  const place = () => page.evaluate(() => Math.round(scrollY));
  // What is seen, and where, is what counts: above it something may have grown.
  const bedroom = page.getByRole("link", { name: "Bedroom", exact: true });
  const seen = async () => Math.round((await bedroom.boundingBox())?.y ?? -1);
  await bedroom.scrollIntoViewIfNeeded();
  expect(await place()).toBeGreaterThan(500);
  const left = await seen();
  // Less than a row of cards: what is above may have another height than it had.
  const back = async () => expect.poll(async () => Math.abs((await seen()) - left)).toBeLessThan(60);
  await bedroom.click();
  await expect(page.getByRole("heading", { level: 1, name: "Bedroom" })).toBeVisible();
  await expect(toggle(page, "Bedroom light")).toBeVisible();
  await expect(toggle(page, "Kitchen light")).toHaveCount(0);
  expect(await place()).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await back();

  await showPage(page, "History");
  expect(await place()).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await back();

  const before = await seen();
  await page.reload();
  await settled(page);
  await expect.poll(async () => Math.abs((await seen()) - before)).toBeLessThan(60);
});

test("what is searched for is still there on the way back, and behind a dialog", async ({ open }) => {
  const page = await open("/overview?view=list", tall);
  const search = page.getByRole("searchbox");
  await search.fill("kitchen light");
  await page.getByRole("link", { name: "Kitchen light" }).press("Enter");
  await expect(dialog(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await showPage(page, "History");
  await page.goBack();
  await expect(search).toHaveValue("kitchen light");
  await expect(page.getByRole("switch")).toHaveCount(1);
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await expect(search).toHaveValue("kitchen light"); // where it is already
  await showPage(page, "History");
  await showPage(page, "Overview");
  await expect(search).toHaveValue("");
});

test("what is on, open or wrong is told at the top, and leads there", async ({ open, startHub }) => {
  const hub = await startHub();
  const smoke = await hub.state("binary_sensor.hall_smoke");
  await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
  const page = await open("/overview?view=list", { hub, ...tall });
  const now = page.getByRole("list", { name: "At the moment" });
  const lights = now.getByRole("link", { name: /lights? on$/ });
  await expect(lights).toBeVisible();
  await expect(now).not.toContainText("Detected");
  await hub.setState(smoke.entity_id, "on", smoke.attributes);
  const alarm = now.getByRole("link", { name: /smoke.*Detected/ });
  await expect(alarm).toBeVisible();
  await button(page, "Fold Hall").click();
  await expect(head(page, "Hall")).toContainText("1 needs attention"); // also of a room that is folded
  await alarm.click();
  await expect(page.getByRole("heading", { level: 1, name: "What needs attention" })).toBeVisible();
  await page.getByRole("region", { name: "Danger" }).getByRole("link", { name: /smoke/ }).click();
  await expect(dialog(page)).toContainText("Detected");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await lights.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/lights? on$/);
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await expect(page.locator("hearth-sensor-card")).toHaveCount(0);
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

test("the search knows states, forgives slips of the pen, and says when it finds nothing", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  const page = await open("/overview?view=list", { hub, ...tall });
  const search = page.getByRole("searchbox");
  const said = page.getByRole("main").getByRole("status");
  await search.fill("light on");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await expect(toggle(page, "Hall light")).toHaveCount(0);
  await search.fill("light off");
  await expect(toggle(page, "Hall light")).toBeVisible();
  await expect(toggle(page, "Kitchen light")).toHaveCount(0);
  const on = (await hub.rest<{ entity_id: string; state: string }[]>("GET", "/api/states")).filter(
    ({ entity_id, state }) => entity_id.startsWith("light.") && state === "on",
  ).length;
  await search.fill("lights on");
  await expect(said).toHaveText(on === 1 ? "1 light on" : `${on} lights on`);
  await expect(page.locator("hearth-light-card")).toHaveCount(on);
  await search.fill("kichen ligth");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await expect(said).toContainText("similar");
  await search.fill("nothing has this name");
  await expect(said).toContainText("Nothing found for “nothing has this name”");
  await expect(page.getByRole("switch")).toHaveCount(0);

  const german = await open("/overview?view=list", { hub, ...tall, language: "de-DE" });
  await german.getByRole("searchbox").fill("Lichter an");
  await expect(german.getByRole("main").getByRole("status")).toHaveText(/^\s*\d+ Lichte?r? an\s*$/);
  await german.getByRole("searchbox").fill("Licht an");
  await expect(toggle(german, "Kitchen light")).toBeVisible();
  await expect(toggle(german, "Hall light")).toHaveCount(0);
});

test("warnings of a kind are one line, which leads to where they are snoozed", async ({ open, startHub }) => {
  const hub = await startHub();
  for (let index = 0; index < 101; index++) await hub.setState(`sensor.battery_${index}`, "15", { device_class: "battery" });
  const page = await open("/overview?view=list", { hub, ...tall });
  const now = page.getByRole("list", { name: "At the moment" });
  const batteries = now.getByRole("link", { name: /^\s*10\d batteries low\s*$/ });
  await expect(batteries).toBeVisible();
  await expect(now).not.toContainText("sensor.battery_1");
  await expect(page.locator("hearth-home-chips").getByRole("link")).not.toHaveCount(0);
  await batteries.click();
  const row = page.getByRole("listitem").filter({ hasText: "sensor.battery_7" }).first();
  await row.getByRole("button", { name: /^Snooze for a day/ }).click();
  await expect(page.getByRole("region", { name: "1 snoozed" }).getByRole("listitem")).toHaveCount(1);
  await button(page, "Snooze all for a day").click();
  await expect(page.getByRole("status").filter({ hasText: "Nothing needs attention." })).toBeVisible();
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await expect(batteries).toHaveCount(0);
  await expect(now.getByRole("link", { name: /10\d snoozed/ })).toBeVisible();
  // A danger is told in spite of it.
  const smoke = await hub.state("binary_sensor.hall_smoke");
  await hub.setState(smoke.entity_id, "on", smoke.attributes);
  await expect(now.getByRole("link", { name: /smoke.*Detected/ })).toBeVisible();
});

test("a kitchen is not as warm as its fridge, unless that is what was chosen", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, ...tall });
  const kitchen = head(page, "Kitchen");
  await expect(kitchen).toBeVisible();
  await expect(kitchen).not.toContainText("°C");
  await page.goto("/settings/areas");
  await button(page, "Edit Kitchen").click();
  await dialog(page).getByLabel("Temperature").selectOption({ label: "Fridge temperature" });
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/overview?view=list");
  await expect(kitchen).toContainText("°C");
});

test("a room shows the humidity of the sensor that was chosen for it", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas", { hub });
  await button(page, "Edit Bathroom").click();
  await dialog(page).getByLabel("Humidity").selectOption({ label: "Bathroom humidity" });
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/overview?view=list");
  const bathroom = head(page, "Bathroom");
  await expect(bathroom).toContainText(/\d+\s*%/);
  await page.goto("/settings/areas");
  await button(page, "Edit Bathroom").click();
  await dialog(page).getByLabel("Humidity").selectOption({ label: "None" });
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/overview?view=list");
  await expect(bathroom).toBeVisible();
  await expect(bathroom).not.toContainText("%");
});

test("results stand side by side", async ({ open }) => {
  const page = await open("/overview?view=list", { width: 1280, height: 800 });
  await page.getByRole("searchbox").fill("light");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  const places = await page.locator("hearth-light-card").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().y));
  expect(new Set(places.slice(0, 3)).size).toBe(1);
});
