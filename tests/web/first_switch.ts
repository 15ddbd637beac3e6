// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

// In milliseconds since 1970.
export interface FirstSwitch {
  made: number;
  // And a frame with it has been drawn: a finger finds it.
  drawn: number;
}

// Has the next visits note their first switch.
export async function watchFirstSwitch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const marks = window as unknown as { firstSwitch?: Partial<FirstSwitch> };
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
      if (this.localName === "hearth-switch" && !marks.firstSwitch) {
        const found: Partial<FirstSwitch> = (marks.firstSwitch = { made: Date.now() });
        requestAnimationFrame(() => setTimeout(() => (found.drawn = Date.now())));
      }
      return attach.call(this, options);
    };
  });
}

// Waits for it.
export async function firstSwitch(page: Page): Promise<FirstSwitch> {
  const found = await page.waitForFunction(
    () => {
      const { firstSwitch: marks } = window as unknown as { firstSwitch?: FirstSwitch };
      return marks?.drawn && marks;
    },
    undefined,
    { timeout: 60_000 },
  );
  return (await found.jsonValue()) as FirstSwitch;
}
