// SPDX-License-Identifier: Apache-2.0
// Debian's Firefox. Playwright needs a Firefox of its own; Puppeteer speaks WebDriver BiDi with any.
import { existsSync, mkdirSync } from "node:fs";
import puppeteer, { type Browser, type ElementHandle, type Page } from "puppeteer-core";

import { expect, test as base } from "./fixtures";
import { password, repository } from "./hub";

const executablePath = ["/usr/bin/firefox-esr"].find((path) => existsSync(path));

export const test = base.extend<{ visit: Page }, { firefox: Browser }>({
  firefox: [
    async ({}, use) => {
      // On a busy machine it takes its time.
      const firefox = await puppeteer.launch({ browser: "firefox", executablePath: executablePath ?? "", timeout: 120_000 });
      await use(firefox);
      await firefox.close();
    },
    { scope: "worker", timeout: 150_000 },
  ],

  // A page of a browser that knows nobody; nothing may go wrong on it. `startHub` only because pages have to be closed before their hub ends.
  visit: async ({ firefox, startHub: _ }, use) => {
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

export const isMissing = !executablePath;

// In shadow trees, too.
export const within = (selector: string) => `>>> ${selector}`;

// Waits for an element, also while the browser goes from one page to the next, which ends Puppeteer's own waiting.
export async function found(page: Page, selector: string): Promise<ElementHandle> {
  let element: ElementHandle | null = null;
  const look = async () => (element = await page.$(selector).catch(() => null));
  await expect.poll(look, { timeout: 60_000, message: selector }).not.toBeNull();
  return element as unknown as ElementHandle;
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = `${repository}/build/screenshots`;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/firefox-${name}.png` });
}

export async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await (await found(page, within('input[autocomplete="username"]'))).type("ann");
  await (await found(page, within('input[autocomplete="current-password"]'))).type(password);
  await page.keyboard.press("Enter");
}

// What is shown and has such a name or text, in shadow trees too; of several the last, or the first.
async function named(page: Page, selector: string, name: RegExp, first = false): Promise<ElementHandle | null> {
  const handle = await page.evaluateHandle(
    (css, source, flags, isFirst) => {
      const pattern = new RegExp(source, flags);
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
      const labelOf = (element: Element) => {
        const label = element.id
          ? (element.getRootNode() as ParentNode).querySelector(`label[for="${element.id}"]`)
          : element.closest("label");
        return (
          element.getAttribute("aria-label") ??
          (element.matches("input, select, textarea") ? label?.textContent : element.textContent) ??
          ""
        )
          .replace(/\s+/g, " ")
          .trim();
      };
      const isShown = (element: Element) => element.getClientRects().length > 0 && element.checkVisibility();
      const found = all(document).filter((element) => element.matches(css) && isShown(element) && pattern.test(labelOf(element)));
      return found.at(isFirst ? 0 : -1) ?? null;
    },
    selector,
    name.source,
    name.flags,
    first,
  );
  return handle.asElement() as ElementHandle | null;
}

// Waits for it.
export async function seen(page: Page, selector: string, name: RegExp, first = false): Promise<ElementHandle> {
  let element: ElementHandle | null = null;
  const look = async () => (element = await named(page, selector, name, first).catch(() => null));
  await expect.poll(look, { timeout: 60_000, message: `${selector} ${String(name)}` }).not.toBeNull();
  return element as unknown as ElementHandle;
}

export async function gone(page: Page, selector: string, name: RegExp): Promise<void> {
  await expect.poll(() => named(page, selector, name), { message: `${selector} ${String(name)}` }).toBeNull();
}

export async function press(page: Page, selector: string, name: RegExp, first = false): Promise<void> {
  const element = await seen(page, selector, name, first);
  await element.evaluate((each) => each.scrollIntoView({ block: "center" }));
  await element.click();
}

export async function type(page: Page, selector: string, name: RegExp, text: string): Promise<void> {
  await press(page, selector, name);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}
