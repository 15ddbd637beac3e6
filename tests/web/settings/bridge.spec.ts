// SPDX-License-Identifier: Apache-2.0
// Another hub that is mirrored here: it is added by its flow, and its connection's page has what became of its entities.
import type { Page } from "@playwright/test";

import { test as base, expect } from "../fixtures";
import { configuration, furnish, OtherHub } from "../other_hub";
import { command, dialog, fits, notices } from "../pages";

const test = base.extend<{ other: OtherHub }>({
  other: async ({}, use) => {
    const other = await OtherHub.start();
    await furnish(other);
    await use(other);
    await other.end();
  },
});

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const figure = (page: Page, name: string) =>
  page
    .locator("hearth-bridge-card dl > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd");

test("another hub is added by its address and token, and its page tells how it does", async ({ open, startHub, other }) => {
  const hub = await startHub({ configuration });
  await hub.setState("sensor.taken", "mine");
  const page = await open("/settings/devices/add", { hub, width: 360 });
  await page.getByRole("link", { name: "Add: Home Assistant" }).click();
  await field(page, "Address").fill(other.url);
  await field(page, "Long-lived token").fill("another");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(field(page, "Long-lived token")).toHaveAccessibleDescription(/^The other hub does not accept this token\./);
  await fits(page);
  await field(page, "Long-lived token").fill(other.token);
  await page.getByRole("button", { name: "Continue" }).click();
  const found = /There is Home Assistant 2026\.2\.3 with 8 entities; the token is that of Bridge\./;
  await expect(page.getByText(found)).toBeVisible();
  await fits(page);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Cabin is connected" })).toBeVisible();
  await page.getByRole("link", { name: "The connection", exact: true }).click();

  await expect(figure(page, "Connection")).toHaveText("Connected");
  await expect(figure(page, "Version")).toHaveText("Home Assistant 2026.2.3");
  await expect(figure(page, "Token of")).toHaveText("Bridge");
  await expect(figure(page, "Entities here")).toHaveText("5");
  await expect(figure(page, "Unavailable")).toHaveText("1");
  await expect(figure(page, "Shadowed")).toHaveText("2");
  await expect(figure(page, "Collisions")).toHaveText("1");
  await expect(figure(page, "Disabled")).toHaveText("1");
  await expect(figure(page, "Left out")).toHaveText("1");
  await expect(page.getByRole("link", { name: "Desk lamp" })).toBeVisible();
  await fits(page);

  const why = page.getByRole("combobox", { name: "Why" });
  const listed = page.locator("hearth-bridge-entities li");
  await why.selectOption("This hub has its own");
  await expect(listed).toHaveText([/automation\.night/, /input_boolean\.guests/]);
  await why.selectOption("Another id here");
  await expect(listed).toHaveText([/sensor\.taken → sensor\.taken_2/]);
  await why.selectOption("Disabled there");
  await expect(listed).toHaveText([/sensor\.off/]);
  await why.selectOption("Never comes");
  await expect(listed).toHaveText([/sun\.sun/]);
  await why.selectOption("");
  await expect(listed).toHaveCount(0);

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(notices(page)).toContainText("Home Assistant 2026.2.3 answers with 8 entities; the token is that of Bridge.");
});

test("names are taken again once the page has shown what changes", async ({ open, startHub, other }) => {
  const hub = await startHub({ configuration });
  const id = await other.connect(hub);
  const page = await open(`/settings/devices/connection?id=${id}`, { hub, width: 360 });
  const take = page.getByRole("button", { name: "Take names and areas again" });
  await take.click();
  await expect(notices(page)).toContainText("Names and areas are as they are there.");
  await command(page, "config/entity_registry/update", { entity_id: "switch.fan", name: "Mine <b>" });
  await command(page, "config/entity_registry/update", { entity_id: "light.reading", name: "My lamp" });
  await other.tell("change_entry", ["light.reading"], { name: "Their lamp" });

  const differences = () => hub.rest<{ differences: unknown[] }>("GET", "/api/home_assistant/differences/home");
  await expect.poll(async () => (await differences()).differences).toHaveLength(2);

  await take.click();
  await expect(dialog(page).getByText("Name: My lamp → Their lamp")).toBeVisible();
  await expect(dialog(page).getByText("Name: Mine <b> → Fan")).toBeVisible();
  await fits(page);
  await dialog(page).getByRole("checkbox", { name: "My lamp" }).uncheck();
  await dialog(page).getByRole("button", { name: "Take" }).click();
  await expect(notices(page)).toContainText("1 change is taken.");
  const name = async (entity: string) => (await hub.state(entity)).attributes.friendly_name;
  await expect.poll(() => name("switch.fan")).toBe("Fan");
  expect(await name("light.reading")).toBe("My lamp");
  await take.click();
  await dialog(page).getByRole("checkbox").uncheck();
  await expect(dialog(page).getByRole("button", { name: "Take" })).toBeDisabled();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test("an automation of both hubs runs in one of them only, and where says the page in German", async ({ open, startHub, other }) => {
  const hub = await startHub({ configuration });
  const id = await other.connect(hub);
  const page = await open(`/settings/devices/connection?id=${id}`, { hub, language: "de-DE", width: 360 });
  const row = page.locator("hearth-bridge-automations li").filter({ hasText: "Night" });
  await expect(row).toContainText("Läuft in beiden: alles geschieht doppelt");
  await fits(page);
  await row.getByRole("button", { name: "Night: hier an, dort aus" }).click();
  await expect(row).toContainText("Läuft hier");
  await expect.poll(() => other.tell("value", ["automation.night"])).toBe("off");
  await row.getByRole("button", { name: "Night: dort an, hier aus" }).click();
  await expect(row).toContainText("Läuft dort");
  await expect.poll(() => other.tell("value", ["automation.night"])).toBe("on");
  expect((await hub.state("automation.night")).state).toBe("off");
});

test("a hub that is lost is said so in the page's language, and comes back", async ({ open, startHub, other, expectComplaint }) => {
  expectComplaint(/503/); // the answer to a test while the other hub is away
  const hub = await startHub({ configuration });
  const id = await other.connect(hub);
  const page = await open(`/settings/devices/connection?id=${id}`, { hub, width: 360 });
  const german = await open(`/settings/devices/connection?id=${id}`, { hub, language: "de-DE", width: 360 });
  await expect(figure(page, "Connection")).toHaveText("Connected");
  await other.tell("stop");
  await expect(figure(page, "Connection")).toHaveText("Lost");
  await expect(figure(page, "Next try")).toBeVisible();
  await expect(figure(page, "Last error")).toHaveText(/^cannot connect to 127\.0\.0\.1:\d+: Connection refused$/);
  await expect(figure(german, "Verbindung")).toHaveText("Getrennt");
  await expect(figure(german, "Letzter Fehler")).toHaveText(/^keine Verbindung zu 127\.0\.0\.1:\d+: dort nimmt niemand Verbindungen an$/);
  await expect(german.getByRole("status").first()).toContainText("dort nimmt niemand Verbindungen an");
  await fits(german);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(notices(page)).toContainText("It did not work: cannot connect to 127.0.0.1");
  // After the grace of 10 s nothing of the other hub is available.
  await expect(figure(page, "Unavailable")).toHaveText("5", { timeout: 30_000 });

  await other.tell("start");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(figure(page, "Connection")).toHaveText("Connected");
  await expect(figure(page, "Unavailable")).toHaveText("1");
  await expect(figure(page, "Last error")).toHaveCount(0);
});
