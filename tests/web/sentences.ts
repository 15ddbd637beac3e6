// SPDX-License-Identifier: Apache-2.0
// What a person does in the editor of sentences.
import { expect, type Locator, type Page } from "@playwright/test";

// Adds a row to a list, by what the menu calls it.
export async function add(list: Locator, what: RegExp): Promise<void> {
  const page = list.page();
  await list
    .getByRole("button", { name: /^Add a (trigger|condition|step)$/ })
    .last()
    .click();
  await page.locator("hearth-pick").getByRole("button", { name: what }).click();
}

// Chooses in the dialog that is open, by typing.
export async function choose(page: Page, text: string, name: RegExp, many = false): Promise<void> {
  await page.locator("hearth-pick").getByRole("searchbox").fill(text);
  await page.locator("hearth-pick").getByRole("button", { name }).first().click();
  if (many)
    await page
      .locator("hearth-pick")
      .getByRole("button", { name: /^Use th/ })
      .click();
  await expect(page.locator("hearth-pick")).toHaveCount(0);
}

export const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

export const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
export const row = (page: Page, text: string) => page.getByRole("group", { name: text, exact: true });
