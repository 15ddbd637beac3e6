// SPDX-License-Identifier: Apache-2.0
// Moving in from Home Assistant, out of homes that it has made itself.
import { readdirSync, readFileSync } from "node:fs";

import { test as base, expect } from "../fixtures";
import { password } from "../hub";
import { OldHome } from "../old_home";
import { dialog } from "../pages";

const test = base.extend<object, { old: OldHome }>({
  old: [
    async ({}, use) => {
      const old = new OldHome();
      await use(old);
      old.end();
    },
    { scope: "worker" },
  ],
});

const restarts = /WebSocket|ERR_|Failed to load resource/;

test("a new home begins with the backup of a Home Assistant", async ({ open, startHub, old, expectComplaint }) => {
  test.setTimeout(180_000);
  expectComplaint(restarts);
  const hub = await startHub({ users: false, name: "" });
  const page = await open("/welcome", { hub, user: "nobody", width: 360 });
  await page.getByRole("button", { name: "Move from Home Assistant" }).click();
  await expect(page.getByRole("heading", { name: "Move from Home Assistant" })).toBeVisible();
  await page.getByText("How do I get a backup?").click();
  await expect(page.getByText("Settings → System → Backups")).toBeVisible();

  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Backup of Home Assistant").setInputFiles({ name: "b.tar", mimeType: "", buffer: old.backup("ABCD-EFGH") });
  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByLabel("Encryption key")).toBeFocused();
  await page.getByLabel("Encryption key").fill("ABCD-WRONG");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This is not the encryption key of the backup")).toBeVisible();
  await page.getByLabel("Encryption key").fill("ABCD-EFGH");
  await page.keyboard.press("Enter");

  // What would come, attention first.
  await expect(page.getByRole("heading", { name: "What comes, and what does not" })).toBeFocused();
  await expect(page.getByText("Home Assistant 2026.2.3")).toBeVisible();
  const regions = await page.getByRole("region").evaluateAll((all) => all.map((one) => one.getAttribute("aria-labelledby")));
  expect(regions).toEqual(["needs", "works", "waiting", "faulty", "left"]);
  const needs = page.getByRole("region", { name: "Needs you" });
  await expect(needs.getByText("Give this person a password")).toBeHidden();
  await needs.getByText("No password yet").click();
  await expect(needs.getByText("Give this person a password")).toBeVisible();
  await expect(page.getByRole("region", { name: "Works as before" }).getByText("Rooms")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Everybody logs in as before" })).toHaveCount(0); // nobody else could

  await page.getByRole("radio", { name: "The last 30 days" }).check();
  await page.getByRole("button", { name: "Move in" }).click();
  await expect(page).toHaveURL(/\/login/, { timeout: 60_000 });
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(old.answers().passwords.ann as string);
  await page.getByRole("button", { name: "Log in", exact: true }).click();

  // The rest is a list that becomes shorter.
  await expect(page.getByRole("heading", { name: "Moved from Home Assistant" })).toBeVisible();
  const item = page.getByRole("listitem").filter({ hasText: "Companion app on the phone" });
  await item.getByRole("button", { name: "Done" }).click();
  await expect(item).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "To do" })).toBeVisible();
  await expect(item).toHaveCount(0);
  await page.getByText("The whole report").click();
  await expect(page.getByRole("region", { name: "Waits for its integration" })).toBeVisible();
  await page.goto("/settings/areas");
  for (const { name } of old.answers().areas) await expect(page.getByText(name).first()).toBeVisible();
});

// The process of an import of that home, as it works; looking is none.
function importOf(folder: string): number | undefined {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      if (words.includes("import-ha") && words.includes(folder) && !words.includes("--dry-run")) return Number(name);
    } catch {
      // It has ended.
    }
  }
  return undefined;
}

// Holds it as soon as it is there, until the answer is called.
function holdImport(folder: string): Promise<() => void> {
  return new Promise((held) => {
    const looking = setInterval(() => {
      const process_ = importOf(folder);
      if (process_ === undefined) return;
      process.kill(process_, "SIGSTOP");
      clearInterval(looking);
      held(() => process.kill(process_, "SIGCONT"));
    }, 2);
  });
}

for (const isFar of [false, true]) {
  test(`a page that is loaded anew comes back to the first import${isFar ? ", with the code that was given" : ""}`, async ({
    open,
    startHub,
    old,
  }) => {
    test.setTimeout(180_000);
    const hub = await startHub({ users: false, name: "" });
    const headers = isFar ? { "X-Forwarded-For": "203.0.113.9" } : undefined;
    const page = await open("/welcome", { hub, user: "nobody", width: 360, ...(headers && { headers }) });
    await page.getByRole("button", { name: "Move from Home Assistant" }).click();
    await page.getByLabel("Backup of Home Assistant").setInputFiles({ name: "b.tar", mimeType: "", buffer: old.backup() });
    if (isFar) {
      await expect.poll(() => hub.firstUserCode()).toBeTruthy();
      await page.getByLabel("Code").fill(hub.firstUserCode() ?? "");
    }
    await page.getByRole("button", { name: "See what would come" }).click();
    const holding = holdImport(hub.folder);
    await page.getByRole("button", { name: "Move in" }).click();
    const goOn = await holding;
    const progress = page.getByRole("listitem").filter({ hasText: "History" });
    await expect(progress).toBeVisible();
    for (let times = 0; times < 2; ++times) {
      await page.reload();
      await expect(page.getByRole("heading", { name: "Your home moves in" })).toBeFocused();
      await expect(progress).toBeVisible();
    }
    // A person who cancels it is told so, and begins again.
    const cancelled = page.getByRole("button", { name: "Cancel" }).click();
    goOn();
    await cancelled;
    await expect(page.getByRole("heading", { name: "Move from Home Assistant" })).toBeFocused();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Move from Home Assistant" })).toHaveCount(0);
  });
}

test("a home that is lived in takes a folder in, and what is solved goes from the list", async ({
  open,
  startHub,
  old,
  expectComplaint,
}) => {
  test.setTimeout(180_000);
  expectComplaint(restarts);
  const hub = await startHub({ configuration: `\nimport:\n  folders: [${old.config}]\n` });
  const page = await open("/settings/import", { hub });
  await page.getByRole("radio", { name: old.config }).check();
  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByRole("heading", { name: "What comes, and what does not" })).toBeFocused();
  await expect(page.getByText("What is here already stays as it is")).toBeVisible();
  await page.getByRole("checkbox", { name: "Home Assistant goes on running beside Hearth" }).check();
  await expect(page.getByRole("checkbox", { name: "All automations switched off at first" })).toBeChecked();
  await page.getByRole("radio", { name: "Nothing: history begins today" }).check();
  await page.getByRole("button", { name: "Move in" }).click();

  await expect(page.getByRole("heading", { name: "The new home is ready" })).toBeFocused({ timeout: 60_000 });
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Nothing has changed.")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Nothing: history begins today" })).toBeChecked();
  await page.getByRole("button", { name: "Move in" }).click();
  await page.getByRole("button", { name: "Restart now" }).click({ timeout: 60_000 });
  const toDo = page.getByRole("listitem").filter({ hasText: "Nobody: No password yet" });
  await expect(toDo).toBeVisible({ timeout: 60_000 });
  expect((await hub.state("light.kitchen")).entity_id).toBe("light.kitchen"); // of the demo, which was there
  expect((await hub.state("automation.ring_when_somebody_comes")).state).toBe("off"); // which was on

  await toDo.getByRole("link", { name: "To Users" }).click();
  const user = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Nobody" }) });
  await user.getByRole("button", { name: /password/i }).click();
  for (const label of ["New password", "Confirm new password"]) await dialog(page).getByLabel(label, { exact: true }).fill(password);
  await dialog(page).getByRole("button", { name: "Set password" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/settings/import");
  await expect(page.getByRole("heading", { name: "To do" })).toBeVisible();
  await expect(toDo).toHaveCount(0);
});

test("a backup that is sent is kept, and what is none is refused", async ({ open, startHub, old, expectComplaint }) => {
  expectComplaint(/400 \(Bad Request\)/);
  const hub = await startHub();
  const page = await open("/settings/import", { hub, language: "de-DE" });
  const send = async (name: string, buffer: Buffer) => {
    await page.getByLabel("Backup von Home Assistant").setInputFiles({ name, mimeType: "", buffer });
    await page.getByRole("button", { name: "Ansehen, was käme" }).click();
  };
  await send("holiday.jpg", Buffer.from("no backup"));
  await expect(page.getByRole("alert")).toContainText("Die Datei ist kein Backup von Home Assistant");
  await send("My Home (2).tar", old.backup());
  await expect(page.getByRole("heading", { name: "Was kommt und was nicht" })).toBeFocused();
  await expect(page.getByText("Hearth hat das selbst")).toBeVisible();
  await page.getByRole("button", { name: "Anderes Backup wählen" }).click();
  await expect(page.getByRole("heading", { name: "Von Home Assistant umziehen" })).toBeFocused();
  await expect(page.getByRole("radio", { name: "my_home_2" })).toBeChecked();
  await page.reload();
  await page.getByRole("button", { name: "my_home_2 löschen" }).click();
  await dialog(page).getByRole("button", { name: "Löschen" }).click();
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expect(page.getByLabel("Backup von Home Assistant")).toBeVisible();
});

test("a large backup shows how far it is, and can be stopped", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/import", { hub });
  await page.route("**/api/imports?name=large", () => undefined); // it never gets through
  await page.getByLabel("Backup of Home Assistant").setInputFiles({ name: "large.tar", mimeType: "", buffer: Buffer.alloc(4_000_000, 7) });
  await page.getByRole("button", { name: "See what would come" }).click();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await expect(page.getByText("0% of 3.8 MiB sent")).toBeVisible();
  await page.getByRole("button", { name: "Stop the upload" }).click();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
});
