// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import type { Locator, Page, WebSocket } from "@playwright/test";

import { expect, test } from "../fixtures";
import { repository } from "../hub";
import { dialog, settled } from "../pages";

const celsius = { friendly_name: "Cellar", unit_of_measurement: "°C", device_class: "temperature", state_class: "measurement" };

// What the page exports, line by line, without the first; and that.
async function exported(page: Page): Promise<{ head: string; rows: string[][] }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/);
  const [head = "", ...rows] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  return { head, rows: rows.map((row) => row.split(",")) };
}

const statesOf = (rows: string[][], id: string) => rows.filter(([entity]) => entity === id).map(([, , state]) => state);

// The room that a plot draws in, left and right, in pixels of the page.
async function edges(plot: Locator): Promise<[number, number]> {
  const box = await plot.locator(".u-over").boundingBox();
  if (!box) throw new Error("a plot is not there");
  return [Math.round(box.x), Math.round(box.x + box.width)];
}

const curves = (page: Page) => page.locator("hearth-curve");
const bands = (page: Page) => page.locator("hearth-bands");

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
  for (const [text, name] of [
    ["cell", /Cellar/],
    ["shed li", /Shed light/],
  ] as const) {
    await page.getByRole("combobox", { name: "Entities" }).fill(text);
    await page.getByRole("option", { name }).click();
  }
  await expect(page).toHaveURL(/entity=sensor\.cellar/);
  await expect(page.getByRole("img", { name: "Cellar: from 11 °C to 12 °C, at the end 11 °C" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Shed light: one change, now Off$/ })).toBeVisible();
  await expect(page.getByText(/^Cellar and Shed light are known since /)).toHaveCount(1); // one sentence for both
  await expect(page.getByText(/^Of /)).toHaveCount(0);

  await hub.setState("sensor.cellar", "10", celsius);
  await expect(page.getByRole("img", { name: "Cellar: from 10 °C to 12 °C, at the end 10 °C" })).toBeVisible();
  await page.getByText("As a table").first().click();
  await expect(page.getByRole("row").filter({ hasText: "Unavailable" })).toHaveCount(1);

  const { head, rows } = await exported(page);
  expect(head).toBe("entity_id,name,state,unit,time,last_changed");
  expect(rows[0]?.slice(0, 4)).toEqual(["sensor.cellar", "Cellar", "11.5", "°C"]);
  await expect(page.getByText(/^The download of history-.*\.csv has begun\.$/)).toBeVisible();
  expect(statesOf(rows, "sensor.cellar")).toEqual(["11.5", "12", "unavailable", "11", "10"]);
  expect(statesOf(rows, "light.shed")).toEqual(["on", "off"]);
  const times = rows.map(([, , , , , time]) => Date.parse(time ?? ""));
  // By the clocks of the home, in Berlin.
  const clock = (seconds: number) => new Date(seconds).toLocaleString("sv", { timeZone: "Europe/Berlin" });
  expect(rows.map(([, , , , time]) => time)).toEqual(times.map(clock));
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
  expect(head).toBe("entity_id,name,state,unit,time,last_changed,min,max");
  const day = [expect.any(String), expect.any(String)];
  expect(rows[0]).toEqual(["sensor.cellar", "Cellar", expect.stringMatching(/^1\d(\.\d+)?$/), "°C", ...day, "10", "20"]);
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
  await expect(page.getByText("Of <b> and sensor.no_such nothing is known in this time.")).toBeVisible();
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

test("the curves of the overview are few questions", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("about:blank", { hub, height: 3_000 });
  const sent = listen(page);
  const questions = () => sent.filter(({ type }) => /^(history|recorder\/statistics)/.test(String(type)));
  const asked = () => questions().flatMap(({ statistic_ids }) => statistic_ids as string[]);
  await page.goto("/overview?view=list");
  await settled(page);
  await expect.poll(() => asked().length).toBeGreaterThan(12);
  expect(questions().length).toBeLessThanOrEqual(2); // what the page begins with, and the rest
  expect(new Set(asked()).size).toBe(asked().length);

  // From then on they go on with what is reported, unasked.
  const outdoor = page.locator("hearth-sensor-card").filter({ hasText: "Outdoor temperature" }).locator("path.line");
  const { attributes } = await hub.state("sensor.outdoor_temperature");
  const report = (value: string) => hub.setState("sensor.outdoor_temperature", value, attributes);
  await report("40");
  await expect(outdoor).toBeAttached();
  const before = (await outdoor.getAttribute("d")) ?? "";
  await report("20");
  await expect(outdoor).not.toHaveAttribute("d", before);
  expect(questions().length).toBeLessThanOrEqual(2);
});

test("a card has a curve once its value changes, and keeps no room for one that there is not", async ({ open, hub }) => {
  const set = (id: string, state: string, name: string) => hub.setState(id, state, { friendly_name: name, unit_of_measurement: "W" });
  await set("sensor.mute", "unknown", "Mute");
  await set("sensor.talking", "3", "Talking");
  const page = await open("/overview?view=list", { height: 3_000 });
  const box = (name: string) => page.locator("hearth-sensor-card").filter({ hasText: name }).locator(".head > svg");
  await expect(page.locator("hearth-sensor-card").filter({ hasText: "Talking" })).toBeVisible();
  await expect(box("Talking")).toHaveCount(0);
  await set("sensor.talking", "4", "Talking");
  await expect(box("Talking").locator("path.line")).toBeAttached();
  await expect(box("Mute")).toHaveCount(0);
  for (const id of ["sensor.mute", "sensor.talking"]) await hub.rest("DELETE", `/api/states/${id}`);
});

test("a span that ends before it begins, or is no time, is refused", async ({ open }) => {
  const page = await open("/history?entity=light.hall");
  await page.locator("hearth-segments").getByText("From – to").click();
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
  await expect(
    dialog(page)
      .getByText(/\d\d:\d\d:\d\d/)
      .first(),
  ).toBeVisible();
  await expect(dialog(page).getByText(/\b[AP]M\b/)).toHaveCount(0);
});

test("the plots have one axis of time, and one cross-hair with the values beside it", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const value of ["11.5", "12"]) await hub.setState("sensor.cellar", value, celsius);
  for (const value of ["100250", "120"]) await hub.setState("sensor.power", value, { friendly_name: "Power", unit_of_measurement: "W" });
  for (const state of ["on", "off"]) await hub.setState("light.shed", state, { friendly_name: "Shed light" });
  const page = await open("/history?entity=sensor.cellar,sensor.power,light.shed&span=1h", { hub, height: 1400 });
  await expect(curves(page)).toHaveCount(2);
  await expect(bands(page).locator(".u-over")).toBeVisible();
  await expect(curves(page).nth(1).locator(".u-over")).toBeVisible();
  const first = await edges(curves(page).nth(0));
  expect(await edges(curves(page).nth(1))).toEqual(first);
  expect(await edges(bands(page))).toEqual(first);

  const [left, right] = first;
  const place = await curves(page).nth(0).locator(".u-over").boundingBox();
  await page.mouse.move(right - 1, (place?.y ?? 0) + 40);
  const tips = page.locator(".tip");
  await expect(tips).toHaveCount(3);
  await expect(tips.nth(0)).toContainText("Cellar 12 °C");
  await expect(tips.nth(1)).toContainText("Power 120 W");
  await expect(tips.nth(2)).toContainText("Shed light Off");
  await page.mouse.move(left + 5, (place?.y ?? 0) + 40);
  await expect(tips.nth(0)).toContainText("Cellar –");
  await page.mouse.move(0, 0);
  await expect(tips).toHaveCount(0);
});

test("a drag zooms in; earlier, later and zoom out go on from there", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const value of ["11.5", "12"]) await hub.setState("sensor.cellar", value, celsius);
  const page = await open("/history?entity=sensor.cellar&span=24h", { hub });
  const over = curves(page).locator(".u-over");
  await expect(over).toBeVisible();
  await expect(page.getByRole("button", { name: "Later" })).toBeDisabled();
  const box = await over.boundingBox();
  if (!box) throw new Error("no plot");
  const at = (part: number) => box.x + box.width * part;
  await page.mouse.move(at(0.5), box.y + 30);
  await page.mouse.down();
  await page.mouse.move(at(0.6), box.y + 60, { steps: 4 });
  await page.mouse.move(at(0.75), box.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=/);
  const shown = () => {
    const parameters = new URL(page.url()).searchParams;
    return ["from", "to"].map((name) => Date.parse(parameters.get(name) ?? "") / 1000) as [number, number];
  };
  const [from, to] = shown();
  expect(Math.abs(to - from - 6 * 3600)).toBeLessThan(300);
  expect(Math.abs(Date.now() / 1000 - 12 * 3600 - from)).toBeLessThan(300);
  await page.getByRole("button", { name: "Earlier" }).click();
  await expect.poll(shown).not.toEqual([from, to]);
  expect(Math.abs(shown()[1] - from)).toBeLessThan(5);
  await page.getByRole("button", { name: "Later" }).click();
  await expect.poll(() => Math.abs(shown()[0] - from)).toBeLessThan(5);
  await page.getByRole("button", { name: "Zoom out" }).click();
  await expect.poll(() => Math.abs(shown()[1] - shown()[0] - 12 * 3600)).toBeLessThan(600);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/span=24h/);
});

test("heating, blinds and lights have curves of their numbers", async ({ open, startHub }) => {
  const hub = await startHub();
  const heat = (current: number, target: number) => ({
    friendly_name: "Cellar heating",
    current_temperature: current,
    temperature: target,
  });
  await hub.setState("climate.cellar", "heat", heat(18, 21));
  await hub.setState("climate.cellar", "heat", heat(19.5, 21));
  await hub.setState("light.shed", "on", { friendly_name: "Shed light", brightness: 255 });
  await hub.setState("light.shed", "on", { friendly_name: "Shed light", brightness: 51 });
  await hub.setState("cover.shed", "open", { friendly_name: "Shed blind", current_position: 40 });
  const page = await open("/history?entity=climate.cellar,light.shed,cover.shed&span=1h", { hub, height: 1600 });
  const temperatures = page.getByRole("img", { name: /Cellar heating: temperature: from 18 °C to 19.5 °C, at the end 19.5 °C/ });
  await expect(temperatures).toBeVisible();
  await expect(temperatures).toHaveAttribute("aria-label", /Cellar heating: target temperature: from 21 °C to 21 °C/);
  await expect(
    page.getByRole("img", { name: /Shed light: brightness: from 20 % to 100 %, at the end 20 %.*Shed blind: position/ }),
  ).toBeVisible();
  await hub.setState("climate.cellar", "heat", heat(20, 21));
  await expect(page.getByRole("img", { name: /Cellar heating: temperature: from 18 °C to 20 °C, at the end 20 °C/ })).toBeVisible();
  const { rows } = await exported(page);
  expect(rows.filter(([, name]) => name === "Shed light: brightness").map(([, , state, unit]) => `${state} ${unit}`)).toEqual([
    "100 %",
    "20 %",
  ]);
});

test("the picker closes after a choice, and opens again to type", async ({ open }) => {
  const page = await open("/history");
  const box = page.getByRole("combobox", { name: "Entities" });
  await box.fill("hall li");
  await page
    .getByRole("option", { name: /Hall light/ })
    .first()
    .click();
  await expect(page.getByRole("listbox")).toBeHidden();
  await box.fill("garden pu");
  await page
    .getByRole("option", { name: /Garden pump/ })
    .first()
    .click();
  await expect(page.getByRole("listbox")).toBeHidden();
  await expect(page).toHaveURL(/entity=light\.hall%2Cswitch\.garden_pump/);
});

test("what was looked at last is offered again, and rooms", async ({ open }) => {
  const page = await open("/history?entity=light.hall,switch.garden_pump&span=6h");
  await expect(page.getByRole("img").first()).toBeVisible();
  await page.goto("/history");
  await page.getByRole("button", { name: "Hall light, Garden pump" }).click();
  await expect(page).toHaveURL(/span=6h/);
  await expect(page).toHaveURL(/entity=light\.hall%2Cswitch\.garden_pump/);
  await page.goto("/history");
  await page.getByRole("button", { name: "Kitchen", exact: true }).click();
  await expect(page).toHaveURL(/light\.kitchen/);
  await expect(page.getByRole("img").first()).toBeVisible();
});

test("the dialog of an entity leads to its history and to its settings", async ({ open }) => {
  const page = await open("/overview?entity=light.hall");
  await dialog(page).getByRole("link", { name: "Open in History" }).click();
  await expect(page).toHaveURL(/\/history\?entity=light\.hall&span=24h/);
  await expect(page.getByRole("img", { name: /^Hall light: / })).toBeVisible();
  await page.goto("/overview?entity=light.hall");
  await dialog(page).getByRole("link", { name: "Edit entity" }).click();
  await expect(page).toHaveURL(/\/settings\/areas/);
  await expect(dialog(page).getByLabel("Entity ID")).toHaveValue("light.hall");
  const guest = await open("/overview?entity=light.hall", { user: "ben" });
  await expect(dialog(guest).getByRole("link", { name: "Open in History" })).toBeVisible();
  await expect(dialog(guest).getByRole("link", { name: "Edit entity" })).toHaveCount(0);
});

test("the logbook tells who did what, goes on as it happens, and is of a room if one is chosen", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  const page = await open("/history?view=logbook&span=1h", { hub });
  const entries = page.getByRole("listitem");
  await expect(entries.filter({ hasText: "Garden pump On" }).first()).toContainText("ann (you)");
  await expect(entries.filter({ hasText: "Hearth started" })).toHaveCount(1);
  await hub.call("light", "toggle", { entity_id: "light.kitchen" });
  await expect(entries.first()).toContainText(/Kitchen/);
  await expect(entries.first()).toContainText("ann (you)");
  await page.getByRole("combobox", { name: "Room" }).selectOption({ label: "Kitchen" });
  await expect(page).toHaveURL(/area=kitchen/);
  await expect(entries.filter({ hasText: "Garden pump" })).toHaveCount(0);
  await expect(entries.filter({ hasText: /Kitchen/ }).first()).toBeVisible();
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await hub.call("light", "toggle", { entity_id: "light.kitchen" });
  await expect(entries.first()).toContainText(/Kitchen/);
  await expect(entries.filter({ hasText: "Garden pump" })).toHaveCount(0);
  await entries.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/history\?entity=light\.kitchen/);
});

test("the logbook is of a certain day, and of one person", async ({ open, startHub }) => {
  const hub = await startHub();
  // Ben's token is a new one, which counts within a second.
  await expect(() => hub.rest("POST", "/api/services/light/toggle", { entity_id: "light.kitchen" }, "ben")).toPass();
  await hub.call("light", "toggle", { entity_id: "light.hall" });
  const page = await open("/history?view=logbook", { hub });
  const entries = page.getByRole("listitem");
  const [of_ann, of_ben] = [
    entries.filter({ hasText: "Hall light" }).filter({ hasText: "ann (you)" }),
    entries.filter({ hasText: "Kitchen light" }).filter({ hasText: "ben" }),
  ];
  await expect(of_ann).toHaveCount(1);
  await expect(of_ben).toHaveCount(1);
  await page.getByRole("combobox", { name: "Person" }).selectOption({ label: "ben" });
  await expect(of_ben).toHaveCount(1);
  await expect(entries).toHaveCount(1);
  // It stays so after a reload, on another day there is nothing, and on this one it is there again.
  await page.reload();
  await expect(of_ben).toHaveCount(1);
  const day = page.getByLabel("Day", { exact: true });
  const dayOf = (time: number) => new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" }).format(time);
  await day.fill(dayOf(Date.now() - 48 * 3600_000));
  await expect(entries).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(0);
  await day.fill(dayOf(Date.now()));
  await expect(of_ben).toHaveCount(1);
  await page.getByRole("combobox", { name: "Person" }).selectOption({ index: 0 });
  await expect(of_ann).toHaveCount(1);
});

for (const theme of ["light", "dark"] as const) {
  for (const width of [360, 1280, 2560]) {
    const when = width > 360 || theme === "dark" ? " @all" : "";
    test(`charts and logbook fit ${width} pixels in the ${theme} theme${when}`, async ({ open, hub }) => {
      await hub.setState("climate.cellar", "heat", { friendly_name: "Cellar heating", current_temperature: 18, temperature: 21 });
      const page = await open("/history?entity=sensor.living_room_temperature,climate.living_room,light.hall&span=1h", { theme, width });
      await expect(page.locator("canvas").first()).toBeVisible();
      await settled(page);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `${repository}/build/screenshots/history-charts-${theme}-${width}.png`, fullPage: true });
      await page.goto("/history?view=logbook&span=1h");
      await expect(page.getByRole("listitem").first()).toBeVisible();
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `${repository}/build/screenshots/history-logbook-${theme}-${width}.png`, fullPage: true });
    });
  }
}

for (const width of [360, 1280])
  test(`plots are drawn for the paper, from a window ${width} px wide`, async ({ open, startHub }) => {
    const hub = await startHub();
    for (const value of ["11.5", "12", "11"]) await hub.setState("sensor.cellar", value, celsius);
    for (const state of ["on", "off"]) await hub.setState("light.shed", state, { friendly_name: "Shed light" });
    const page = await open("/history?entity=sensor.cellar,light.shed", { hub, width, height: 900 });
    const canvases = page.locator("hearth-curve canvas, hearth-bands canvas");
    await expect(canvases).toHaveCount(2);
    // How wide each is drawn, and where it stands beside what it stands in and the window.
    const measured = () =>
      canvases.evaluateAll((all) =>
        (all as HTMLCanvasElement[]).map((canvas) => {
          const [box, frame] = [canvas.getBoundingClientRect(), canvas.closest(".frame")!.getBoundingClientRect()];
          return {
            drawn: canvas.width / devicePixelRatio,
            isWhole: box.right <= Math.min(frame.right, innerWidth) + 1 && box.left >= 0 && box.bottom <= frame.bottom + 1,
            stretched: Math.round((100 * (box.width / box.height)) / (canvas.width / canvas.height)),
            enlarged: Math.round((100 * box.width) / (canvas.width / devicePixelRatio)),
          };
        }),
      );
    const onScreen = await measured();
    for (const each of onScreen) expect(each).toMatchObject({ isWhole: true, stretched: 100, enlarged: 100 });

    // What the browser itself does when it prints.
    await page.evaluate(() => {
      const kept = window as unknown as { printed: number[] };
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
      window.addEventListener("beforeprint", () => {
        kept.printed = all(document).flatMap((element) => (element instanceof HTMLCanvasElement ? [element.width / devicePixelRatio] : []));
      });
    });
    await page.pdf({ path: `../../build/screenshots/history-print-${width}.pdf`, format: "A4" });
    expect(await page.evaluate(() => (window as unknown as { printed: number[] }).printed)).toEqual([680, 680]);
    await expect.poll(measured).toEqual(onScreen);

    // A4 between its margins.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    // What was chosen is said instead of what chooses.
    for (const chooser of await page.locator("hearth-picker, hearth-segments, .controls").all()) await expect(chooser).toBeHidden();
    await expect(page.locator(".printed")).toHaveText(/\d+:\d\d – .*\d+:\d\d$/);
    await page.screenshot({ path: `../../build/screenshots/history-print-${width}.png`, fullPage: true });
    for (const { drawn, isWhole, stretched, enlarged } of await measured()) {
      expect({ drawn, isWhole, stretched }).toEqual({ drawn: 680, isWhole: true, stretched: 100 });
      expect(enlarged).toBeGreaterThan(90);
      expect(enlarged).toBeLessThan(110);
    }
  });

test("rooms are offered in the home's order, with their icons", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/history", { hub });
  const offered = page.locator("hearth-history-offers button");
  await expect(offered.filter({ hasText: "Kitchen" })).toBeVisible();
  const inOrder = ["Living room", "Kitchen", "Hall", "Garden", "Garage", "Bedroom", "Bathroom", "Office", "Guest room"];
  await expect(offered).toHaveText(inOrder);
  await expect(offered.locator("hearth-icon svg path")).toHaveCount(inOrder.length);
});
