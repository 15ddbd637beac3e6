// SPDX-License-Identifier: Apache-2.0
// The card of the weather: what it is in words, and its forecast, which is asked for now and then.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test, type Given } from "../fixtures";
import type { Hub } from "../hub";
import { dialog, notices } from "../pages";

const id = "weather.home";

const card = (page: Page): Locator => page.locator("hearth-weather-card");
const forecast = (place: Page | Locator): Locator => place.getByRole("list", { name: "Forecast" }).getByRole("listitem");

async function is(hub: Hub, state: string, attributes: Record<string, unknown> = {}): Promise<void> {
  const { attributes: own } = await hub.state(id);
  await hub.setState(id, state, { ...own, ...attributes });
}

async function look(open: Given["open"], wanted: Parameters<Given["open"]>[1]): Promise<Page> {
  const page = await open("/overview?view=list", wanted);
  await page.getByRole("searchbox").fill(id);
  await expect(card(page)).toBeVisible();
  return page;
}

test("the weather is said in words, with its measures and the next days", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await look(open, { hub, width: 360, height: 740, touch: true });
  await expect(forecast(card(page))).toHaveCount(5);
  await expect(forecast(card(page)).first()).toContainText("Today");
  for (const day of await forecast(card(page)).all()) {
    await expect(day).toContainText(/(Sunny|Cloudy|Partly cloudy|Rain|Heavy rain|Snow|Windy|Pouring)/); // what its icon is
    await expect(day).toContainText(/-?\d+°/);
  }
  await is(hub, "snowy-rainy", { temperature: -3.2, humidity: 81, wind_speed: 22, wind_bearing: 225 });
  await expect(card(page)).toContainText("Sleet");
  await expect(card(page)).toContainText("-3.2 °C");
  await expect(card(page)).toContainText("81%");
  await expect(card(page)).toContainText("22 km/h SW");
});

test("a forecast is asked for when the card appears, and when its entity changes, but not often", async ({ open, startHub }) => {
  const hub = await startHub();
  const all = await calls(hub, true);
  const asked = () => all.filter(({ service }) => service === "weather.get_forecasts");
  const page = await look(open, { hub });
  await expect(forecast(card(page))).toHaveCount(5);
  expect(asked()).toEqual([{ service: "weather.get_forecasts", data: { type: "daily", entity_id: id } }]);
  await is(hub, "fog");
  await expect(card(page)).toContainText("Fog");
  await page.goto("/overview?view=list");
  await expect(forecast(card(page))).toHaveCount(5);
  const before = asked().length;
  expect(before).toBeLessThanOrEqual(2); // once for each time that the page was loaded
  await is(hub, "hail");
  await expect(card(page)).toContainText("Hail");
  expect(asked().length).toBe(before);
  await page.clock.setFixedTime(Date.now() + 6 * 60_000);
  await is(hub, "windy");
  await expect.poll(() => asked().length).toBe(before + 1);
  await is(hub, "sunny");
  await expect(card(page)).toContainText("Sunny");
  expect(asked().length).toBe(before + 1);
});

test("the dialog has all days, or the next hours", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open(`/overview?entity=${id}`, { hub });
  const rows = forecast(dialog(page));
  await expect(rows.first()).toContainText("Today");
  expect(await rows.count()).toBeGreaterThan(5);
  await dialog(page).getByRole("radio", { name: "Hours" }).check();
  await expect(rows.first()).toContainText(/\d\d?:\d\d/);
  expect(await rows.count()).toBeGreaterThan(12);
  await dialog(page).getByRole("radio", { name: "Days" }).check();
  await expect(rows.first()).toContainText("Today");
});

test("halves of days make days, and hours are shown where there are no days", async ({ open, startHub }) => {
  const hub = await startHub();
  await is(hub, "cloudy", { supported_features: 4 });
  const page = await open("about:blank", { hub });
  const half = (hours: number, is_daytime: boolean, temperature: number) => {
    const datetime = new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();
    return { datetime, condition: is_daytime ? "sunny" : "clear-night", temperature, is_daytime };
  };
  // Of a night first, as in the evening.
  const halves = [half(0, false, 3), half(24, true, 18), half(36, false, 7), half(48, true, 19), half(60, false, 8)];
  await page.routeWebSocket(/\/api\/websocket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const messages = [JSON.parse(String(text))].flat();
      for (const { result } of messages) if (result?.response?.[id]) result.response[id].forecast = halves;
      socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
    });
  });
  await page.goto("/overview?view=list");
  await page.getByRole("searchbox").fill(id);
  const texts = () =>
    forecast(card(page))
      .allInnerTexts()
      .then((days) => days.map((day) => day.replace(/\s+/g, " ").trim()));
  await expect(forecast(card(page))).toHaveCount(3);
  expect(await texts()).toEqual(["Today Clear night 3°", expect.stringMatching(/Sunny 18° 7°$/), expect.stringMatching(/Sunny 19° 8°$/)]);
  await is(hub, "cloudy", { supported_features: 2 });
  await expect(forecast(card(page)).first()).toContainText(/\d\d?:\d\d/);
});

test("what has no forecast says so, or nothing if it never has one", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("weather.dream", "sunny", { friendly_name: "Dream weather", supported_features: 1, temperature: 21 });
  const page = await open("/overview?view=list", { hub });
  await page.getByRole("searchbox").fill("Dream weather");
  await expect(card(page)).toContainText("There is no forecast now.");
  await hub.setState("weather.dream", "sunny", { friendly_name: "Dream weather", temperature: 21 });
  await expect(card(page)).not.toContainText("forecast");
  await expect(card(page)).toContainText("21 °C");
});

test("a display on the wall has the forecast, too", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await look(open, { hub, user: "display" });
  await expect(forecast(card(page))).toHaveCount(5);
  await expect(notices(page).locator("section > div")).toHaveCount(0);
});

test("the weather is German for who speaks it", async ({ open, startHub }) => {
  const hub = await startHub();
  await is(hub, "lightning-rainy", { wind_bearing: 90, wind_speed: 8 });
  const page = await look(open, { hub, language: "de-DE" });
  await expect(card(page)).toContainText("Gewitter mit Regen");
  await expect(card(page)).toContainText("8 km/h O");
  await expect(page.getByRole("list", { name: "Vorhersage" }).getByRole("listitem").first()).toContainText("Heute");
});
