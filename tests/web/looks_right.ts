// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect } from "./fixtures";
import { repository } from "./hub";
import { fits, settled } from "./pages";

// In both themes, at the widths of a phone and a screen if the test names no others: nothing is wider than the page, axe finds nothing,
// and build/screenshots/ has a picture to look at.
export async function looksRight(
  page: Page,
  name: string,
  { widths = [360, 1280], fullPage = true }: { widths?: readonly number[]; fullPage?: boolean } = {},
): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      await fits(page);
      await page.screenshot({
        path: join(repository, `build/screenshots/${name}-${width}-${theme}.png`),
        animations: "disabled",
        fullPage,
      });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect
        .soft(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
          `${name}, ${width} px, ${theme}`,
        )
        .toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
}
