// SPDX-License-Identifier: Apache-2.0
// What a card shows at a glance: that it is on, that something is wrong, that it can do nothing, that it may be stale.
import type { Locator, Page } from "@playwright/test";

import type { Curve } from "../../../web/src/api/recent_values";
import { pathsOf, periodsOf, recordedLength, type Period } from "../../../web/src/cards/sparkline";
import { expect, test } from "../fixtures";
import { toggle } from "../pages";

const tall = { height: 3_000 };
const cardOf = (page: Page, name: string): Locator => page.locator(".tile").filter({ has: page.getByRole("link", { name, exact: true }) });

interface Look {
  tile: string;
  sign: string;
  border: string;
}

function look(card: Locator): Promise<Look> {
  return card.evaluate((tile) => ({
    tile: getComputedStyle(tile).backgroundColor,
    sign: getComputedStyle(tile.querySelector(".sign") as Element).backgroundColor,
    border: getComputedStyle(tile).borderColor,
  }));
}

// How different two colours are, from 0 to 1, in the screen's own numbers.
async function difference(page: Page, one: string, other: string): Promise<number> {
  return page.evaluate(
    ([a, b]) => {
      const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
        willReadFrequently: true,
      }) as CanvasRenderingContext2D;
      const parts = (colour: string) => {
        context.fillStyle = "#000";
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const [first, second] = [parts(a), parts(b)];
      return Math.max(...first.map((part, index) => Math.abs(part - (second[index] as number)))) / 255;
    },
    [one, other] as const,
  );
}

for (const theme of ["light", "dark"] as const) {
  test(`a white lamp that is on glows in the ${theme} theme`, async ({ open, startHub }) => {
    const hub = await startHub();
    const white = { friendly_name: "White lamp", supported_color_modes: ["rgb"], rgb_color: [255, 255, 255], brightness: 255 };
    await hub.setState("light.white", "on", white);
    await hub.setState("light.dark", "off", { friendly_name: "Dark lamp", supported_color_modes: ["rgb"] });
    const page = await open("/overview?view=list", { ...tall, hub, theme });
    const on = await look(cardOf(page, "White lamp"));
    const off = await look(cardOf(page, "Dark lamp"));
    expect(await difference(page, on.sign, off.sign)).toBeGreaterThan(0.4);
    expect(await difference(page, on.tile, off.tile)).toBeGreaterThan(0.04);
    expect(await difference(page, on.sign, on.tile)).toBeGreaterThan(0.3);
  });
}

test("what is dangerous stands out by colour, icon and words", async ({ open, startHub }) => {
  const hub = await startHub();
  const set = (id: string, state: string, device_class: string, name: string) =>
    hub.setState(id, state, { device_class, friendly_name: name });
  await set("binary_sensor.smoke", "on", "smoke", "Attic smoke");
  await set("binary_sensor.leak", "on", "moisture", "Cellar leak");
  await set("binary_sensor.window", "on", "window", "Attic window");
  await set("sensor.low", "11", "battery", "Remote battery");
  await set("sensor.full", "90", "battery", "Key battery");
  await hub.setState("lock.jammed", "jammed", { friendly_name: "Cellar lock" });
  const page = await open("/overview?view=list", { ...tall, hub });
  for (const [name, alert] of Object.entries({
    "Attic smoke": "danger",
    "Cellar leak": "danger",
    "Cellar lock": "danger",
    "Remote battery": "warning",
    "Attic window": "",
    "Key battery": "",
  })) {
    const card = cardOf(page, name);
    await expect(card).toBeVisible();
    await expect(card.locator(".state hearth-icon"), name).toHaveCount(alert ? 1 : 0);
    if (alert) await expect(card, name).toHaveClass(new RegExp(`\\b${alert}\\b`));
    else await expect(card, name).not.toHaveClass(/danger|warning/);
  }
  const [smoke, window, full] = [
    await look(cardOf(page, "Attic smoke")),
    await look(cardOf(page, "Attic window")),
    await look(cardOf(page, "Key battery")),
  ];
  expect(await difference(page, smoke.sign, window.sign)).toBeGreaterThan(0.3);
  expect(await difference(page, smoke.border, full.border)).toBeGreaterThan(0.2);
  await set("binary_sensor.smoke", "off", "smoke", "Attic smoke");
  await expect(cardOf(page, "Attic smoke")).not.toHaveClass(/danger/);
});

test("the level of a card and its switch are seen if colours are forced", async ({ open, hub }) => {
  await hub.call("light", "turn_on", { entity_id: "light.bedroom", brightness_pct: 50 });
  const page = await open("/overview?entity=light.bedroom", tall);
  await page.emulateMedia({ forcedColors: "active" });
  const card = page.locator("hearth-light-card[detailed] hearth-slider").first();
  await expect(card).toBeVisible();
  // Half of the track has another colour than the rest, as the browser paints it.
  const { x, y, width, height } = (await card.boundingBox()) as { x: number; y: number; width: number; height: number };
  const strip = { x, y: y + height / 2, width, height: 1 };
  const picture = (await page.screenshot({ clip: strip })).toString("base64");
  const colours = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: 1 }).getContext("2d", {
      willReadFrequently: true,
    }) as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    return [0.25, 0.75].map((share) => [...context.getImageData(Math.round(image.width * share), 0, 1, 1).data].join(" "));
  }, picture);
  expect(colours.length).toBe(2);
  expect(colours[0]).not.toBe(colours[1]);
});

test("a home that is not reached looks so, and nothing jumps", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket connection to .* failed|assets\/icons/, false);
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await expect(toggle(page, "Hall light")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const look = () =>
    page.getByRole("main").evaluate((main) => ({ y: main.getBoundingClientRect().y, opacity: Number(getComputedStyle(main).opacity) }));
  const before = await look();
  expect(before.opacity).toBe(1);
  await hub.end();
  await expect(page.getByRole("alert").filter({ hasText: "connection to the hub is lost" })).toBeVisible();
  const lost = await look();
  expect(lost.y).toBe(before.y);
  expect(lost.opacity).toBeLessThan(0.8);
  await hub.begin();
  await expect.poll(async () => (await look()).opacity, { timeout: 30_000 }).toBe(1);
});

// A signal that goes up and down within each period, reported each ten seconds until `now`.
function signal(now: number): Curve {
  const times = Array.from({ length: 1080 }, (_, index) => now - 10_800 + (index + 1) * 10);
  return { times, values: times.map((time) => 20 + 3 * Math.sin(time / 40) + Math.sin(time / 2_000)) };
}

function recordedOf({ times, values }: Curve, until: number): Period[] {
  const periods = new Map<number, number[]>();
  times.forEach((time, index) => {
    const end = Math.ceil(time / recordedLength) * recordedLength;
    if (end <= until) periods.set(end, [...(periods.get(end) ?? []), values[index] as number]);
  });
  return [...periods].map(([end, within]) => {
    const mean = within.reduce((sum, value) => sum + value, 0) / within.length;
    return { end, low: Math.min(...within), mean, high: Math.max(...within) };
  });
}

test("a small curve is the same whether the hub recorded it or the page saw it", () => {
  const now = Math.ceil(Date.now() / 1000 / recordedLength) * recordedLength;
  const seen = signal(now);
  const recorded = periodsOf(recordedOf(seen, now), { times: [], values: [] }, now);
  const half = now - 5_400;
  const from = seen.times.findIndex((time) => time > half);
  const live = { times: seen.times.slice(from), values: seen.values.slice(from) };
  const mixed = periodsOf(recordedOf(seen, half), live, now);
  expect(recorded.length).toBeGreaterThan(30);
  expect(mixed.length).toBe(recorded.length);
  mixed.forEach((period, index) => {
    for (const part of ["end", "low", "mean", "high"] as const) expect(period[part]).toBeCloseTo((recorded[index] as Period)[part], 6);
  });
  expect(pathsOf(mixed)).toEqual(pathsOf(recorded));
  expect(pathsOf(recorded.map((period) => ({ ...period, low: 5, mean: 5, high: 5 })))).toEqual({ band: "", line: "" }); // nothing changes
});
