// SPDX-License-Identifier: Apache-2.0
// How every page looks: it fits its window, axe-core finds nothing in either theme, and a picture lands in build/screenshots, to be
// looked at.
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, test, type Given } from "../fixtures";
import { repository, type Hub } from "../hub";
import { dialog, fits, places, settled } from "../pages";

const folder = join(repository, "build/screenshots");
const colourRules = ["color-contrast", "link-in-text-block"]; // what another theme can break
// Off unless asked for: voice control finds a button by what it reads.
const rules = { "label-content-name-mismatch": { enabled: true } };
const heights: Record<number, number> = { 320: 640, 360: 740, 1024: 768, 2560: 1440, 3840: 2160 };

// What axe-core's rules find, all of them or those that are named. The legacy mode spares a second page for each look: it is for
// pages with frames of other origins, of which there are none.
async function isAccessible(page: Page, only?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], rules });
  const { violations } = await (only ? axe.withRules(only) : axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => `${node.target.join(" ")}: ${node.html}`) }));
  expect.soft(found, page.url()).toEqual([]);
}

async function look(page: Page, name: string): Promise<void> {
  for (const width of [3840, 2560, 1024, 360, 320]) {
    await page.setViewportSize({ width, height: heights[width] as number });
    await settled(page);
    await fits(page);
    if (width >= 360) await page.screenshot({ path: join(folder, `${name}-${width}.png`), animations: "disabled" });
  }
  await isAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 1024, height: 768 });
  await settled(page);
  await page.screenshot({ path: join(folder, `${name}-1024-dark.png`), animations: "disabled" });
  await isAccessible(page, colourRules);
  await page.emulateMedia({ colorScheme: "light" });
}

for (const [place, path] of Object.entries(places)) {
  test(`${place} fits, and is accessible in both themes`, async ({ open }) => {
    await look(await open(path, { width: 2560 }), place);
  });
}

test("the login fits, and is accessible in both themes", async ({ open }) => {
  const page = await open("/login", { user: "nobody" });
  await page.getByLabel("Username").fill("ann");
  await look(page, "login");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await look(page, "login-wrong");
});

test("the welcome fits, and is accessible in both themes", async ({ open, startHub }) => {
  const page = await open("/", { user: "nobody", hub: await startHub({ users: false, name: "" }) });
  await look(page, "welcome");
  await page.getByRole("button", { name: "Create account" }).click();
  await look(page, "welcome-wrong");
  await page.getByLabel("Name", { exact: true }).fill("Ann");
  for (const label of ["Password", "Confirm password"]) await page.getByLabel(label, { exact: true }).fill("three small lamps");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Name of the home")).toBeVisible();
  await look(page, "welcome-home");
});

test("dialogs and forms fit, and are accessible in both themes", async ({ open }) => {
  const page = await open("/profile");
  await page.getByRole("button", { name: "Create token" }).click();
  await look(page, "token-form");
  await page.goto("/settings/users");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(dialog(page)).toHaveCount(1);
  await look(page, "user-dialog");
  await page.goto("/overview?view=list");
  for (const lock of ["Front door lock", "Garden shed lock"]) {
    await page.getByRole("searchbox").fill(lock);
    await page.getByRole("button", { name: `Unlock ${lock}` }).click();
    await expect(dialog(page)).toHaveCount(1);
    await look(page, lock.toLowerCase().replaceAll(" ", "-"));
    await page.keyboard.press("Escape");
  }
});

test("a home in use fits, and is accessible in both themes", async ({ open, startHub }) => {
  const hub = await startHub({ name: "Villa Kunterbunt" });
  const page = await open("/overview?view=list", { hub });
  await settled(page);
  await hub.call("light", "turn_on", { entity_id: "light.garden", rgbw_color: [255, 120, 40, 0] });
  await hub.call("light", "turn_on", { entity_id: "light.kitchen", brightness_pct: 80 });
  await hub.call("fan", "turn_on", { entity_id: "fan.bedroom" });
  const sensors = ["outdoor_temperature", "outdoor_humidity", "outdoor_illuminance", "home_power", "living_room_temperature"];
  for (const name of sensors) {
    const { state, attributes } = await hub.state(`sensor.${name}`);
    for (let i = 0; i < 16; i++) {
      const value = Number(state) * (1 + 0.04 * Math.sin(i / 2) + 0.02 * Math.sin(i * 1.7));
      await hub.setState(`sensor.${name}`, value.toFixed(name === "outdoor_temperature" ? 2 : 1), attributes);
    }
  }
  await expect(page.locator("hearth-sensor-card path").first()).toBeAttached();
  await look(page, "overview-in-use");
});

// A home in which players play, and much is wrong.
async function startBusyHome(startHub: Given["startHub"]): Promise<Hub> {
  const hub = await startHub();
  const set = async (id: string, state: string, attributes: object = {}) =>
    hub.setState(id, state, { ...(await hub.state(id)).attributes, ...attributes });
  await set("media_player.office", "playing", {
    media_title: "A song whose name nobody remembers, as it is much too long for that, in its live version",
    media_artist: "Nora Hall",
    media_album_name: "Short Days",
    media_duration: 7_000,
    media_position: 4_000,
    entity_picture: "/favicon.svg",
  });
  await set("vacuum.ground_floor", "error", { battery_level: 9, status: "Brush is stuck" });
  await set("alarm_control_panel.home", "triggered");
  return hub;
}

test("cards that are used by touch fit, and are accessible in both themes", async ({ open, startHub }) => {
  const page = await open("/overview?view=list", { hub: await startBusyHome(startHub) });
  await page.getByRole("searchbox").fill("hall"); // where the alarm and the vacuum are
  await look(page, "touched");
  await page.getByRole("searchbox").fill("media_player");
  await look(page, "media-player");
});

test("the list of what needs attention fits, and is accessible in both themes", async ({ open, startHub }) => {
  const hub = await startBusyHome(startHub);
  for (const [index, name] of ["Hall motion", "A sensor with a name that nobody would cut off, however long it is"].entries())
    await hub.setState(`sensor.battery_${index}`, "9", { device_class: "battery", friendly_name: name });
  const page = await open("/overview?show=alerts", { hub });
  await page
    .getByRole("region", { name: "2 batteries low" })
    .getByRole("button", { name: /^Snooze for a day/ })
    .first()
    .click();
  await expect(page.getByRole("region", { name: "1 snoozed" })).toBeVisible();
  await look(page, "alerts");
});

test("the keypad of an alarm fits, and is accessible in both themes", async ({ open, startHub }) => {
  const page = await open("/overview?view=list", { hub: await startBusyHome(startHub) });
  await page.getByRole("searchbox").fill("alarm_control_panel");
  await page.getByRole("button", { name: "Disarm: Home alarm" }).click();
  await page.keyboard.type("1");
  await look(page, "alarm-code");
});

for (const id of ["media_player.office", "weather.home", "alarm_control_panel.home", "vacuum.ground_floor"]) {
  test(`the dialog of ${id} fits, and is accessible in both themes`, async ({ open, startHub }) => {
    const page = await open(`/overview?entity=${id}`, { hub: await startBusyHome(startHub) });
    await expect(dialog(page)).toHaveCount(1);
    await look(page, `dialog-${id.split(".")[0]}`);
  });
}

test("pages with something on them fit, and are accessible in both themes", async ({ open, hub }) => {
  const page = await open("/history?entity=sensor.living_room_temperature&entity=sensor.outdoor_temperature&entity=light.hall");
  const { attributes } = await hub.state("sensor.outdoor_temperature");
  for (const value of ["7.5", "8.5", "8", "6.5"]) await hub.setState("sensor.outdoor_temperature", value, attributes);
  await hub.call("light", "toggle", { entity_id: "light.hall" });
  await hub.call("light", "toggle", { entity_id: "light.hall" });
  await look(page, "history-drawn");
  await page.goto("/developer-tools/services");
  await page.getByRole("combobox", { name: "Service" }).fill("light.turn_on");
  await page
    .getByRole("option", { name: /light\.turn_on/ })
    .first()
    .click();
  await look(page, "developer-service");
  await page.goto("/developer-tools/states");
  await page.getByRole("row").filter({ hasText: "alarm_control_panel." }).first().click();
  await look(page, "developer-state");
  await page.goto("/developer-tools/api");
  await page.locator("hearth-api-endpoint summary").first().click();
  await look(page, "developer-endpoint");
});
