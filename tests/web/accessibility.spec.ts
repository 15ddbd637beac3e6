// SPDX-License-Identifier: Apache-2.0
// What axe-core finds on each page in each theme: nothing.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures";
import { places, settled, type Place } from "./pages";

async function isAccessible(page: Page): Promise<void> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => `${node.target.join(" ")}: ${node.html}`) }));
  expect.soft(found, page.url()).toEqual([]);
}

for (const theme of ["light", "dark"] as const) {
  for (const [place, path] of Object.entries(places) as [Place, string][]) {
    test(`axe-core finds nothing on ${place} in ${theme}`, async ({ open }) => {
      await isAccessible(await open(path, { theme }));
    });
  }

  test(`axe-core finds nothing on the login in ${theme}`, async ({ open }) => {
    const page = await open("/login", { theme, user: "nobody" });
    await isAccessible(page);
    await page.getByLabel("Username").fill("ann");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await isAccessible(page);
  });

  test(`axe-core finds nothing on the first page in ${theme}`, async ({ open, startHub }) => {
    const page = await open("/welcome", { hub: await startHub({ users: false }), theme, user: "nobody" });
    await isAccessible(page);
  });

  test(`axe-core finds nothing in the dialogs in ${theme}`, async ({ open }) => {
    const page = await open("/profile", { theme });
    await page.getByRole("button", { name: "Create token" }).click();
    await isAccessible(page);
    await page.goto("/settings/users");
    await page.getByRole("button", { name: "Add user" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await isAccessible(page);
    await page.goto("/overview");
    for (const lock of ["Front door lock", "Garden shed lock"]) {
      await page.getByRole("searchbox").fill(lock);
      await page.getByRole("button", { name: `Unlock ${lock}` }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await isAccessible(page);
      await page.keyboard.press("Escape");
    }
  });
}
