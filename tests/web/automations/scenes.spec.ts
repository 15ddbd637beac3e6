// SPDX-License-Identifier: Apache-2.0
// Scenes: taken as the home is, tried, changed and put back.

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { fits } from "../pages";

const stored = async (hub: Hub, entity: string) => {
  const { attributes } = await hub.state(entity);
  return hub.rest<{ entities: Record<string, unknown> }>("GET", `/api/config/scene/config/${String(attributes.id)}`);
};

for (const width of [1280, 360]) {
  test(`a scene takes how it is now, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness: 51 });
    await hub.call("light", "turn_off", { entity_id: "light.hall" });
    const page = await open("/settings/automations", { hub, width });
    await page.getByRole("link", { name: "New scene" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Evening");
    const things = page.getByRole("combobox", { name: "Add things" });
    for (const name of ["Kitchen light", "Hall light"]) {
      await things.fill(name);
      await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
    }
    const list = page.getByRole("listitem");
    await expect(list.filter({ hasText: "Kitchen light" })).toContainText("20%");
    await expect(list.filter({ hasText: "Hall light" })).toContainText("Off");
    await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness: 102 });
    await page.getByRole("button", { name: "Take Kitchen light as it is now" }).click();
    await expect(list.filter({ hasText: "Kitchen light" })).toContainText("40%");
    await fits(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Evening", exact: true })).toBeVisible();
    expect((await stored(hub, "scene.evening")).entities).toMatchObject({
      "light.kitchen": { state: "on", brightness: 102 },
      "light.hall": "off",
    });

    await page.getByRole("button", { name: "Remove Hall light" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(async () => Object.keys((await stored(hub, "scene.evening")).entities)).toEqual(["light.kitchen"]);
  });
}

test("an area is added as it is", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-scene", { hub });
  await page.getByRole("combobox", { name: "Add all of an area" }).fill("kitchen");
  await page.getByRole("option", { name: /^Kitchen/ }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Kitchen light" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Hall light" })).toHaveCount(0);
});

test("a scene is tried in the home, what is changed there is taken, and all is put back", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/scene/config/7", {
    name: "Film",
    entities: { "light.kitchen": { state: "on", brightness: 51 }, "switch.garden_pump": "on" },
  });
  await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness: 255 });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  const page = await open("/settings/automations/scene.film", { hub });
  const live = page.getByRole("switch", { name: "Try it in the home" });
  const brightness = async () => (await hub.state("light.kitchen")).attributes.brightness;
  const pump = async () => (await hub.state("switch.garden_pump")).state;
  await live.click();
  await expect.poll(brightness).toBe(51);
  await expect.poll(pump).toBe("on");
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  await expect(page.locator("hearth-light-card")).toHaveCount(1);
  await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness: 128 });
  await expect(page.getByRole("listitem").filter({ hasText: "Kitchen light" }).first()).toContainText("50%");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await live.click();
  await expect.poll(brightness).toBe(255);
  await expect.poll(pump).toBe("off");

  await live.click();
  await expect.poll(brightness).toBe(128);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  await page.getByRole("link", { name: "Automations, scripts, scenes" }).click();
  await expect.poll(brightness).toBe(255);
  expect((await stored(hub, "scene.film")).entities["light.kitchen"]).toMatchObject({ brightness: 128 });
});

test("a scene that is left while the hub cannot be reached is put back when it is there again", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/WebSocket|ERR_CONNECTION_REFUSED/, false);
  const hub = await startHub();
  await hub.rest("POST", "/api/config/scene/config/7", { name: "Film", entities: { "switch.garden_pump": "on" } });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  const page = await open("/settings/automations/scene.film", { hub });
  const pump = async () => (await hub.state("switch.garden_pump")).state;
  await page.getByRole("switch", { name: "Try it in the home" }).click();
  await expect.poll(pump).toBe("on");
  await hub.end();
  await page.getByRole("link", { name: "Automations, scripts, scenes" }).click();
  await expect(page.locator("hearth-scene-form")).toHaveCount(0);
  await hub.begin();
  await expect.poll(pump).toBe("off");
});

test("a scene of things that are gone says so, and stays", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/scene/config/7", { name: "Old", entities: { "light.gone": "on", "light.hall": "on" } });
  const page = await open("/settings/automations/scene.old", { hub });
  const gone = page.getByRole("listitem").filter({ hasText: "light.gone" });
  await expect(gone).toContainText("It is not there any more");
  await expect(gone.getByRole("button", { name: "Take light.gone as it is now" })).toBeDisabled();
  await page.getByRole("button", { name: "Take all as they are now" }).click();
  await expect(gone).toBeVisible();
});

test("the scene's page is accessible", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/scene/config/7", {
    name: "Film",
    entities: { "light.kitchen": { state: "on", brightness: 51 }, "cover.bedroom": "closed", "switch.garden_pump": "on" },
  });
  const page = await open("/settings/automations/scene.film", { hub });
  await page.getByRole("switch", { name: "Try it in the home" }).click();
  await expect(page.locator("hearth-light-card")).toHaveCount(1);
  await looksRight(page, "scene");
});
