// SPDX-License-Identifier: Apache-2.0
// Dialogs of things, on a phone: the dial, the favourites of a lamp, and the sheet that is pulled down.
import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { Finger, placeOf, pointOn } from "../finger";
import { dialog, settled } from "../pages";

const phone = { width: 360, height: 740, touch: true };

test("a thermostat's dial goes by keys and by a finger, and a swipe over it moves nothing", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("climate", "set_temperature", { entity_id: "climate.living_room", temperature: 21 });
  const page = await open("/overview?entity=climate.living_room", { ...phone, hub });
  await settled(page);
  const target = async () => (await hub.state("climate.living_room")).attributes.temperature as number;
  const hand = dialog(page).getByRole("slider", { name: "Target temperature of Living room thermostat" });
  await expect(hand).toHaveValue("21");
  await expect(hand).toHaveAttribute("aria-valuetext", /^21\.0.°C$/);
  const noted = await calls(hub);
  const finger = await Finger.on(page);
  for (const by of [-60, 60]) await finger.swipe(await pointOn(hand, 0.5), 4 * Math.sign(by), by);
  const { x, y, width } = await placeOf(page.locator("hearth-dial .dial"));
  await finger.tap({ x: x + width * 0.85, y: y + width * 0.5 }); // on the arc
  await expect(hand).toHaveValue("21");

  await hand.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(target).toBe(22);
  expect(noted).toEqual([{ service: "climate.set_temperature", data: { temperature: 22, entity_id: "climate.living_room" } }]);
  await finger.down(await pointOn(hand, 0.5));
  await finger.by(50, 10);
  await expect.poll(async () => Number(await hand.inputValue())).toBeGreaterThan(23);
  expect(await target()).toBe(22); // it is sent once
  await finger.up();
  await expect.poll(target).toBe(Number(await hand.inputValue()));
  expect(noted.length).toBe(2);
});

test("a lamp has swatches, and favourites that the hub keeps", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.living_room", hs_color: [235, 100], brightness: 102 });
  const page = await open("/overview?entity=light.living_room", { ...phone, hub });
  await settled(page);
  const within = dialog(page);
  const lamp = async () => (await hub.state("light.living_room")).attributes;
  await expect(within.getByRole("button", { name: "Blue" })).toHaveAttribute("aria-pressed", "true");
  await within.getByRole("button", { name: "Keep this light as a favourite" }).click();
  await within.getByRole("button", { name: "2,700 K" }).click();
  await expect.poll(async () => (await lamp()).color_temp_kelvin).toBe(2700);
  const ben = await open("/overview?entity=light.living_room", { ...phone, hub, user: "ben" });
  await dialog(ben).getByRole("button", { name: "Favourite 1 40%" }).click();
  await expect.poll(lamp).toMatchObject({ hs_color: [235, 100], brightness: 102 });
  await expect(dialog(ben).getByRole("button", { name: "Keep this light as a favourite" })).toHaveCount(0);
  await within.getByRole("button", { name: "Remove favourites" }).click();
  await within.getByRole("button", { name: "Remove: Favourite 1 40%" }).click();
  await expect(dialog(ben).getByRole("button", { name: /^Favourite/ })).toHaveCount(0);
  // Nothing to keep, and nothing that was kept.
  const shelf = within.getByRole("group", { name: "Favourites" });
  await expect(shelf).toHaveCount(1);
  await hub.call("light", "turn_off", { entity_id: "light.living_room" });
  await expect(shelf).toHaveCount(0);
});

test("a cover that is open and tells no position is drawn open by its slider, too", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("cover.silent", "open", { friendly_name: "Silent blind", supported_features: 7 });
  const page = await open("/overview?entity=cover.silent", { ...phone, hub });
  const position = dialog(page).getByRole("slider", { name: "Position of Silent blind" });
  await expect(position).toHaveValue("100");
  await hub.setState("cover.silent", "closed", { friendly_name: "Silent blind", supported_features: 7 });
  await expect(position).toHaveValue("0");
});

test("a sheet is pulled down to close it, and stays after a short pull", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview", { ...phone, hub });
  await settled(page);
  const link = page.getByRole("link", { name: "Hall light", exact: true });
  await link.click();
  const heading = dialog(page).getByRole("heading", { name: "Hall light" });
  await expect(heading).toBeVisible();
  await settled(page);
  const finger = await Finger.on(page);
  const top = async () => (await placeOf(heading)).y;
  const before = await top();
  await finger.down(await pointOn(heading, 0.5));
  await finger.by(0, 40);
  await expect.poll(top).toBeGreaterThan(before + 20);
  await page.waitForTimeout(150); // it rests: no fling
  await finger.up();
  await expect.poll(top).toBe(before);
  await finger.down(await pointOn(heading, 0.5));
  await finger.by(0, 260);
  await finger.up();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/entity=/);
  await expect(link).toBeFocused();
});
