// SPDX-License-Identifier: Apache-2.0
// A script of as many steps as there may be: opened, changed in the sentences and in its text, and saved.
import { readFileSync } from "node:fs";
import { join } from "node:path";

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
