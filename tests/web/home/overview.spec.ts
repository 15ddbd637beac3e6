// SPDX-License-Identifier: Apache-2.0
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, notices, showPage, toggle } from "../pages";

// The issue gives a change one second to be seen. Nothing is counted to that second but what follows the hub's answer.
const second = { timeout: 1_000 };

// So that every card is drawn.
const tall = { height: 3_000 };

const slider = (page: Page, name: string): Locator => page.getByRole("slider", { name, exact: true });

test("a switch on a card switches, and shows what is reported", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  const light = toggle(page, "Kitchen light");
  await expect(light).toHaveAttribute("aria-checked", "false");
  await light.click();
  await expect(light).toHaveAttribute("aria-checked", "true");
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await light.click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await expect(light).toHaveAttribute("aria-checked", "false");
});

test("a change elsewhere moves the card within a second", async ({ open, hub }) => {
  await hub.setState("sensor.letters", "7", { friendly_name: "Letters" });
  const page = await open("/overview?view=list", tall);
  const pump = toggle(page, "Garden pump");
  await expect(pump).toHaveAttribute("aria-checked", "false");
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await expect(pump).toHaveAttribute("aria-checked", "true", second);
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await expect(pump).toHaveAttribute("aria-checked", "false", second);
  await hub.setState("sensor.letters", "8462", { friendly_name: "Letters" });
  await expect(page.getByText("8462")).toBeVisible(second);
  await hub.rest("DELETE", "/api/states/sensor.letters");
  await expect(page.getByText("8462")).toHaveCount(0);
});

test("a slider follows the finger at once, and settles on what the device reports", async ({ open, hub }) => {
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 26 });
  const page = await open("/overview?view=list", tall);
  const brightness = slider(page, "Brightness of Bedroom light");
  await expect(brightness).toHaveValue("10");
  await brightness.fill("60");
  await expect(brightness).toHaveValue("60");
  await expect.poll(async () => (await hub.state("light.bedroom")).attributes.brightness).toBe(153);
  await expect(brightness).toHaveValue("60");
  await expect(brightness).toHaveAttribute("aria-valuetext", /^60\s?%$/);
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness: 51 });
  await expect(brightness).toHaveValue("20", second);

  // Behind this one there is no device: nothing is reported, so it goes back.
  const attributes = { friendly_name: "Dream light", supported_color_modes: ["brightness"], brightness: 102 };
  await hub.setState("light.dream", "on", attributes);
  const dream = slider(page, "Brightness of Dream light");
  await expect(dream).toHaveValue("40");
  await dream.fill("90");
  await expect(dream).toHaveValue("90");
  await expect(dream).toHaveValue("40");
  await expect(notices(page)).toContainText("Dream light has not reported the change");
  await hub.rest("DELETE", "/api/states/light.dream");
});

test("a switch behind which nothing is goes back, and says so", async ({ open, hub }) => {
  await hub.setState("switch.dream", "off", { friendly_name: "Dream switch" });
  const page = await open("/overview?view=list", tall);
  const dream = toggle(page, "Dream switch");
  await dream.click();
  await expect(dream).toHaveAttribute("aria-checked", "true");
  await expect(dream).toHaveAttribute("aria-checked", "false");
  await expect(notices(page)).toContainText("Dream switch has not reported the change");
  await hub.rest("DELETE", "/api/states/switch.dream");
});

test("a light is coloured in its dialog", async ({ open, hub }) => {
  const page = await open("/overview?entity=light.living_room", tall);
  const within = dialog(page);
  const own = (name: string) => within.getByRole("slider", { name, exact: true });
  await own("Colour temperature of Living room light").fill("5000");
  await expect.poll(async () => (await hub.state("light.living_room")).attributes.color_temp_kelvin).toBe(5000);
  await own("Hue of Living room light").fill("240");
  await expect.poll(async () => (await hub.state("light.living_room")).attributes.color_mode).toBe("hs");
  await own("Saturation of Living room light").fill("50");
  await expect.poll(async () => (await hub.state("light.living_room")).attributes.hs_color).toEqual([240, 50]);
  await within.getByLabel("Effect of Living room light").selectOption("candle");
  await expect.poll(async () => (await hub.state("light.living_room")).attributes.effect).toBe("candle");
});

test("a cover opens and closes, and goes to a position in its dialog", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  const shutter = () => hub.state("cover.bedroom_shutter");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await button("Open Bedroom shutter").click();
  await expect.poll(async () => (await shutter()).state).toBe("open");
  await expect(button("Open Bedroom shutter")).toBeDisabled();
  await expect(button("Close Bedroom shutter")).toBeEnabled();
  await page.getByRole("link", { name: "Bedroom shutter" }).click();
  const position = dialog(page).getByRole("slider", { name: "Position of Bedroom shutter" });
  await position.fill("30");
  await expect.poll(async () => (await shutter()).attributes.current_position).toBe(30);
  await expect(dialog(page).getByRole("button", { name: "Open Bedroom shutter" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await button("Close Bedroom shutter").click();
  await expect.poll(async () => (await shutter()).state).toBe("closed");
  await expect(button("Close Bedroom shutter")).toBeDisabled();
  await expect(button("Open Bedroom shutter")).toBeEnabled();
});

test("a thermostat goes up and down", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  const target = async () => (await hub.state("climate.living_room")).attributes.temperature as number;
  const before = await target();
  const step = (await hub.state("climate.living_room")).attributes.target_temp_step as number;
  await page.getByRole("button", { name: "Raise Living room thermostat" }).click();
  await expect.poll(target).toBe(before + step);
  await page.getByRole("button", { name: "Raise Living room thermostat" }).click();
  await expect.poll(target).toBe(before + 2 * step);
  await page.getByRole("button", { name: "Lower Living room thermostat" }).click();
  await expect.poll(target).toBe(before + step);

  // What is typed goes to the nearest step within its limits, and nothing is sent for what is no number.
  const field = page.getByRole("textbox", { name: "Target temperature of Living room thermostat" });
  await field.click();
  await field.fill("19,3");
  await field.press("Enter");
  await expect.poll(target).toBe(19.5);
  await expect(field).toHaveValue(/19\.5/);
  await field.fill("warm");
  await field.blur();
  await expect(field).toHaveValue(/19\.5/);
  expect(await target()).toBe(19.5);
  await field.focus();
  await field.press("ArrowUp");
  await expect.poll(target).toBe(20);
  await hub.call("climate", "set_temperature", { entity_id: "climate.living_room", temperature: before });
});

test("a fan turns at a speed", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  await toggle(page, "Bedroom fan").click();
  await expect.poll(async () => (await hub.state("fan.bedroom")).state).toBe("on");
  await slider(page, "Speed of Bedroom fan").fill("75");
  await expect.poll(async () => (await hub.state("fan.bedroom")).attributes.percentage).toBe(75);
});

test("a lock asks first", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  await page.getByRole("button", { name: "Unlock Front door lock" }).click();
  await expect(dialog(page).getByRole("heading")).toHaveText("Unlock Front door lock?");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await hub.state("lock.front_door")).state).toBe("locked");

  await page.getByRole("button", { name: "Unlock Front door lock" }).click();
  await dialog(page).getByRole("button", { name: "Unlock", exact: true }).click();
  await expect.poll(async () => (await hub.state("lock.front_door")).state).toBe("unlocked");
  await page.getByRole("button", { name: "Lock Front door lock" }).click();
  await dialog(page).getByRole("button", { name: "Lock", exact: true }).click();
  await expect.poll(async () => (await hub.state("lock.front_door")).state).toBe("locked");
});

test("a garage door asks before it opens, unless its settings say otherwise", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?entity=cover.garage_door", { ...tall, hub });
  const opens = dialog(page).getByRole("button", { name: "Open Garage door", exact: true });
  await opens.click();
  await expect(dialog(page).last().getByRole("heading")).toHaveText("Open Garage door?");
  await dialog(page).last().getByRole("button", { name: "Cancel" }).click();
  expect((await hub.state("cover.garage_door")).state).toBe("closed");
  await page.goto("/settings/areas?open=cover.garage_door");
  await dialog(page).getByLabel("When somebody moves it by hand").selectOption("Do it at once");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/overview?entity=cover.garage_door");
  await opens.click();
  await expect.poll(async () => (await hub.state("cover.garage_door")).state).toMatch(/open/);
  await expect(dialog(page)).toHaveCount(1);
});

test("a lock that demands a PIN opens with that only", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas?open=lock.front_door", { ...tall, hub });
  await dialog(page).getByLabel("When somebody moves it by hand").selectOption("Demand a PIN");
  await dialog(page).getByLabel("PIN, 4 to 12 digits").fill("4711");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);

  await page.goto("/overview?view=list");
  const pin = dialog(page).getByLabel("PIN");
  await page.getByRole("button", { name: "Unlock Front door lock" }).click();
  await expect(dialog(page).getByRole("heading")).toHaveText("Unlock Front door lock?");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(notices(page)).toHaveText("");
  await page.getByRole("button", { name: "Unlock Front door lock" }).click();
  await pin.fill("1234");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("alert")).toHaveText("This PIN is wrong. Try it again.");
  await expect(pin).toBeFocused();
  expect((await hub.state("lock.front_door")).state).toBe("locked");
  for (const digit of "4711") await dialog(page).getByRole("button", { name: digit, exact: true }).click();
  await dialog(page).getByRole("button", { name: "Unlock", exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(async () => (await hub.state("lock.front_door")).state).toBe("unlocked");
});

test("a lock with a code takes no other", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  const unlock = async (code: string) => {
    await page.getByRole("button", { name: "Unlock Garden shed lock" }).click();
    await dialog(page).getByLabel("Code").fill(code);
    await dialog(page).getByRole("button", { name: "Unlock", exact: true }).click();
  };
  await unlock("12"); // too short to be one
  await expect(dialog(page).getByRole("alert")).toContainText("Check it and try again");
  await page.keyboard.press("Escape");
  await unlock("9999"); // which the lock refuses
  await expect(dialog(page)).toHaveCount(0);
  await unlock("1234");
  await expect.poll(async () => (await hub.state("lock.garden_shed")).state).toBe("unlocked");
  await hub.call("lock", "lock", { entity_id: "lock.garden_shed", code: "1234" });
});

test("what is unavailable is shown as such, and cannot be switched", async ({ open }) => {
  const page = await open("/overview?view=list", tall);
  const machine = toggle(page, "Coffee machine");
  await expect(machine).toBeDisabled();
  await expect(page.locator("hearth-switch-card").filter({ hasText: "Coffee machine" })).toContainText("Unavailable");
});

test("sensors show their unit, and a curve once there is one", async ({ open, hub }) => {
  const unit = { friendly_name: "Cellar", unit_of_measurement: "°C", device_class: "temperature", state_class: "measurement" };
  await hub.setState("sensor.cellar", "11.5", unit);
  const page = await open("/overview?view=list", tall);
  const card = page.locator("hearth-sensor-card").filter({ hasText: "Cellar" });
  await expect(card).toContainText(/11\.5\s*°C/);
  await hub.setState("sensor.cellar", "12", unit);
  await hub.setState("sensor.cellar", "11", unit);
  await expect(card).toContainText(/11\s*°C/);
  await expect(card.locator("svg").last()).toBeVisible();
  await expect(card.locator("path.line")).toHaveAttribute("d", /L/); // a level one has no height, so it is not "visible"
  await hub.rest("DELETE", "/api/states/sensor.cellar");
});

test("entities stand in their areas", async ({ open }) => {
  const page = await open("/overview?view=list", tall);
  const areas = page.getByRole("heading").filter({ hasText: /^(Kitchen|Bedroom|Hall|Bathroom|Living room|Garden)$/ });
  await expect(areas).toHaveCount(6);
  await expect(page.getByRole("heading", { name: "Ground floor" })).toBeVisible();
});

test("the search finds by name and by area", async ({ open }) => {
  const page = await open("/overview?view=list", tall);
  const search = page.getByRole("searchbox");
  await search.fill("KITCHEN li");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await expect(page.getByRole("switch")).toHaveCount(1);
  await search.fill("garden");
  await expect(toggle(page, "Garden pump")).toBeVisible();
  await expect(toggle(page, "Kitchen light")).toHaveCount(0);
  await search.fill("nothing has this name");
  await expect(page.getByRole("switch")).toHaveCount(0);
  await search.fill("");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
});

test("everything can be done with the keyboard alone", async ({ open, hub }) => {
  const page = await open("/overview?view=list", tall);
  await expect(toggle(page, "Hall light")).toBeVisible();
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    });
  const tabTo = async (name: string) => {
    for (let i = 0; i < 150; i++) {
      await page.keyboard.press("Tab");
      if ((await focused()) === name) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };

  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await tabTo("Hall light"); // the link to its dialog, and its switch
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();

  // The dialog keeps the focus until it is left, and then gives it back.
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) {
        if (element.localName === "hearth-entity-dialog" || element.localName === "hearth-confirm") return false;
        element = element.shadowRoot.activeElement;
      }
      return element !== document.body;
    });
    expect(outside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  expect(await focused()).toBe("Hall light");

  const before = (await hub.state("light.hall")).state;
  await tabTo("Hall light");
  await page.keyboard.press("Space");
  await expect.poll(async () => (await hub.state("light.hall")).state).not.toBe(before);
});

test("the dialog of an entity says what there is to know of it", async ({ open, hub }) => {
  await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness: 153 });
  const page = await open("/overview?view=list", tall);
  await page.getByRole("link", { name: "Kitchen light" }).press("Enter");
  await expect(page).toHaveURL(/entity=light\.kitchen/);
  await expect(dialog(page).getByRole("heading", { name: "Kitchen light" })).toBeVisible();
  await expect(dialog(page)).toContainText("brightness");
  await expect(dialog(page)).toContainText("153");
  await expect(dialog(page)).toContainText(/Last changed/);
  await expect(dialog(page)).toContainText("ann"); // who caused it
  await expect(dialog(page).getByRole("link", { name: "Raw state" })).toHaveAttribute("href", /developer-tools.*light\.kitchen/);
  await toggle(page, "Kitchen light").last().click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/overview\?view=list$/);
});

test("pages are named in the title, and the way back leads back", async ({ open }) => {
  const page = await open("/overview?view=list", tall);
  await expect(page).toHaveTitle("Overview – Test home");
  await showPage(page, "History");
  await expect(page).toHaveTitle("History – Test home");
  await showPage(page, "Profile");
  await page.goBack();
  await expect(page).toHaveTitle("History – Test home");
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
});
