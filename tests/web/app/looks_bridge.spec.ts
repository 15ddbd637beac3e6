// SPDX-License-Identifier: Apache-2.0
// How the connection to another hub looks: its form, a small home there and a large one with long names, and what goes wrong.
import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { configuration, furnish, OtherHub } from "../other_hub";
import { dialog, notices } from "../pages";

const longName =
  "Temperature of the water that comes back from the heating circuit of the upper floor behind the very old chest of drawers";
const longId = "sensor.temperature_of_the_water_that_comes_back_from_the_heating_circuit_of_the_upper_floor";

// 600 entities of 60 devices with long names, of each fate many.
async function fill(other: OtherHub, hub: Hub): Promise<void> {
  const devices: Record<string, object> = {};
  for (let device = 0; device < 60; ++device)
    devices[`m${device}`] = { name: `${longName} ${device}`, identifiers: [["made", String(device)]], area_id: "office" };
  await other.put("devices", devices);
  for (let number = 0; number < 600; ++number) {
    const entry = { unique_id: `m${number}`, platform: "made", device_id: `m${number % 60}` };
    const disabled = number % 10 === 1 ? { disabled_by: "user" } : {};
    const attributes = { friendly_name: `${longName} ${number}`, unit_of_measurement: "°C", device_class: "temperature" };
    await other.add(`${longId}_${number}`, disabled.disabled_by ? null : "21.5", attributes, { ...entry, ...disabled });
    if (number % 20 === 2) await hub.setState(`${longId}_${number}`, "mine");
  }
}

for (const language of ["en-GB", "de-DE"]) {
  const inGerman = language === "de-DE";
  const named = (what: string) => `bridge${inGerman ? "-de" : ""}-${what}`;
  const say = (english: string, german: string) => (inGerman ? german : english);

  test(`another hub looks right in ${language}`, async ({ open, startHub, expectComplaint }) => {
    test.slow();
    expectComplaint(/503/);
    const hub = await startHub({ configuration });
    const other = await OtherHub.start();
    await furnish(other);
    await hub.setState("sensor.taken", "mine");
    const page = await open("/settings/devices/connect?handler=home_assistant", { hub, language });
    const address = page.getByRole("textbox", { name: say("Address", "Adresse"), exact: true });
    await expect(address).toBeVisible();
    await looksRight(page, named("form"));
    await address.fill(other.url);
    const token = page.getByRole("textbox", { name: say("Long-lived token", "Langlebiges Token"), exact: true });
    await token.fill("another");
    await token.press("Enter");
    await expect(token).toHaveAttribute("aria-invalid", "true");
    await looksRight(page, named("form-refused"));
    await token.fill(other.token);
    await token.press("Enter");
    await expect(page.getByRole("textbox", { name: say("Before the entity ids", "Vor den Entitäts-IDs") })).toBeVisible();
    await looksRight(page, named("choices"));

    const id = await other.connect(hub);
    await page.goto(`/settings/devices/connection?id=${id}`);
    const connected = page.getByText(say("Connected", "Verbunden"), { exact: true });
    await expect(connected).toBeVisible();
    await expect(page.locator("hearth-bridge-automations li")).toHaveCount(1);
    await page.getByRole("combobox", { name: say("Why", "Warum") }).selectOption("collision");
    await expect(page.locator("hearth-bridge-entities li")).toHaveCount(1);
    await looksRight(page, named("small"));
    await other.tell("change_entry", ["switch.fan"], { name: longName });
    const differences = () => hub.rest<{ differences: unknown[] }>("GET", "/api/home_assistant/differences/home");
    await expect.poll(async () => (await differences()).differences).toHaveLength(1);
    await page.getByRole("button", { name: say("Take names and areas again", "Namen und Bereiche neu übernehmen") }).click();
    await expect(dialog(page).getByRole("checkbox")).toBeVisible();
    await looksRight(page, named("differences"), { fullPage: false });
    await page.keyboard.press("Escape");
    await other.tell("stop");
    await expect(page.getByText(say("Lost", "Getrennt"), { exact: true })).toBeVisible();
    await page.getByRole("button", { name: say("Test", "Testen"), exact: true }).click();
    await expect(notices(page)).toContainText(say("It did not work", "Das hat nicht geklappt"));
    await looksRight(page, named("lost"));
    await other.end();
  });

  test(`a large home of another hub looks right in ${language}`, async ({ open, startHub }) => {
    test.slow();
    const hub = await startHub({ configuration });
    const other = await OtherHub.start();
    await furnish(other);
    await fill(other, hub);
    const id = await other.connect(hub, { exclude_domains: "switch" });
    const page = await open(`/settings/devices/connection?id=${id}`, { hub, language });
    await expect(page.getByText(say("Connected", "Verbunden"), { exact: true })).toBeVisible();
    await page.getByRole("combobox", { name: say("Why", "Warum") }).selectOption("collision");
    await expect(page.locator("hearth-bridge-entities li").first()).toBeVisible();
    await looksRight(page, named("large"));
    await looksRight(page, named("large-top"), { fullPage: false });
    await page.goto("/settings/devices/connections");
    await expect(page.getByRole("listitem").first()).toBeVisible();
    await looksRight(page, named("list"));
    await other.end();
  });
}
