// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import type { Page, WebSocket } from "@playwright/test";

import { expect, test } from "./fixtures";
import { dialog, settled } from "./pages";

const celsius = { friendly_name: "Cellar", unit_of_measurement: "°C", device_class: "temperature", state_class: "measurement" };

// The small curve of a card, and the room for it.
const box = "svg[preserveAspectRatio]";
const curve = `${box} path`;

// What the page exports, line by line, without the first; and that.
async function exported(page: Page): Promise<{ head: string; rows: string[][] }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/);
  const [head = "", ...rows] = readFileSync(await download.path(), "utf8").trim().split("\r\n");
  return { head, rows: rows.map((row) => row.split(",")) };
}

const statesOf = (rows: string[][], id: string) => rows.filter(([entity]) => entity === id).map(([, state]) => state);

// The commands that pages send, by their type.
function listen(page: Page): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  page.on("websocket", (socket: WebSocket) => {
    socket.on("framesent", ({ payload }) => {
      const parsed = JSON.parse(String(payload)) as Record<string, unknown> | Record<string, unknown>[];
      sent.push(...[parsed].flat());
    });
  });
  return sent;
}

test("history draws what was recorded, goes on with what happens, and exports it", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const value of ["11.5", "12", "unavailable", "11"]) await hub.setState("sensor.cellar", value, celsius);
  for (const state of ["on", "off"]) await hub.setState("light.shed", state, { friendly_name: "Shed light" });
  await hub.end();
  await hub.begin(); // what this page has not seen

  const page = await open("/history", { hub });
  await expect(page.getByText("Pick one or more entities")).toBeVisible();
  for (const [text, name] of [["cell", /Cellar/], ["shed li", /Shed light/]] as const) {
    await page.getByRole("combobox", { name: "Entities" }).fill(text);
    await page.getByRole("option", { name }).click();
  }
  await expect(page).toHaveURL(/entity=sensor\.cellar/);
  await expect(page.getByRole("img", { name: "Cellar: from 11 °C to 12 °C, at the end 11 °C" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Shed light: one change, now Off$/ })).toBeVisible();
  await expect(page.getByText(/^Cellar is known since /)).toBeVisible();
  await expect(page.getByText(/^Of /)).toHaveCount(0);

  await hub.setState("sensor.cellar", "10", celsius);
  await expect(page.getByRole("img", { name: "Cellar: from 10 °C to 12 °C, at the end 10 °C" })).toBeVisible();
  await page.getByText("As a table").first().click();
  await expect(page.getByRole("row").filter({ hasText: "Unavailable" })).toHaveCount(1);

  const { head, rows } = await exported(page);
  expect(head).toBe("entity_id,state,last_changed");
  expect(statesOf(rows, "sensor.cellar")).toEqual(["11.5", "12", "unavailable", "11", "10"]);
  expect(statesOf(rows, "light.shed")).toEqual(["on", "off"]);
  const times = rows.map(([, , time]) => Date.parse(time ?? ""));
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  expect(Math.min(...times)).toBeGreaterThan(Date.now() - 300_000);
});

test("a year of a sensor is statistics", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const value of ["10", "20", "15"]) await hub.setState("sensor.cellar", value, celsius);
  const page = await open("about:blank", { hub });
  const sent = listen(page);
  await page.goto("/history?entity=sensor.cellar&span=1y");
  await expect(page.getByRole("img", { name: "Cellar: from 10 °C to 20 °C, at the end 15 °C" })).toBeVisible();
  const { head, rows } = await exported(page);
  expect(head).toBe("entity_id,state,last_changed,min,max");
  expect(rows[0]).toEqual(["sensor.cellar", expect.stringMatching(/^1\d(\.\d+)?$/), expect.any(String), "10", "20"]);
  expect(sent.filter(({ type }) => String(type).startsWith("history/"))).toEqual([]);
  expect(sent.find(({ statistic_ids }) => String(statistic_ids) === "sensor.cellar")).toMatchObject({ period: "day" });
});

test("of what is not recorded the page shows what it has seen, and says so", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "recorder:\n  exclude:\n    entities: light.hall\n" });
  await hub.setState("light.hall", "on", { friendly_name: "Hall light" });
  const page = await open("/history?entity=light.hall", { hub });
  await expect(page.getByText("Of Hall light the hub has recorded nothing in this time.")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Hall light: .*now On$/ })).toBeVisible();
  await hub.setState("light.hall", "off", { friendly_name: "Hall light" });
  await expect(page.getByRole("img", { name: /^Hall light: .*now Off$/ })).toBeVisible();
  await page.goto("/overview?entity=light.hall");
  await expect(dialog(page).getByText("The hub has recorded nothing of it")).toBeVisible();
});

test("of a time before anything was recorded nothing is known", async ({ open }) => {
  const page = await open("/history?entity=light.hall&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z");
  await expect(page.getByText("Of Hall light nothing is known in this time.")).toBeVisible();
  await expect(page.getByRole("img")).toHaveCount(0);
  expect((await exported(page)).rows).toEqual([]);
  await expect(page.getByText("The file is empty")).toBeVisible();
});

test("an id that cannot be one does not hide the others", async ({ open, hub }) => {
  await hub.setState("sensor.cellar", "11.5", celsius);
  const page = await open("/history?entity=sensor.cellar,%3Cb%3E,sensor.no_such");
  await expect(page.getByRole("img", { name: /^Cellar: from / })).toBeVisible();
  await expect(page.getByText("Of <b> nothing is known in this time.")).toBeVisible();
  await expect(page.getByText("Of sensor.no_such nothing is known in this time.")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the dialog of an entity draws its last day", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const value of ["11.5", "12"]) await hub.setState("sensor.cellar", value, celsius);
  await hub.end();
  await hub.begin();
  const page = await open("/overview?entity=sensor.cellar", { hub });
  await expect(dialog(page).getByRole("img", { name: "Cellar: from 11.5 °C to 12 °C, at the end 12 °C" })).toBeVisible();
  await expect(dialog(page).getByText(/^Recorded since /)).toBeVisible();
  await hub.setState("sensor.cellar", "13", celsius);
  await expect(dialog(page).getByRole("img", { name: "Cellar: from 11.5 °C to 13 °C, at the end 13 °C" })).toBeVisible();
});

test("all the curves of the overview are one question", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("about:blank", { hub, height: 3_000 });
  const sent = listen(page);
  await page.goto("/overview");
  await settled(page);
  const curves = page.locator("hearth-sensor-card").locator(curve);
  await expect.poll(() => curves.count()).toBeGreaterThan(5);
  const questions = sent.filter(({ type }) => /^(history|recorder\/statistics)/.test(String(type)));
  expect(questions).toHaveLength(1);
  expect((questions[0]?.statistic_ids as string[]).length).toBeGreaterThanOrEqual(await curves.count());

  // From then on they go on with what is reported, unasked.
  const outdoor = page.locator("hearth-sensor-card").filter({ hasText: "Outdoor temperature" }).locator(curve);
  const before = await outdoor.getAttribute("d");
  const { attributes } = await hub.state("sensor.outdoor_temperature");
  await hub.setState("sensor.outdoor_temperature", "40", attributes);
  await expect(outdoor).not.toHaveAttribute("d", before ?? "");
  expect(sent.filter(({ type }) => /^(history|recorder\/statistics)/.test(String(type)))).toHaveLength(1);
});

test("a card keeps no room for a curve that there is not", async ({ open, hub }) => {
  await hub.setState("sensor.mute", "unknown", { friendly_name: "Mute", unit_of_measurement: "W" });
  await hub.setState("sensor.talking", "3", { friendly_name: "Talking", unit_of_measurement: "W" });
  const page = await open("/overview", { height: 3_000 });
  await expect(page.locator("hearth-sensor-card").filter({ hasText: "Talking" }).locator(curve)).toBeAttached();
  await expect(page.locator("hearth-sensor-card").filter({ hasText: "Mute" }).locator(box)).toHaveCount(0);
  for (const id of ["sensor.mute", "sensor.talking"]) await hub.rest("DELETE", `/api/states/${id}`);
});

test("a span that ends before it begins, or is no time, is refused", async ({ open }) => {
  const page = await open("/history?entity=light.hall");
  await page.getByText("From – to").click();
  await page.getByLabel("From", { exact: true }).fill("2026-11-20 12:00");
  await page.getByLabel("To", { exact: true }).fill("2026-11-20 10:00");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("The end has to be after the beginning")).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2026-02-31 10:00");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText(/Write day and time like \d{4}-\d\d-\d\d \d\d:\d\d/)).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2026-11-20 13:30");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  // The clocks of the home, in Berlin.
  await expect(page).toHaveURL(/from=2026-11-20T11%3A00%3A00\.000Z&to=2026-11-20T12%3A30%3A00\.000Z/);
});

test("times are as the page's language writes them, whatever the browser's is", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/history?entity=light.hall&from=2026-11-20T11:00:00Z&to=2026-11-20T22:30:00Z", { hub, language: "en-US" });
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2026-11-20 12:00");
  await page.goto("/profile");
  await page.getByLabel("Language").selectOption("de");
  await page.goto("/history?entity=light.hall&from=2026-11-20T11:00:00Z&to=2026-11-20T22:30:00Z");
  await expect(page.getByLabel("Bis", { exact: true })).toHaveValue("20.11.2026, 23:30");
  await page.getByLabel("Von", { exact: true }).fill("20.11.2026 21:00");
  await page.getByRole("button", { name: "Anzeigen", exact: true }).click();
  await expect(page).toHaveURL(/from=2026-11-20T20%3A00/);
  await page.goto("/overview?entity=light.hall");
  await expect(dialog(page).getByText(/\d\d:\d\d:\d\d/).first()).toBeVisible();
  await expect(dialog(page).getByText(/\b[AP]M\b/)).toHaveCount(0);
});
