// SPDX-License-Identifier: Apache-2.0
// How the home screen, its arranging, dialogs of things and the list for rooms look, of a home in use and of one with odd names.
import { expect, test, type Given } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { badNames } from "../names_hold";
import { command, dialog, settled } from "../pages";

const widths = [360, 768, 1280, 2560] as const;

async function startHome(startHub: Given["startHub"]): Promise<Hub> {
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.living_room", brightness: 140, hs_color: [235, 80] });
  await hub.call("media_player", "turn_on", { entity_id: "media_player.office" });
  return hub;
}

for (const [name, path] of Object.entries({
  home: "/overview",
  "home-room": "/overview?area=living_room",
  "home-arrange": "/overview?arrange=1",
  "home-arrange-room": "/overview?area=kitchen&arrange=1",
}))
  test(`the home screen looks right: ${name}`, async ({ open, startHub }) => {
    const page = await open(path, { hub: await startHome(startHub) });
    await looksRight(page, name, { widths });
  });

for (const id of [
  "light.living_room",
  "light.kitchen",
  "climate.living_room",
  "cover.living_room_blind",
  "cover.garage_door",
  "media_player.office",
  "camera.driveway",
])
  test(`the dialog of ${id} looks right`, async ({ open, startHub }) => {
    const page = await open(`/overview?entity=${id}`, { hub: await startHome(startHub) });
    await expect(dialog(page)).toHaveCount(1);
    await looksRight(page, `dialog-${id.replace(".", "-")}`, { widths: [360, 1280], fullPage: false });
    // Its lower half, with what is folded.
    await dialog(page).getByText("Attributes").click();
    await looksRight(page, `dialog-${id.replace(".", "-")}-unfolded`, { widths: [360], fullPage: false });
  });

test("the list that puts devices into rooms looks right, with some chosen", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open("/overview", { hub });
  await settled(page);
  const devices = await command<{ id: string }[]>(page, "config/device_registry/list");
  for (const [index, name_by_user] of [...Object.values(badNames), "Kitchen lamp", "Hall sensor", "Cellar leak"].entries())
    await command(page, "config/device_registry/update", { device_id: devices[index]?.id, name_by_user, area_id: null });
  await page.goto("/settings/devices/rooms");
  await page.getByRole("checkbox", { name: "Select Kitchen lamp" }).click();
  await looksRight(page, "settings-device-rooms-chosen", { widths });
});
