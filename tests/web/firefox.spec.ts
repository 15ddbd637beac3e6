// SPDX-License-Identifier: Apache-2.0
// What people do every day, in Firefox as Debian has it. Playwright needs a Firefox of its own; Puppeteer speaks WebDriver BiDi with any.
import { existsSync, mkdirSync } from "node:fs";
import puppeteer, { type Browser, type ElementHandle, type Page } from "puppeteer-core";

import { expect, test as base } from "./fixtures";
import { password, repository } from "./hub";

const executablePath = ["/usr/bin/firefox-esr"].find((path) => existsSync(path));

const test = base.extend<{ visit: Page }, { firefox: Browser }>({
  firefox: [
    async ({}, use) => {
      // On a busy machine it takes its time.
      const firefox = await puppeteer.launch({ browser: "firefox", executablePath: executablePath ?? "", timeout: 120_000 });
      await use(firefox);
      await firefox.close();
    },
    { scope: "worker", timeout: 150_000 },
  ],

  // A page of a browser that knows nobody; nothing may go wrong on it.
  visit: async ({ firefox }, use) => {
    const context = await firefox.createBrowserContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error instanceof Error ? error.message : String(error)));
    page.setDefaultTimeout(60_000);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  },
});

test.skip(!executablePath, "there is no Firefox; tools/bootstrap --test installs Debian's");

// In shadow trees, too.
const within = (selector: string) => `>>> ${selector}`;
const kitchen = within('button[role="switch"][aria-label="Kitchen light"]');

// Waits for an element, also while the browser goes from one page to the next, which ends Puppeteer's own waiting.
async function found(page: Page, selector: string): Promise<ElementHandle> {
  let element: ElementHandle | null = null;
  const look = async () => (element = await page.$(selector).catch(() => null));
  await expect.poll(look, { timeout: 60_000, message: selector }).not.toBeNull();
  return element as unknown as ElementHandle;
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = `${repository}/build/screenshots`;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/firefox-${name}.png` });
}

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await (await found(page, within('input[autocomplete="username"]'))).type("ann");
  await (await found(page, within('input[autocomplete="current-password"]'))).type(password);
  await page.keyboard.press("Enter");
}

test("Firefox logs in, shows the home and switches a light", async ({ visit, hub }) => {
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  await logIn(visit, hub.url);
  const light = await found(visit, kitchen);
  const checked = () => light.evaluate((button) => button.getAttribute("aria-checked"));
  expect(await checked()).toBe("false");
  await light.click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await expect.poll(checked).toBe("true");
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" }); // from elsewhere
  await expect.poll(checked).toBe("false");
  await picture(visit, "overview");
});

test("Firefox draws the history of an entity", async ({ visit, hub }) => {
  await hub.setState("sensor.firefox", "20", { unit_of_measurement: "°C", friendly_name: "Fox" });
  await hub.setState("sensor.firefox", "23", { unit_of_measurement: "°C", friendly_name: "Fox" });
  await logIn(visit, `${hub.url}/history?entity=sensor.firefox&span=1h`);
  const canvas = await found(visit, within(".uplot canvas"));
  const drawn = () =>
    canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const pixels = (element as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      return pixels.some((value) => value !== 0);
    });
  await expect.poll(drawn).toBe(true);
  await picture(visit, "history");
});
