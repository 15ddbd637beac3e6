// SPDX-License-Identifier: Apache-2.0
// A picture of every page in build/screenshots, to be looked at; and that each fits its window.
import { join } from "node:path";
import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures";
import { repository } from "./hub";
import { places, settled } from "./pages";

const folder = join(repository, "build/screenshots");
const heights: Record<number, number> = { 320: 640, 360: 740, 1024: 768, 1920: 1080 };

async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: ParentNode) => {
      for (const element of root.querySelectorAll("*")) {
        const { right, width } = element.getBoundingClientRect();
        if (width > 0 && right > innerWidth + 1) found.push(`${element.localName}.${element.className} to ${Math.round(right)}`);
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    if (document.documentElement.scrollWidth > innerWidth) visit(document);
    return found;
  });
  expect.soft(wide, `${page.url()} at ${page.viewportSize()?.width}`).toEqual([]);
}

async function picture(page: Page, name: string): Promise<void> {
  await settled(page);
  await fits(page);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}

async function moveTo(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: heights[width] as number });
}

for (const [place, path] of Object.entries(places)) {
  test(`${place} fits its window`, async ({ open }) => {
    const page = await open(path, { width: 1920, height: 1080 });
    await settled(page);
    for (const width of [1920, 1024, 360]) {
      await moveTo(page, width);
      await picture(page, `${place}-${width}`);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, `${place}-360-dark`);
    await moveTo(page, 1024);
    await picture(page, `${place}-1024-dark`);
    await moveTo(page, 320);
    await settled(page);
    await fits(page);
  });

  test(`${place} in German fits a narrow window`, async ({ open }) => {
    const page = await open(path, { width: 320, height: 640, language: "de" });
    await settled(page);
    await fits(page);
  });
}
