// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, readdirSync } from "node:fs";

import { expect, test } from "../fixtures";
import { dialog, notices } from "../pages";

test("a backup is made, fetched and deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/backups", { hub });
  await expect(page.getByText("There are none yet.")).toBeVisible();
  const make = async (name: string, passphrase = "", confirmed = passphrase) => {
    await page.getByRole("button", { name: "Create backup" }).first().click();
    await dialog(page).getByLabel("Name", { exact: true }).fill(name);
    await dialog(page).getByLabel("Passphrase", { exact: true }).fill(passphrase);
    await dialog(page).getByLabel("Confirm passphrase").fill(confirmed);
    await dialog(page).getByRole("button", { name: "Create backup" }).click();
  };
  await make("Before update");
  await expect(notices(page)).toContainText("The backup is ready.");
  await expect(dialog(page)).toHaveCount(0);
  const row = page.getByRole("row").filter({ hasText: "before_update" });
  await expect(row).toContainText(/\d (KiB|MiB)/);
  await expect(row).toContainText(/now|ago/);
  await expect(row).toContainText("Of version 2026.11.0");

  const downloading = page.waitForEvent("download");
  await row.getByRole("button", { name: "Download before_update" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("before_update.tar.zst");
  expect(readFileSync(await download.path()).equals(readFileSync(`${hub.folder}/backups/before_update.tar.zst`))).toBe(true);

  await make("before update");
  await expect(dialog(page).getByRole("alert")).toContainText("There is a backup of that name already.");
  await page.keyboard.press("Escape");
  await make("sealed", "seven lamps", "seven lambs");
  await expect(dialog(page).getByRole("alert")).toContainText("The two passphrases are not the same.");
  await dialog(page).getByLabel("Confirm passphrase").fill("seven lamps");
  await dialog(page).getByRole("button", { name: "Create backup" }).click();
  await expect(page.getByRole("row").filter({ hasText: "sealed" })).toContainText("Encrypted");

  await row.getByRole("button", { name: "Delete before_update" }).click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: "Delete before_update" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
  expect(readdirSync(`${hub.folder}/backups`)).toEqual(["sealed.tar.zst.enc"]);
});

test("a backup is uploaded, and what is none is refused", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/400 \(Bad Request\)/);
  const hub = await startHub();
  await hub.call("backup", "create", { name: "good" });
  const buffer = readFileSync(`${hub.folder}/backups/good.tar.zst`);
  const page = await open("/settings/backups", { hub });
  await page.getByRole("button", { name: "Upload backup" }).click();
  const send = async (name: string, content: Buffer) => {
    await dialog(page).getByLabel("File").setInputFiles({ name, mimeType: "", buffer: content });
    await dialog(page).getByRole("button", { name: "Upload", exact: true }).click();
  };
  await dialog(page).getByRole("button", { name: "Upload", exact: true }).click();
  await expect(dialog(page).getByRole("alert")).toBeVisible();
  await send("holiday.jpg", Buffer.from("no backup"));
  await expect(dialog(page).getByRole("alert")).toContainText("it is no backup of Hearth");
  await send("good.tar.zst", buffer);
  await expect(dialog(page).getByRole("alert")).toContainText("There is a backup of that name already.");
  await send("From the old hub.tar.zst", buffer);
  await expect(dialog(page)).toHaveCount(0);
  await expect(notices(page)).toContainText("The backup has been uploaded.");
  await expect(page.getByRole("row").filter({ hasText: "from_the_old_hub" })).toContainText("Of version 2026.11.0");
  expect(readFileSync(`${hub.folder}/backups/from_the_old_hub.tar.zst`).equals(buffer)).toBe(true);
});

test("a large upload shows how far it is, and ends with its dialog", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/backups", { hub });
  await page.route("**/api/backups?name=large", () => undefined); // it never gets through
  await page.getByRole("button", { name: "Upload backup" }).click();
  await dialog(page)
    .getByLabel("File")
    .setInputFiles({ name: "large.tar.zst", mimeType: "", buffer: Buffer.alloc(4_000_000, 7) });
  await dialog(page).getByRole("button", { name: "Upload", exact: true }).click();
  await expect(dialog(page).getByRole("progressbar")).toBeVisible();
  await expect(dialog(page).getByText("0% of 3.8 MiB sent")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(existsSync(`${hub.folder}/backups`)).toBe(false);
});

test("a backup is restored, and the page heals by itself", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket|ERR_|Failed to load resource/, false); // while the hub restarts
  const hub = await startHub();
  const page = await open("/settings/backups", { hub });
  await expect(page.getByText("There are none yet.")).toBeVisible();
  await hub.setState("sensor.letters", "3", { friendly_name: "Letters" });
  await hub.call("backup", "create", { name: "good", passphrase: "seven lamps" });
  await hub.setState("sensor.letters", "4", { friendly_name: "Letters" });

  await page.reload();
  await page.getByRole("button", { name: "Restore good" }).click();
  await expect(dialog(page)).toContainText("before-restore-");
  await expect(dialog(page)).toContainText("The hub restarts");
  await dialog(page).getByLabel("Passphrase").fill("seven lambs");
  await dialog(page).getByRole("button", { name: "Restore", exact: true }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("This is not the passphrase of the backup");
  expect((await hub.state("sensor.letters")).state).toBe("4");
  await dialog(page).getByLabel("Passphrase").fill("seven lamps");
  await dialog(page).getByRole("button", { name: "Restore", exact: true }).click();
  await expect(notices(page)).toContainText("The backup is being restored, and the hub restarts.");

  await expect.poll(async () => (await hub.state("sensor.letters").catch(() => undefined))?.state, { timeout: 30_000 }).toBe("3");
  expect(readdirSync(hub.folder).filter((name) => name.startsWith("before-restore-"))).toHaveLength(1);
  await expect(notices(page)).toContainText(/The home was restored from good, made on .* ann asked for it/, { timeout: 30_000 });
  await page.reload();
  await expect(
    page.getByText(/restored from good, made on .*\. ann asked for it on .*; what was there before is in before-restore-/).first(),
  ).toBeVisible({
    timeout: 30_000,
  });
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("searchbox").fill("Letters");
  await expect(page.locator("hearth-sensor-card").filter({ hasText: "Letters" })).toContainText("3", { timeout: 30_000 });
  await expect(page.getByRole("alert")).toHaveCount(0);
});
