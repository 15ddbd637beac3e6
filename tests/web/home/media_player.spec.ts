// SPDX-License-Identifier: Apache-2.0
// The card of a player: what plays and where in it, and that each control calls one service.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test, type Given } from "../fixtures";
import { Finger, placeOf, pointOn } from "../finger";
import type { Hub } from "../hub";
import { toggle } from "../pages";

const id = "media_player.office";
const name = "Office speaker";
const pixel = "/favicon.svg";

const card = (page: Page): Locator => page.locator("hearth-media-player-card").filter({ hasText: name });
const button = (page: Page, word: string): Locator => page.getByRole("button", { name: `${word}: ${name}`, exact: true });
const position = (page: Page): Locator => page.getByRole("slider", { name: `Position of ${name}`, exact: true });
const call = (service: string, data: object = {}) => ({ service: `media_player.${service}`, data: { ...data, entity_id: id } });

// The player as if it had been playing a record of 200 seconds since half a minute.
async function begin(hub: Hub, attributes: Record<string, unknown> = {}, state = "playing"): Promise<void> {
  const { attributes: own } = await hub.state(id);
  await hub.setState(id, state, {
    ...own,
    media_title: "Lamps at Five",
    media_artist: "Nora Hall",
    media_album_name: "Short Days",
    media_duration: 200,
    media_position: 30,
    media_position_updated_at: new Date(Date.now() - 30_000).toISOString(),
    ...attributes,
  });
}

async function look(open: Given["open"], hub: Hub, wanted: Parameters<Given["open"]>[1] = {}): Promise<Page> {
  const page = await open("/overview?view=list", { hub, ...wanted });
  await page.getByRole("searchbox").fill(name);
  await expect(card(page)).toBeVisible();
  return page;
}

test("a player shows what plays, and each button calls one service", async ({ open, startHub }) => {
  const hub = await startHub();
  await begin(hub);
  const page = await look(open, hub);
  await expect(card(page)).toContainText("Lamps at Five");
  await expect(card(page)).toContainText("Nora Hall · Short Days");
  const noted = await calls(hub);
  for (const [word, service] of Object.entries({
    Pause: "media_pause",
    Play: "media_play",
    Next: "media_next_track",
    Previous: "media_previous_track",
  })) {
    noted.length = 0;
    await button(page, word).click();
    await expect.poll(() => noted, word).toEqual([call(service)]);
  }
  noted.length = 0;
  await page.getByRole("slider", { name: `Volume of ${name}` }).fill("0.5");
  await expect.poll(() => noted).toEqual([call("volume_set", { volume_level: 0.5 })]);
  await button(page, "Muted").click();
  await expect(button(page, "Muted")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByLabel(`Source of ${name}`).selectOption({ index: 2 });
  await expect.poll(() => noted.at(-1)?.service).toBe("media_player.select_source");
  await page.keyboard.press("Escape");
  await toggle(page, name).click();
  await expect(card(page)).toContainText("Off");
  await expect(button(page, "Play")).toHaveCount(0);
  await expect(card(page).getByRole("slider")).toHaveCount(0);
});

test("what plays moves on by itself, and stands still when it is paused", async ({ open, startHub }) => {
  const hub = await startHub();
  await begin(hub);
  const page = await look(open, hub);
  const seconds = async () => Number(await position(page).inputValue());
  await expect.poll(seconds).toBeGreaterThanOrEqual(60);
  const first = await seconds();
  expect(first).toBeLessThan(75);
  await expect.poll(seconds).toBeGreaterThan(first + 1);
  await expect(position(page)).toHaveAttribute("aria-valuetext", /^1:\d\d of 3:20$/);
  await begin(hub, { media_position: 50 }, "paused");
  await expect(position(page)).toHaveValue("50");
  await page.waitForTimeout(2_500);
  await expect(position(page)).toHaveValue("50");
});

test("a finger seeks once, where it leaves, and a swipe over the position scrolls", async ({ open, startHub }) => {
  const hub = await startHub();
  await begin(hub, { media_position: 40 }, "paused");
  const page = await open("/overview?view=list", { hub, width: 360, height: 740, touch: true });
  const finger = await Finger.on(page);
  const noted = await calls(hub);
  await pointOn(position(page), 0.6); // in the middle of the screen
  for (const by of [-160, 160]) {
    const place = await placeOf(position(page));
    await finger.swipe({ x: place.x + place.width * 0.6, y: place.y + place.height / 2 }, 6, by);
    expect(Math.sign((await placeOf(position(page))).y - place.y)).toBe(Math.sign(by));
  }
  await expect(position(page)).toHaveValue("40");
  await finger.down(await pointOn(position(page), 0.2));
  await finger.by(60, 4);
  await finger.by(60, 4);
  await expect(position(page)).not.toHaveValue("40");
  expect(noted).toEqual([]);
  await finger.up();
  await expect.poll(() => noted).toEqual([call("media_seek", { seek_position: expect.any(Number) })]);
  const to = noted[0]?.data.seek_position as number;
  expect(to).toBeGreaterThan(90);
  await expect(position(page)).toHaveValue(String(to));
});

test("a seek of what plays is shown at once, and taken back if the player refuses", async ({ open, startHub }) => {
  const hub = await startHub();
  await begin(hub);
  const page = await look(open, hub);
  await position(page).fill("150");
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThanOrEqual(150);
  await begin(hub, { media_position: 10, media_duration: 4_000_000_000 }, "paused"); // the hub takes no such place
  await expect(position(page)).toHaveValue("0");
  await position(page).fill("3000000000");
  await expect(page.getByRole("status").filter({ hasText: "seek_position" })).toBeVisible();
  await expect(position(page)).toHaveValue("0");
});

test("a player offers what it can do", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await look(open, hub);
  const icons = card(page).locator("button");
  await begin(hub, { supported_features: 0 });
  await expect(card(page).getByRole("progressbar", { name: `Position of ${name}` })).toHaveAttribute("aria-valuetext", /of 3:20$/);
  await expect(card(page).getByRole("slider")).toHaveCount(0);
  await expect(icons).toHaveCount(0);
  await begin(hub, { supported_features: 1024 + 4096 });
  await expect(icons).toHaveCount(3);
  await expect(button(page, "Louder")).toBeVisible();
  await expect(button(page, "Quieter")).toBeVisible();
  await expect(button(page, "Stop")).toBeVisible();
  await begin(hub, { media_duration: null });
  await expect(card(page).getByRole("progressbar")).toHaveCount(0);
});

test("a cover of the hub's is shown, one of another host or that does not come is not", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/404|nowhere/); // of the one that does not come; none of a policy, nor of what was asked for elsewhere
  const hub = await startHub();
  await begin(hub, { entity_picture: pixel });
  const page = await look(open, hub);
  const picture = card(page).locator("img");
  await expect(picture).toHaveAttribute("src", pixel);
  expect(await picture.evaluate((image) => (image as HTMLImageElement).decode().then(() => "drawn"))).toBe("drawn");
  for (const address of ["https://covers.example/nora.jpg", "//covers.example/nora.jpg", "javascript:alert(1)", "/api/nowhere.png"]) {
    await begin(hub, { entity_picture: address });
    await expect(picture, address).toHaveCount(0);
    await expect(card(page).locator("hearth-picture hearth-icon"), address).toBeVisible();
  }
  await begin(hub, { entity_picture: pixel });
  await expect(picture).toBeVisible();
});

test("who may only look sees what plays, and no controls", async ({ open, startHub }) => {
  const hub = await startHub();
  await begin(hub);
  const page = await look(open, hub, { user: "display" });
  await expect(card(page)).toContainText("Lamps at Five");
  await expect(card(page).getByRole("progressbar")).toBeVisible();
  await expect(card(page).locator("button, input, select")).toHaveCount(0);
});
