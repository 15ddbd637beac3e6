// SPDX-License-Identifier: Apache-2.0
// A script of as many steps as there may be: opened, changed in the sentences and in its text, and saved.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { save } from "../sentences";

const count = 10_000;
const sequence = Array.from({ length: count }, (_, number) => ({
  action: "light.turn_on",
  target: { entity_id: "light.hall" },
  data: { brightness_pct: 1 + (number % 100) },
}));

test("a script of 10,000 steps opens, is changed and saved, and nothing of it is lost", async ({ open, startHub, expectComplaint }) => {
  test.setTimeout(240_000); // the hub reads all of the files again for each change
  expectComplaint(/400 \(Bad Request\)/);
  const hub = await startHub();
  const read = () => hub.rest<{ alias: string; sequence: typeof sequence }>("GET", "/api/config/script/config/long");
  await hub.rest("POST", "/api/config/script/config/long", { alias: "Long", sequence });
  const page = await open("/settings/automations/script.long", { hub });
  const rows = page.locator("hearth-sentence-row");
  await expect(rows.first()).toContainText("Hall light", { timeout: 60_000 });
  await rows
    .nth(1)
    .getByRole("button", { name: /^Change: / })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Longer");
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0, { timeout: 60_000 });
  expect(await read()).toEqual({ alias: "Longer", sequence: [...sequence.slice(0, 1), ...sequence.slice(2)] });

  // What is one too many is refused, and stays.
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  const text = page.getByRole("textbox", { name: "YAML text" });
  await expect(text).toContainText("alias: Longer", { timeout: 60_000 });
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("  - event: one\n  - event: two\n");
  await save(page);
  await expect(page.getByRole("alert")).toContainText("more than 10000 steps", { timeout: 60_000 });
  await expect(text).toContainText("- event: two");
  await page.keyboard.press("Control+z");
  await page.keyboard.insertText("  - event: last\n");
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0, { timeout: 60_000 });
  const written = readFileSync(join(hub.folder, "scripts.yaml"), "utf8");
  expect(written.trimEnd().endsWith("- event: last")).toBe(true);
  expect((await read()).sequence).toHaveLength(count);
});

const few = sequence.slice(0, 500);
// Those that can be changed, and not only read.
const drawn = (page: Page) => page.locator("hearth-sentence-row .handle");

test("of 500 steps those near the window are drawn, and the others are found, read and reached all the same", async ({
  open,
  startHub,
}) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/long", { alias: "Long", sequence: few });
  const page = await open("/settings/automations/script.long", { hub });
  const rows = page.locator("hearth-sentence-row");
  await expect(rows).toHaveCount(500);
  await expect(rows.nth(498)).toContainText("99");
  expect(await drawn(page).count()).toBeLessThan(100);
  await rows.nth(300).getByRole("group").focus();
  await expect(rows.nth(300).getByRole("button", { name: /^Move,/ })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(301).getByRole("button", { name: /^Move,/ })).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "302" })).toHaveCount(1);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows.last().getByRole("button", { name: /^Move,/ })).toBeVisible();
  expect(await drawn(page).count()).toBeLessThan(300);
});

test("the text is written when typing pauses, and before it is read", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/long", { alias: "Long", sequence: few });
  const alias = async () => (await hub.rest<{ alias: string }>("GET", "/api/config/script/config/long")).alias;
  const page = await open("/settings/automations/script.long", { hub });
  const name = page.getByLabel("Name", { exact: true });
  await name.click();
  await page.locator("hearth-sentence-editor").evaluate((editor) => {
    const counted = window as unknown as { writes: number };
    counted.writes = 0;
    editor.addEventListener("text-changed", () => (counted.writes += 1));
  });
  const writes = () => page.evaluate(() => (window as unknown as { writes: number }).writes);
  await name.evaluate((field: HTMLInputElement) => {
    for (const text of ["A", "Ab", "Abc"]) {
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    }
  });
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await expect.poll(writes).toBe(1);

  // Whoever saves has all of it.
  await name.fill("Saved");
  await page.keyboard.press("Control+s");
  await expect.poll(alias).toBe("Saved");
  // So has who looks at the text, and who takes a change back.
  await name.fill("Read");
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "YAML text" })).toContainText("alias: Read");
  await page.getByRole("link", { name: "Sentences", exact: true }).click();
  await expect(name).toHaveValue("Read");
  await name.fill("Other");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(name).not.toHaveValue("Other");
  await name.fill("Lost");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(name).toHaveValue("Saved");
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
});
