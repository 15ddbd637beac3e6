// SPDX-License-Identifier: Apache-2.0
// A home of 10,000 entities.
import type { Page } from "@playwright/test";

import { expect, test as base } from "./fixtures";
import { Hub } from "./hub";
import { count, navigation } from "./pages";

const amount = 10_000;
// What the first view may take until it answers, in milliseconds; the best of three, as the machine may be busy with other tests.
const limit = 2_000;
const cards = "hearth-sensor-card, hearth-switch-card, hearth-light-card, hearth-binary-sensor-card, hearth-cover-card";

const test = base.extend<object, { home: Hub }>({
  home: [
    async ({}, use) => {
      const hub = await Hub.start();
      const kinds = ["sensor", "switch", "light", "binary_sensor", "cover"];
      const write = async (start: number, step: number) => {
        for (let i = start; i < amount; i += step) {
          const kind = kinds[i % kinds.length] as string;
          const state = kind === "sensor" ? String(i) : kind === "cover" ? "open" : "off";
          await hub.setState(`${kind}.thing_${i}`, state, { friendly_name: `Thing ${i}` });
        }
      };
      hub.token("ann");
      await Promise.all(Array.from({ length: 8 }, (_, start) => write(start, 8)));
      await use(hub);
      await hub.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

// One home for all of them.
test.describe.configure({ mode: "default" });

// Measured in the page: from the beginning of the navigation until a card is there and the page's thread is free to answer.
async function timeToFirstCard(page: Page): Promise<number> {
  await page.addInitScript(() => {
    const find = (root: ParentNode): boolean =>
      [...root.querySelectorAll("*")].some(
        (element) => element.getAttribute("role") === "switch" || (element.shadowRoot !== null && find(element.shadowRoot)),
      );
    const look = () => {
      if (!find(document)) return void requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => ((globalThis as { usableAt?: number }).usableAt = performance.now());
      requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    requestAnimationFrame(look);
  });
  await page.goto("/overview");
  const found = await page.waitForFunction(() => (globalThis as { usableAt?: number }).usableAt);
  return (await found.jsonValue()) as number;
}

test("the first view of 10,000 entities answers within two seconds", async ({ open, home }) => {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const page = await open("about:blank", { hub: home });
    times.push(Math.round(await timeToFirstCard(page)));
    await page.context().close();
  }
  console.log(`first view of ${amount} entities: ${times.join(", ")} ms`);
  expect(Math.min(...times)).toBeLessThanOrEqual(limit);
});

test("few of 10,000 cards are drawn, and the last can be reached", async ({ open, home }) => {
  const page = await open("/overview", { hub: home });
  await expect(page.getByRole("switch").first()).toBeVisible();
  expect(await count(page, cards)).toBeGreaterThan(10);
  expect(await count(page, cards)).toBeLessThan(500);
  await page.keyboard.press("End");
  await expect.poll(() => count(page, cards)).toBeLessThan(500);

  await page.getByRole("searchbox").fill("Thing 9999");
  await expect(page.getByText("Thing 9999", { exact: true })).toBeVisible();
  await expect(page.getByText("Thing 9998", { exact: true })).toHaveCount(0);
});

test("the list of 10,000 states draws few rows", async ({ open, home }) => {
  const page = await open("/developer-tools", { hub: home });
  await page.getByRole("searchbox").first().waitFor();
  await expect(page.getByText("sensor.thing_9990", { exact: true })).toHaveCount(0);
  expect(await page.getByRole("row").count()).toBeLessThan(300);
  await page.getByRole("searchbox").first().fill("sensor.thing_9990");
  await expect(page.getByText("sensor.thing_9990", { exact: true })).toBeVisible();
});

test("the page answers while 200 states change each second", async ({ open, home }) => {
  const page = await open("/overview", { hub: home });
  await expect(page.getByRole("switch").first()).toBeVisible();
  let written = 0;
  let going = true;
  const writing = (async () => {
    while (going) {
      const due = Date.now() + 50;
      await Promise.all(
        Array.from({ length: 10 }, () => {
          const i = (written++ * 5) % amount;
          return home.setState(`sensor.thing_${i}`, String(written), { friendly_name: `Thing ${i}` });
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
    }
  })();
  try {
    await expect.poll(() => written).toBeGreaterThan(200);
    // In the page: from a click until what it asked for is drawn. A person calls 100 ms instant; a busy machine gets ten times that.
    await page.evaluate(() => {
      addEventListener("pointerup", (event) => ((globalThis as { clickedAt?: number }).clickedAt = event.timeStamp), true);
    });
    const waits: number[] = [];
    for (const name of ["Profile", "Overview", "Profile", "Overview"]) {
      await navigation(page).getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      waits.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) =>
              requestAnimationFrame(() => resolve(performance.now() - ((globalThis as { clickedAt?: number }).clickedAt ?? 0))),
            ),
        ),
      );
    }
    console.log(`clicks under ${written} changes answered within ${waits.map(Math.round).join(", ")} ms`);
    expect(Math.min(...waits.slice(2))).toBeLessThan(1_000);
  } finally {
    going = false;
    await writing;
  }
});
