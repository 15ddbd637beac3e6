// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

const widths = [360, 768, 1280, 2560] as const;

const typed = { empty: "", found: "living", command: "living room off", none: "zzzz" };

for (const [name, text] of Object.entries(typed)) {
  test(`the palette looks right: ${name}`, async ({ open }) => {
    const page = await open("/profile");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("grid").getByRole("row").first()).toBeVisible();
    await page.getByRole("combobox", { name: "Find and do" }).fill(text);
    await looksRight(page, `palette-${name}`, { widths, fullPage: false });
  });
}

test("the panel looks right", async ({ open }) => {
  const page = await open("about:blank");
  await page.clock.install();
  await page.goto("/overview?panel=living_room");
  await expect(page.getByRole("heading", { level: 1, name: "Living room" })).toBeVisible();
  await looksRight(page, "panel", { widths });
  await page.getByRole("button", { name: "Set up the panel" }).click();
  await page.getByRole("switch", { name: "This browser stays a panel" }).click();
  await looksRight(page, "panel-setup", { widths, fullPage: false });
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await page.clock.fastForward(61_000);
  await looksRight(page, "panel-dark", { widths: [360, 1280], fullPage: false });
});

test("each control of a panel has room for a finger, and its name stands on one line", async ({ open }) => {
  for (const width of [360, 1280]) {
    const page = await open("/overview?panel=living_room", { width });
    await expect(page.getByRole("heading", { level: 1, name: "Living room" })).toBeVisible();
    await expect(page.getByRole("switch").first()).toBeVisible();
    const small = await page.evaluate(() => {
      const found: string[] = [];
      const visit = (root: ParentNode) => {
        for (const element of root.querySelectorAll<HTMLElement>("*")) {
          if (element.shadowRoot) visit(element.shadowRoot);
          if (!element.matches("button, select, input, a[href]") || element.getClientRects().length === 0) continue;
          const { width, height } = element.getBoundingClientRect();
          // What stands before a control or a card's name, and takes touches, too.
          const before = getComputedStyle(element, "::before");
          const larger = (size: number, own: string) => (before.content === "none" ? size : Math.max(size, parseFloat(own) || 0));
          if (larger(width, before.width) < 48 || larger(height, before.height) < 48) found.push(element.outerHTML.slice(0, 100));
        }
      };
      visit(document);
      return found;
    });
    expect(small, `${width} px`).toEqual([]);
    const lines = await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines, `${width} px`).toBe(1); // its words are whole
  }
});
