// SPDX-License-Identifier: Apache-2.0
// Names of markup, of emoji, from right to left, and of 255 letters without a space, wherever a phone shows names.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { badNames, namesHold } from "../names_hold";
import { command, dialog, notices, settled } from "../pages";

const names = Object.values(badNames);
const { markup, endless, rightToLeft, emoji } = badNames;
const phone = { width: 360, height: 740 };

const lights = ["light.living_room", "light.kitchen", "light.garden", "light.hall"];
const rooms = ["living_room", "kitchen", "bedroom", "hall"];

const rename = (page: Page, entity_id: string, name: string) => command(page, "config/entity_registry/update", { entity_id, name });

// Each thing that has a dialog of its own, and a name for it.
const dialogs = [
  ["light.living_room", endless],
  ["climate.living_room", markup],
  ["climate.living_room", endless],
  ["cover.living_room_blind", endless],
  ["media_player.office", endless],
  ["media_player.office", rightToLeft],
  ["camera.driveway", emoji],
  ["alarm_control_panel.home", endless],
] as const;

async function renameAll(page: Page): Promise<void> {
  for (const [index, name] of names.entries()) {
    await rename(page, lights[index] as string, name);
    await command(page, "config/area_registry/update", { area_id: rooms[index], name });
  }
}

test("names that nobody expects are texts that fit on the overview, in rooms, lists and alerts", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const [index, friendly_name] of names.entries())
    await hub.setState(`sensor.battery_${index}`, "4", { device_class: "battery", unit_of_measurement: "%", friendly_name });
  await hub.setState("binary_sensor.leak", "on", { device_class: "moisture", friendly_name: endless });
  const page = await open("/overview", { hub, ...phone });
  await settled(page);
  await renameAll(page);
  await command(page, "frontend/set_user_data", { key: "hearth.layout", value: { version: 1, favorites: lights } });
  await namesHold(page, "the home screen");
  for (const [address, expected] of [
    ["?view=list", names],
    ["?area=kitchen", [emoji]],
    ["?area=hall", [endless]],
    ["?show=lights", [markup]],
    ["?show=alerts", names],
    ["?arrange=1", names],
    ["?area=hall&arrange=1", [endless]],
    ["?panel=hall", [endless]],
    ["?panel=favorites", names],
  ] as const) {
    await page.goto(`/overview${address}`);
    await namesHold(page, address, expected);
  }
});

test("such names are texts that fit in dialogs, notices, the palette and the list for rooms", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview", { hub, ...phone });
  await settled(page);
  await renameAll(page);
  for (const [id, name] of dialogs) {
    await rename(page, id, name);
    await page.goto(`/overview?entity=${id}`);
    await expect(dialog(page).getByRole("heading", { name, exact: true })).toBeVisible();
    await namesHold(page, id, [name]);
  }
  await page.goto("/overview");
  await settled(page);
  for (const [index, name] of names.entries()) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find and do" }).fill([...name].slice(0, 8).join(""));
    await expect(page.getByRole("row").first()).toBeVisible();
    await namesHold(page, `the palette, ${index}`, [name]);
    await page.keyboard.press("Escape");
  }
  for (const id of lights) {
    await page.goto(`/overview?entity=${id}`);
    await dialog(page).getByRole("switch").first().click();
    await expect(notices(page).getByRole("button", { name: "Undo" })).toBeVisible();
    await namesHold(page, `the notice of ${id}`, []);
  }
  const devices = await command<{ id: string }[]>(page, "config/device_registry/list");
  for (const [index, name] of names.entries())
    await command(page, "config/device_registry/update", { device_id: devices[index]?.id, name_by_user: name, area_id: null });
  await page.goto("/settings/devices/rooms");
  await expect(page.locator("hearth-arrange-row")).toHaveCount(names.length);
  await namesHold(page, "the list for rooms", []);
  await page.goto("/settings/areas");
  await namesHold(page, "the list of rooms");
});
