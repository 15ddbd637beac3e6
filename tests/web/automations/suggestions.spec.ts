// SPDX-License-Identifier: Apache-2.0
// What the home could do by itself: found in its history, shown with its evidence, made in the editor, dismissed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import { repository } from "../hub";
import { looksRight } from "../looks_right";

test("habits are offered with their evidence, made in the editor, and dismissed", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.end();
  const made = spawnSync("/usr/bin/python3", [join(repository, "tests/functional/made_history.py"), hub.folder], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  await hub.begin();
  const page = await open("/settings/automations", { hub });
  await page.getByRole("link", { name: "Suggestions" }).click();
  const hall = page.getByRole("region", { name: /Hall light/ }).filter({ hasText: "Front door" });
  await expect(hall).toContainText(/Done by hand on \d+ of \d+ occasions, within a minute, on \d+ days/);
  await hall.getByText("The last occasions").click();
  await expect(hall.getByRole("listitem")).toHaveCount(10);
  await expect(hall).toContainText("seconds later");
  await looksRight(page, "suggestions");

  const blind = page
    .getByRole("region", { name: /Close.*Living room blind/ })
    .or(page.getByRole("region", { name: /Living room blind.*clos/i }))
    .first();
  await blind.getByRole("button", { name: /^Not for me/ }).click();
  await expect(blind).toHaveCount(0);
  await page.reload();
  await expect(hall).toBeVisible();
  await expect(blind).toHaveCount(0);
  await page.getByText("One that you dismissed").click();
  await page.getByRole("button", { name: /^Offer again/ }).click();
  await expect(blind).toBeVisible();

  await hall.getByRole("button", { name: "Make this automation" }).click();
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(/Hall light/);
  const automations = async () =>
    (await hub.rest<{ entity_id: string }[]>("GET", "/api/states")).filter(({ entity_id }) => entity_id.startsWith("automation."));
  expect(await automations()).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Run now" })).toBeVisible();
  expect(await automations()).toHaveLength(1);
  await page.goto("/settings/automations/suggestions");
  await expect(blind).toBeVisible();
  await expect(hall).toHaveCount(0);
});
