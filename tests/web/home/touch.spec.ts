// SPDX-License-Identifier: Apache-2.0
// A phone in the hand: whoever scrolls moves nothing in the home, and whoever drags moves what was meant.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test, type Given } from "../fixtures";
import { Finger, placeOf, pointOn } from "../finger";
import type { Hub, State } from "../hub";
import { dialog, settled } from "../pages";

const slider = (place: Page | Locator, name: string): Locator => place.getByRole("slider", { name, exact: true });

// The home on a phone, and a finger over it.
async function phoneOf(open: Given["open"], hub: Hub): Promise<{ page: Page; finger: Finger }> {
  const page = await open("/overview?view=list", { width: 360, height: 740, touch: true, hub });
  await settled(page);
  return { page, finger: await Finger.on(page) };
}

// The dialog of an entity, which has its sliders.
async function dialogOf(open: Given["open"], hub: Hub, id: string): Promise<{ page: Page; finger: Finger; shown: Locator }> {
  const page = await open(`/overview?entity=${id}`, { width: 360, height: 740, touch: true, hub });
  await settled(page);
  const shown = dialog(page);
  await expect(shown.getByRole("slider").first()).toBeVisible();
  await expect(shown.locator("hearth-loading")).toHaveCount(0);
  return { page, finger: await Finger.on(page), shown };
}

const turnedOn = (id: string, data: object) => ({ service: "light.turn_on", data: { ...data, entity_id: id } });

// Swipes over one slider of each kind, which all stay where they are.
async function scrollOver(place: Page | Locator, finger: Finger, kinds: string[], isDialog = false): Promise<void> {
  const way = isDialog ? 60 : 160;
  const all = await place
    .getByRole("slider")
    .evaluateAll((found) => found.map((element) => (element as HTMLInputElement).labels?.[0]?.innerText.trim() ?? ""));
  const kindOf = (name: string) => name.split(" of ")[0] as string;
  const names = all.filter((name, i) => all.findIndex((other) => kindOf(other) === kindOf(name)) === i);
  expect(names.map(kindOf).sort()).toEqual(kinds);
  for (const [i, name] of names.entries()) {
    const meant = slider(place, name);
    const shown = await meant.inputValue();
    const share = [0.15, 0.5, 0.85][i % 3] as number; // of the track; the value there is another one
    await pointOn(meant, share); // in the middle of the screen
    const up = isDialog || i < names.length / 2 ? -way : way; // to where there is room
    for (const by of [up, -up]) {
      const place = await placeOf(meant);
      await finger.swipe({ x: place.x + place.width * share, y: place.y + place.height / 2 }, 6 * Math.sign(by), by);
      // The browser may begin to scroll when the finger has left already.
      const direction = async () => Math.sign((await placeOf(meant)).y - place.y);
      await expect.poll(direction, `${name}: where a swipe by ${by} scrolled to`).toBe(Math.sign(by));
    }
    await expect(meant, name).toHaveValue(shown);
  }
}

test("whoever scrolls over sliders moves nothing", async ({ open, startHub }) => {
  test.setTimeout(180_000);
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 120 });
  const { page, finger } = await phoneOf(open, hub);
  const noted = await calls(hub);
  const before = await hub.rest<State[]>("GET", "/api/states");
  await scrollOver(page, finger, ["Brightness", "Speed", "Target", "Volume"]);
  for (const [id, kinds] of [
    ["light.living_room", ["Brightness", "Colour temperature", "Hue", "Saturation"]],
    ["cover.living_room_blind", ["Position", "Tilt"]],
  ] as const) {
    const { finger, shown } = await dialogOf(open, hub, id);
    await scrollOver(shown, finger, [...kinds], true);
  }
  expect(await hub.rest<State[]>("GET", "/api/states")).toEqual(before);

  // What comes to the hub first is what is meant: nothing was on its way.
  await finger.swipe(await pointOn(slider(page, "Brightness of Bedroom light"), 0.6), -40, 0);
  await expect.poll(() => noted).toEqual([turnedOn("light.bedroom", { brightness_pct: expect.any(Number) })]);
});

test("a card is dimmed by as much as a finger moves on it, and opens at a tap", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const { page, finger } = await phoneOf(open, hub);
  const noted = await calls(hub);
  const meant = slider(page, "Brightness of Bedroom light");
  await expect(meant).toHaveValue("20");
  const { width } = await placeOf(meant);
  await finger.down(await pointOn(meant, 0.7)); // far from where the level ends
  await finger.by(0.3 * (width - 24), 4);
  await expect(meant).toHaveValue("50");
  await page.waitForTimeout(200); // a finger that leaves in movement gives a fling, and a tap during that only ends it
  await finger.up();
  await expect.poll(() => noted).toEqual([turnedOn("light.bedroom", { brightness_pct: 50 })]);
  await finger.tap(await pointOn(meant, 0.4));
  await expect(page).toHaveURL(/entity=light\.bedroom/);
  await expect(dialog(page).getByRole("heading", { name: "Bedroom light" })).toBeVisible();
  expect(noted.length).toBe(1);
});

test("a finger that moves sideways chooses one value, where it leaves", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const { page, finger, shown: place } = await dialogOf(open, hub, "light.bedroom");
  const noted = await calls(hub);
  const meant = slider(place, "Brightness of Bedroom light");
  await expect(meant).toHaveValue("20");
  await finger.down(await pointOn(meant, 0.5));
  await finger.by(6, 0);
  await expect(meant).toHaveValue("20"); // it may yet become a swipe
  await finger.by(40, 12);
  await expect(meant).not.toHaveValue("20");
  const said = page.locator("hearth-light-card[detailed] .chosen");
  await expect.poll(async () => (await said.innerText()).trim() === (await meant.getAttribute("aria-valuetext"))).toBe(true);
  await finger.by(-20, -90); // where it goes then no longer matters
  expect(await hub.state("light.bedroom")).toMatchObject({ attributes: { brightness: 51 } });
  await finger.up();
  await expect.poll(() => noted).toEqual([turnedOn("light.bedroom", { brightness_pct: expect.any(Number) })]);
  const shown = Number(await meant.inputValue());
  expect(shown).toBeGreaterThan(50);
  expect(shown).toBeLessThan(75);
  expect(noted).toEqual([turnedOn("light.bedroom", { brightness_pct: shown })]);
});

test("colours are seen on the way, and a pointer that is taken away puts them back", async ({ open, startHub }) => {
  const hub = await startHub();
  const { finger, shown } = await dialogOf(open, hub, "light.living_room");
  const lamp = async () => (await hub.state("light.living_room")).attributes;
  const kelvin = async () => (await lamp()).color_temp_kelvin;
  const meant = slider(shown, "Colour temperature of Living room light");
  await hub.call("light", "turn_on", { entity_id: "light.living_room", effect: "candle" });
  await expect(meant).toHaveValue("2700");

  await finger.down(await pointOn(meant, 0.4));
  // The browser may hold back a movement for a while: what is shown goes on changing until then.
  const follows = async () => (await kelvin()) === Number(await meant.inputValue());
  await finger.by(60, 5);
  await expect.poll(kelvin).toBeGreaterThan(4000);
  await expect.poll(follows).toBe(true);
  const highest = await kelvin();
  await finger.by(-30, 0);
  await expect.poll(kelvin).toBeLessThan(highest as number);
  await expect.poll(follows).toBe(true);
  expect(await lamp()).toMatchObject({ effect: null });
  await finger.cancel();
  await expect.poll(lamp).toMatchObject({ color_temp_kelvin: 2700, brightness: 180, effect: "candle" });
  await expect(meant).toHaveValue("2700");

  const hue = slider(shown, "Hue of Living room light");
  await hub.call("light", "turn_on", { entity_id: "light.living_room", hs_color: [120, 80] });
  await expect(hue).toHaveValue("120");
  await finger.down(await pointOn(hue, 0.5));
  await finger.by(50, 0);
  await expect.poll(async () => ((await lamp()).hs_color as number[])[0]).toBeGreaterThan(200);
  await finger.cancel();
  await expect.poll(async () => (await lamp()).hs_color).toEqual([120, 80]);
  await expect(hue).toHaveValue("120");
  await finger.swipe(await pointOn(hue, 0.5), 50, 0);
  await expect.poll(async () => ((await lamp()).hs_color as number[])[0]).toBe(Number(await hue.inputValue()));
});

test("what is put back has told the hub nothing", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const noted = await calls(hub);
  const putBack = async (page: Page, finger: Finger, meant: Locator) => {
    const shown = await meant.inputValue();
    const at = await pointOn(meant, 0.5);
    await finger.down(at);
    await finger.by(50, 0);
    await expect(meant).not.toHaveValue(shown);
    await finger.cancel();
    await expect(meant).toHaveValue(shown);
    await finger.down(at);
    await finger.by(50, 0);
    await expect(meant).not.toHaveValue(shown);
    await page.evaluate(() => window.dispatchEvent(new Event("blur"))); // an emulated screen keeps the focus
    await expect(meant).toHaveValue(shown);
    await finger.up();
    await finger.swipe(at, 50, 0);
    await expect(meant).not.toHaveValue(shown);
  };
  const { page, finger } = await phoneOf(open, hub);
  await putBack(page, finger, slider(page, "Brightness of Bedroom light"));
  // A lamp that is off is not turned on to show a colour that is not chosen yet.
  for (const [id, name] of [
    ["cover.kitchen_blind", "Position of Kitchen blind"],
    ["light.kitchen", "Colour temperature of Kitchen light"],
  ] as const) {
    const { page, finger, shown } = await dialogOf(open, hub, id);
    await putBack(page, finger, slider(shown, name));
  }
  await expect.poll(() => noted.map(({ service }) => service)).toEqual(["light.turn_on", "cover.set_cover_position", "light.turn_on"]);
});

test("a tap on the track is taken for lights and fans, not for covers", async ({ open, startHub }) => {
  const hub = await startHub();
  const noted = await calls(hub);
  for (const [id, name] of [
    ["cover.kitchen_blind", "Position of Kitchen blind"],
    ["cover.living_room_blind", "Tilt of Living room blind"],
  ] as const) {
    const { finger, shown } = await dialogOf(open, hub, id);
    const meant = slider(shown, name);
    const before = await meant.inputValue();
    for (const share of [0.2, 0.9]) await finger.tap(await pointOn(meant, share));
    await expect(meant, name).toHaveValue(before);
  }

  const fan = await dialogOf(open, hub, "fan.bedroom");
  const speed = slider(fan.shown, "Speed of Bedroom fan");
  await fan.finger.down(await pointOn(speed, 0.75));
  await expect(speed).toHaveValue("0"); // not before it leaves
  await fan.finger.up();
  await expect(speed).toHaveValue("75");
  await expect.poll(async () => (await hub.state("fan.bedroom")).attributes.percentage).toBe(75);

  const lamp = await dialogOf(open, hub, "light.garden");
  const level = slider(lamp.shown, "Brightness of Garden light");
  await lamp.finger.tap(await pointOn(level, 0.5));
  await expect.poll(async () => (await hub.state("light.garden")).attributes.brightness).toBe(128);
  await lamp.finger.tap(await pointOn(level, 0.5)); // the thumb is there now
  await lamp.finger.tap(await pointOn(level, 0.25));
  await expect
    .poll(() => noted.map(({ service, data }) => [service, data.entity_id, data.brightness_pct]))
    .toEqual([
      ["fan.set_percentage", "fan.bedroom", undefined],
      ["light.turn_on", "light.garden", 50],
      ["light.turn_on", "light.garden", expect.any(Number)],
    ]);
});

test("a cover moves by as much as the finger, wherever that came down", async ({ open, startHub }) => {
  const hub = await startHub();
  const { finger, shown } = await dialogOf(open, hub, "cover.kitchen_blind");
  const noted = await calls(hub);
  const meant = slider(shown, "Position of Kitchen blind");
  await expect(meant).toHaveValue("60");
  const { width } = await placeOf(meant);
  const way = 0.2 * (width - 24); // the thumb is as wide
  await finger.swipe(await pointOn(meant, 0.1), way, 0);
  await expect.poll(async () => (await hub.state("cover.kitchen_blind")).attributes.current_position).toBe(80);
  await finger.swipe(await pointOn(meant, 0.9), -2 * way, 0);
  await expect.poll(async () => (await hub.state("cover.kitchen_blind")).attributes.current_position).toBe(40);
  await expect.poll(() => noted.map(({ data }) => data.position)).toEqual([80, 40]); // one call a drag: a motor starts once
});

test("a finger that moves askew, comes with another or rests long changes nothing", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  const { finger, shown } = await dialogOf(open, hub, "light.bedroom");
  const noted = await calls(hub);
  const meant = slider(shown, "Brightness of Bedroom light");
  const askew: [number, number][] = [
    [50, 50],
    [-50, 60],
    [60, -55],
    [-60, -55],
  ];
  for (const [x, y] of askew) {
    await finger.swipe(await pointOn(meant, 0.5), x, y);
    await expect(meant, `by ${x}, ${y}`).toHaveValue("20");
  }

  const at = await pointOn(meant, 0.5);
  for (const way of [0, 12, 60]) {
    await finger.down(at);
    await finger.second({ x: 30, y: 120 });
    if (way > 0) await finger.by(way, 0);
    await finger.up();
    await expect(meant).toHaveValue("20");
  }

  await finger.rest(at, 1500);
  await expect(meant).toHaveValue("20");

  await finger.swipe(await pointOn(meant, 0.5), 50, 25); // flat enough
  await expect(meant).not.toHaveValue("20");
  await expect.poll(() => noted.map(({ service }) => service)).toEqual(["light.turn_on"]);
});

test("a lamp that is dimmed to zero comes back at the level from before", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 117 });
  const { page, finger, shown: place } = await dialogOf(open, hub, "light.bedroom");
  const lamp = async () => {
    const { state, attributes } = await hub.state("light.bedroom");
    return [state, attributes.brightness];
  };
  const meant = slider(place, "Brightness of Bedroom light");
  const lit = place.getByRole("switch", { name: "Bedroom light", exact: true });
  const dim = async () => {
    await expect(meant).toHaveValue("46");
    await finger.down(await pointOn(meant, 0.46));
    for (let i = 0; i < 5; i++) {
      await finger.by(-25, 0);
      const shown = Number(await meant.inputValue());
      await expect.poll(async () => Number(await meant.inputValue())).toBeLessThanOrEqual(shown);
    }
    await finger.up();
    await expect.poll(lamp).toEqual(["off", null]);
  };
  await dim();
  await expect(lit).toHaveAttribute("aria-checked", "false");
  await lit.tap();
  await expect.poll(lamp).toEqual(["on", 117]);
  // Its own memory has that level: whoever turns it on, it comes back at it.
  await dim();
  await hub.call("light", "turn_on", { entity_id: "light.bedroom" });
  expect(await lamp()).toEqual(["on", 117]);

  // By keys, too.
  await meant.focus();
  await Promise.all(Array.from({ length: 5 }, () => page.keyboard.press("PageDown"))); // in one go
  await expect.poll(lamp).toEqual(["off", null]);
  await hub.call("light", "turn_on", { entity_id: "light.bedroom" });
  expect(await lamp()).toEqual(["on", 117]);
});
