// SPDX-License-Identifier: Apache-2.0
// The steps of moving in from Home Assistant, with a home that Home Assistant has made, and with a large one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { OldHome, makeLargeHome } from "../old_home";

// Opens every row of the report.
async function openAll(page: Page): Promise<void> {
  await page.locator("hearth-import-report details").evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute("open", "")));
}

test("a first start with a Home Assistant fits, and is accessible in both themes", async ({ open, startHub }) => {
  const old = new OldHome();
  const hub = await startHub({ users: false, name: "" });
  const page = await open("/welcome", { hub, user: "nobody" });
  await page.getByRole("button", { name: "Move from Home Assistant" }).click();
  await page.getByText("How do I get a backup?").click();
  await looksRight(page, "moving-first-choose");
  await page.getByLabel("Backup of Home Assistant").setInputFiles({ name: "b.tar", mimeType: "", buffer: old.backup("ABCD-EFGH") });
  old.end();
  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByText("This backup is encrypted.")).toBeVisible();
  await looksRight(page, "moving-first-key");
  await page.getByLabel("Encryption key").fill("ABCD-EFGH");
  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByRole("region", { name: "Needs you" })).toBeVisible();
  await looksRight(page, "moving-first-look");
  await openAll(page);
  await looksRight(page, "moving-first-look-open");
});

// As years of history show it.
const underWay = { step: "history", done: 3, of: 10, rows: 1_234_567, seconds_left: 130 };

test("the report of a large home fits, and is accessible in both themes", async ({ open, startHub }) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-large-home-"));
  makeLargeHome(folder, 5_000);
  const hub = await startHub({ configuration: `\nimport:\n  folders: [${folder}]\n` });
  const page = await open("/settings/import", { hub });
  await expect(page.getByRole("radio", { name: folder })).toBeVisible();
  await looksRight(page, "moving-choose");
  await page.getByRole("button", { name: "See what would come" }).click();
  const waiting = page.getByRole("region", { name: "Waits for its integration" });
  await expect(waiting.getByText("Vendor 1", { exact: true })).toBeVisible();
  rmSync(folder, { recursive: true, force: true });
  await expect(waiting.locator("summary:visible")).toHaveCount(9); // the rest is one more row
  await waiting.getByText("Vendor 1", { exact: true }).click();
  await looksRight(page, "moving-look");
});

test("an import under way and its end fit, and are accessible in both themes", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket|ERR_|Failed to load resource/, false); // while the hub restarts
  const old = new OldHome();
  const hub = await startHub({ configuration: `\nimport:\n  folders: [${old.config}]\n` });
  const page = await open("/settings/import", { hub });
  await page.getByRole("button", { name: "See what would come" }).click();
  await page.getByRole("button", { name: "Move in" }).click();
  await expect(page.getByRole("heading", { name: "The new home is ready" })).toBeVisible({ timeout: 60_000 });
  await looksRight(page, "moving-ready");
  await page.evaluate((work) => {
    const element = document.querySelector("hearth-app")?.shadowRoot?.querySelector("hearth-shell")?.shadowRoot;
    const view = document.createElement("hearth-import-progress") as HTMLElement & { progress: object };
    view.progress = work;
    (element?.querySelector("main") ?? document.body).append(view);
  }, underWay);
  await looksRight(page, "moving-progress");
  await page.getByRole("button", { name: "Restart now" }).click();
  await expect(page.getByRole("heading", { name: "To do" })).toBeVisible({ timeout: 60_000 });
  old.end(); // whose folder is read once more at the restart
  await looksRight(page, "moving-done");
  await page.getByText("The whole report").click();
  await openAll(page);
  await looksRight(page, "moving-done-open");
});
