// SPDX-License-Identifier: Apache-2.0
// The overview does not jump: it is as high as it will be before its cards are drawn, and nothing moves that is there.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { settled, toggle } from "../pages";

// Adds up what the browser counts as shifts, from the page's beginning.
async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const noted = globalThis as { shifted?: number };
    noted.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.shifted = (noted.shifted ?? 0) + (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (globalThis as { shifted?: number }).shifted ?? -1);
}

for (const [width, view] of [
  [360, "rooms"],
  [1280, "list"],
] as const) {
  test(`nothing jumps while the overview is loaded at ${width} pixels, as ${view}`, async ({ open }) => {
    const page = await open("about:blank", { width, height: width === 360 ? 740 : 800, touch: width === 360 });
    const shifts = await countShifts(page);
    await page.goto(`/overview?view=${view}`);
    await expect(toggle(page, "Kitchen light")).toBeAttached();
    await settled(page);
    await page.waitForLoadState("networkidle"); // icons and pictures come last
    await page.waitForTimeout(1_000); // and the curves, lists and forecasts
    const sum = await shifts();
    console.log(`layout shift at ${width} pixels: ${sum.toFixed(3)}`);
    expect(sum).toBeGreaterThanOrEqual(0);
    expect(sum).toBeLessThan(0.1);
  });
}

// So many of each kind more, without a room.
async function fill(hub: Hub, amount: number): Promise<void> {
  const kinds = ["sensor", "switch", "light", "binary_sensor", "cover", "lock", "fan", "select", "climate", "media_player"];
  const states: Record<string, string> = { sensor: "5", cover: "open", lock: "locked", select: "a", climate: "heat", media_player: "idle" };
  const write = async (from: number) => {
    for (let i = from; i < amount; i += 8) {
      const kind = kinds[i % (amount > 1000 ? 5 : kinds.length)] as string;
      const attributes = {
        friendly_name: `Thing ${i}`,
        options: ["a", "b"],
        hvac_modes: ["heat", "off"],
        temperature: 20,
        supported_features: 1,
      };
      await hub.setState(`${kind}.thing_${i}`, states[kind] ?? "off", attributes);
    }
  };
  hub.token("ann");
  await Promise.all(Array.from({ length: 8 }, (_, from) => write(from)));
}

for (const amount of [300, 10_000]) {
  for (const width of [360, 1280]) {
    const when = amount > 1000 ? " @all" : "";
    test(`the scroll bar tells the truth with ${amount} entities in one room at ${width} pixels${when}`, async ({ open, startHub }) => {
      test.setTimeout(180_000);
      const hub = await startHub();
      await fill(hub, amount);
      const page = await open("/overview?area=", { hub, width, height: 800 });
      await settled(page);
      await expect(page.locator("hearth-card-flow").first()).toBeAttached();
      const height = () => page.evaluate(() => document.documentElement.scrollHeight);
      const first = await height();
      const heights: number[] = [];
      const stops = amount > 1000 ? 12 : 30;
      for (let i = 1; i <= stops; i++) {
        await page.evaluate((share) => window.scrollTo(0, document.documentElement.scrollHeight * share), i / stops);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        heights.push(await height());
      }
      const off = Math.max(...heights.map((other) => Math.abs(other - first) / first));
      console.log(`${amount} entities at ${width} pixels: ${first} px, at most ${(off * 100).toFixed(2)} % off`);
      expect(first).toBeGreaterThan(amount * 10);
      expect(off).toBeLessThan(0.05);
    });
  }
}
