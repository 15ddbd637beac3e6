// SPDX-License-Identifier: Apache-2.0
// The home screen: favourites and rooms as tiles, and how people arrange them.
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { command, dialog, notices, settled, toggle } from "../pages";

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const room = (page: Page, name: string): Locator =>
  page.locator("hearth-room-tile").filter({ has: page.getByRole("link", { name, exact: true }) });
const rooms = (page: Page): Promise<string[]> => page.locator("hearth-room-tile h3").allInnerTexts();
const rows = (page: Page, list: string): Promise<string[]> =>
  page
    .locator("hearth-order-list")
    .filter({ has: page.getByRole("list", { name: list, exact: true }) })
    .locator(".name")
    .allInnerTexts();

test("a room is a tile that says what is on, turns its lights off, and leads to the room", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const name of ["light.living_room", "light.tv_backlight"]) await hub.call("light", "turn_off", { entity_id: name });
  const page = await open("/overview", { hub, width: 360, height: 740, touch: true });
  const tile = room(page, "Living room");
  await expect(tile).toContainText(/\d\s*°C/);
  await expect(tile).not.toContainText("light");
  await hub.call("light", "turn_on", { entity_id: "light.living_room" });
  await hub.call("light", "turn_on", { entity_id: "light.tv_backlight" });
  await expect(tile).toContainText("2 lights on");
  await button(page, "Turn off all lights: Living room").tap();
  await expect.poll(async () => (await hub.state("light.tv_backlight")).state).toBe("off");
  await expect(page).toHaveURL(/\/overview$/);
  await page.getByRole("link", { name: "Living room", exact: true }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "Living room" })).toBeVisible();
  await expect(toggle(page, "TV backlight")).toBeVisible();
});

test("without an arrangement something of each room is at hand, and nothing that only sets up a device is shown", async ({ open }) => {
  const page = await open("/overview?view=rooms", { width: 1280 });
  await settled(page);
  await expect(page.getByRole("heading", { name: "At hand" })).toBeVisible();
  await expect(page.getByRole("switch").first()).toBeVisible();
  await page.goto("/overview?view=list");
  await settled(page);
  const listed = await command<{ entity_id: string; entity_category: string | null }[]>(page, "config/entity_registry/list");
  const atDevice = listed.filter(({ entity_category }) => entity_category !== null).map(({ entity_id }) => entity_id);
  expect(atDevice.length).toBeGreaterThan(0);
  for (const id of atDevice) await expect(page.locator(`a[href$="entity=${id}"]`)).toHaveCount(0);
});

test("a person arranges rooms and favourites with the keyboard, undoes it, and finds it on another screen", async ({ open, startHub }) => {
  const hub = await startHub();
  const other = await open("/overview", { hub, user: "ann" });
  await settled(other);
  const before = await rooms(other);
  const page = await open("/overview?arrange=1", { hub, user: "ann" });
  const handle = (name: string) => page.getByRole("button", { name: new RegExp(`^Move ${name}, `) });
  const last = before.at(-1) as string;
  await handle(last).press("Home");
  await expect.poll(async () => (await rows(page, "Rooms"))[0]).toBe(last);
  await expect(page.getByRole("button", { name: `Move ${last}, 1 of ${before.length}` })).toBeFocused();
  await expect.poll(async () => (await rooms(other))[0]).toBe(last); // at once, also there
  await button(page, "Undo").click();
  await expect.poll(() => rooms(other)).toEqual(before);
  await button(page, `Hide ${last}`).click();
  await expect.poll(() => rooms(other)).toEqual(before.slice(0, -1));

  const field = page.getByRole("combobox", { name: "Add a favourite" });
  await field.fill("desk lamp");
  await page.getByRole("option", { name: /^Desk lamp/ }).click();
  await expect.poll(async () => (await rows(page, "Favourites")).at(-1)).toBe("Desk lamp");
  await page.getByRole("button", { name: /^Move Desk lamp, / }).press("Home");
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Favourites" })).toBeVisible();
  await expect(page.getByRole("switch").first()).toHaveAccessibleName("Desk lamp");
  // Nobody else's home has changed.
  const ben = await open("/overview", { hub, user: "ben" });
  await settled(ben);
  expect(await rooms(ben)).toEqual(before);
});

test("a thing becomes a favourite in its dialog, also of who may only read", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const user of ["ann", "display"] as const) {
    const page = await open("/overview?entity=light.desk", { hub, user, width: 360, height: 740 });
    const star = dialog(page).getByRole("button", { name: "Among my favourites" });
    await expect(star).toHaveAttribute("aria-pressed", "false");
    await star.click();
    await expect(star).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "Favourites" })).toBeVisible();
    await expect(page.locator("hearth-home-screen").getByRole("link", { name: "Desk lamp", exact: true })).toBeVisible();
    await page.goto("/overview?entity=light.desk");
    await star.click();
    await page.keyboard.press("Escape");
    await expect(page.locator("hearth-home-screen").getByRole("link", { name: "Desk lamp", exact: true })).toHaveCount(0);
  }
});

test("the cards of a room are dragged by a finger, hidden and made wide", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?area=kitchen&arrange=1", { hub, width: 800, touch: true });
  await expect.poll(async () => (await rows(page, "Kitchen")).length).toBeGreaterThan(3);
  const before = await rows(page, "Kitchen");
  const [first, second, third] = before as [string, string, string];
  const box = async (name: string) => (await page.getByRole("button", { name: new RegExp(`^Move ${name}, `) }).boundingBox())!;
  const [from, to] = [await box(third), await box(first)];
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", y: number) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: from.x + 20, y }] });
  await touch("touchStart", from.y + 20);
  for (let step = 1; step <= 8; step++) await touch("touchMove", from.y + 20 + ((to.y - 5 - from.y) * step) / 8);
  await touch("touchEnd", 0);
  await expect.poll(() => rows(page, "Kitchen")).toEqual([third, first, second, ...before.slice(3)]);
  await button(page, `Hide ${second}`).click();
  await button(page, `${third} over two columns`).click();
  await page.getByRole("link", { name: "Done" }).click();
  const cards = page.locator("hearth-card-flow .place");
  await expect(cards.first()).toContainText(third);
  await expect(page.locator("hearth-card-flow").getByText(second, { exact: true })).toHaveCount(0);
  const widths = await cards.evaluateAll((all) => all.slice(0, 2).map((one) => one.getBoundingClientRect().width));
  expect(widths[0]).toBeGreaterThan(1.8 * widths[1]!);
});

test("of two screens that arrange at once the later one says so, and nothing is lost", async ({ open, startHub }) => {
  const hub = await startHub();
  const [one, two] = [await open("/overview?arrange=1", { hub }), await open("/overview?arrange=1", { hub })];
  await expect.poll(async () => (await rows(one, "Rooms")).length).toBeGreaterThan(5);
  const names = await rows(one, "Rooms");
  await expect.poll(() => rows(two, "Rooms")).toEqual(names);
  await button(one, `Hide ${names[0]}`).click();
  await expect(notices(two)).toContainText("arranged on another screen");
  await expect(button(two, `Show ${names[0]}`)).toBeVisible();
  await button(two, `Hide ${names[1]}`).click();
  await expect(button(one, `Show ${names[1]}`)).toBeVisible();
  await expect(button(one, `Show ${names[0]}`)).toBeVisible();
});

test("a screen has an order of its own, and administrators choose what others begin with", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?arrange=1", { hub });
  await expect.poll(async () => (await rows(page, "Rooms")).length).toBeGreaterThan(5);
  const names = await rows(page, "Rooms");
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("An order of its own for this screen").check();
  await button(page, `Hide ${names[0]}`).click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect.poll(() => rooms(page)).toEqual(names.slice(1));
  const other = await open("/overview", { hub, user: "ben" });
  await settled(other);
  expect(await rooms(other)).toEqual(names);
  await page.goto("/overview?arrange=1");
  await page.getByText("More", { exact: true }).click();
  await button(page, "Let others begin with this").click();
  await button(page, "Confirm").click();
  await expect.poll(() => rooms(other)).toEqual(names.slice(1));
});

test("a layout that is odd, of another version, or names what is gone changes nothing and is said", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview", { hub });
  await settled(page);
  const before = await rooms(page);
  const keep = (value: unknown) => command(page, "frontend/set_user_data", { key: "hearth.layout", value });
  const odd = { version: 1, rooms: ["<b>gone</b>", 7, "kitchen"], favorites: ["light.gone", "light.hall"], hidden: "all", cards: [] };
  await keep(odd);
  await expect.poll(async () => (await rooms(page))[0]).toBe("Kitchen");
  await expect(page.getByRole("switch")).toHaveCount(1);
  await keep({ version: 99, rooms: ["kitchen"] });
  await expect.poll(() => rooms(page)).toEqual(before);
  await page.goto("/overview?arrange=1");
  await expect(notices(page)).toContainText("another version");
  await expect(keep({ version: 1, rooms: ["x".repeat(1_000_000)] })).rejects.toThrow();
  await page.goto("/overview?area=gone");
  await expect(page.getByText("There is nothing in this room, or no such room.")).toBeVisible();
});
