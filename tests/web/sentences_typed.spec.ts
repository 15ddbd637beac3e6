// SPDX-License-Identifier: Apache-2.0
// What is typed into sentences key by key, as people do it, is what they mean.
import { expect, test } from "./fixtures";
import { section } from "./sentences";

test("what a row lacks is added and chosen without a mouse", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-automation", { hub });
  await section(page, "When").getByRole("button", { name: "Add a trigger" }).focus();
  const search = page.locator("hearth-pick").getByRole("searchbox");
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("something changes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Entity: choose: Entity" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("hall motion");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.locator("hearth-pick").getByRole("button", { name: /^Use th/ }).press("Enter");
  await expect(page.getByRole("button", { name: "Entity: Hall motion" })).toBeFocused();
});
