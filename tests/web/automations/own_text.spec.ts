// SPDX-License-Identifier: Apache-2.0
// The YAML editor shows an item's text as it stands in its file, and keeps what others write.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { save } from "../sentences";

const text = `# The home's.
- id: hall
  alias: Hall   # by the door
  trigger:
    - platform: event
      event_type: !secret code
  action: []
# The second one.
- id: kept
  alias: Kept
  trigger: []
  action: []
`;

const fileOf = (hub: Hub) => join(hub.folder, "automations.yaml");
const read = (hub: Hub) => readFileSync(fileOf(hub), "utf8");

async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  writeFileSync(fileOf(hub), text);
  writeFileSync(join(hub.folder, "secrets.yaml"), "code: go\n");
  await hub.call("automation", "reload", {});
  return hub;
}

const address = "/settings/automations/automation.hall?view=yaml";
const editor = (page: Page) => page.getByRole("textbox", { name: "YAML text" });

async function type(page: Page, words: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText(words);
}

test("comments are shown, typed and kept, and tags stay", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open(address, { hub });
  await expect(editor(page)).toContainText("# by the door");
  await expect(editor(page)).toContainText("event_type: !secret code");
  await type(page, "# Typed here.\n");
  await expect(page.getByText("Comments that you write here are not kept")).toHaveCount(0);
  await save(page);
  await expect(page.locator("hearth-notices")).toContainText("Saved");
  expect(read(hub)).toBe(text.replace("- id: hall", "- # Typed here.\n  id: hall"));
  await expect(page.getByText("Not saved yet")).toHaveCount(0);

  // A sentence changes its key only.
  await page.getByRole("link", { name: "Sentences", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Hallway");
  await save(page);
  await expect.poll(() => read(hub)).toContain("Hallway");
  expect(read(hub)).toContain("# Typed here.");
  expect(read(hub)).toContain("event_type: !secret code");
});

test("what the hub refuses is said at its line of the text", async ({ open, startHub, expectComplaint }) => {
  const hub = await startHome(startHub);
  expectComplaint(/400 \(Bad Request\)/);
  const page = await open(address, { hub });
  await type(page, "# one\nodd: 1\n");
  await save(page);
  await expect(page.getByRole("alert")).toContainText("Line 2:");
  expect(read(hub)).toBe(text);
});

test("what the hub refuses is said in the language of the page", async ({ open, startHub, expectComplaint }) => {
  const hub = await startHome(startHub);
  expectComplaint(/400 \(Bad Request\)/);
  const page = await open(address, { hub, language: "de-DE" });
  await page.locator("hearth-yaml-editor [contenteditable]").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("modee: single\nmax: many\n");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("alert")).toContainText("unbekannter Schlüssel, war mode gemeint? Bekannt: ");
  await expect(page.getByRole("alert")).toContainText('erwartet wird eine ganze Zahl von 1 bis 10000, gefunden wurde "many"');
});

test("a file that is changed under the open page is shown, and nothing that was typed is lost", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  const hub = await startHome(startHub);
  const page = await open(address, { hub });
  await expect(editor(page)).toContainText("# by the door");
  writeFileSync(fileOf(hub), text.replace("by the door", "by hand"));
  await hub.call("automation", "reload", {});
  await expect(editor(page)).toContainText("# by hand");

  await type(page, "# Mine.\n");
  writeFileSync(fileOf(hub), text.replace("by the door", "by hand again"));
  await hub.call("automation", "reload", {});
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("It was changed elsewhere meanwhile");
  await expect(editor(page)).toContainText("# Mine.");
  await notice.getByRole("button", { name: "Discard mine, and show the other" }).click();
  await expect(editor(page)).toContainText("by hand again");
  await expect(notice).toHaveCount(0);

  // Without a word from the hub: saving says it.
  expectComplaint(/412/);
  await type(page, "# Mine again.\n");
  writeFileSync(fileOf(hub), text.replace("by the door", "a third time"));
  await save(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(read(hub)).toContain("a third time");
  await expect(editor(page)).toContainText("# Mine again.");
  await save(page);
  await page.getByRole("button", { name: "Replace" }).click();
  await expect.poll(() => read(hub)).toContain("# Mine again.");
});

test("what another client writes is shown at once, with who did it, what changed, and both to choose", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/404/); // of what is deleted
  const hub = await startHome(startHub);
  const page = await open(address, { hub });
  const write = (alias: string) => hub.rest("POST", "/api/config/automation/config/hall", { alias, triggers: [], actions: [] });
  await expect(editor(page)).toContainText("# by the door");
  await write("Theirs");
  await expect(editor(page)).toContainText("alias: Theirs");

  await type(page, "# Mine.\n");
  await write("Theirs again");
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("ann has changed it meanwhile");
  await notice.getByText("What changed in the text").click();
  await expect(notice.locator("ins")).toHaveText(/alias: Theirs again/);
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await expect(notice).toHaveCount(0);
  await expect(editor(page)).toContainText("# Mine.");
  await save(page);
  await expect.poll(() => read(hub)).toContain("# Mine.");
  expect(read(hub)).not.toContain("Theirs again");

  await type(page, "# Mine still.\n");
  await hub.rest("DELETE", "/api/config/automation/config/hall");
  await expect(notice).toContainText("It was deleted elsewhere meanwhile");
  await expect(editor(page)).toContainText("# Mine still.");
  await save(page);
  await expect.poll(() => read(hub)).toContain("# Mine still.");
  await expect(notice).toHaveCount(0);
});

test("sentences that nobody has touched follow what another client writes, others are kept", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open(address.replace("?view=yaml", ""), { hub });
  const name = page.getByLabel("Name", { exact: true });
  const write = (alias: string) => hub.rest("POST", "/api/config/automation/config/hall", { alias, triggers: [], actions: [] });
  await write("Theirs");
  await expect(name).toHaveValue("Theirs");
  await name.fill("Mine");
  await write("Other");
  const notice = page.getByRole("alert");
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await expect(name).toHaveValue("Mine");
  await save(page);
  await expect.poll(() => read(hub)).toContain("alias: Mine");
});

for (const [language, width] of [
  ["de-DE", 360],
  ["en-GB", 1280],
] as const) {
  test(`what is said of a change elsewhere fits ${width} px in ${language}, and is accessible in both themes @all`, async ({
    open,
    startHub,
  }) => {
    const hub = await startHome(startHub);
    const page = await open(address, { hub, language, width });
    const box = page.locator("hearth-yaml-editor [contenteditable]");
    await box.click();
    await page.keyboard.insertText("# x\n");
    writeFileSync(fileOf(hub), text.replace("by the door", "by hand"));
    await hub.call("automation", "reload", {});
    await expect(page.locator(".overtaken")).toBeVisible();
    await looksRight(page, "own-text", { widths: [width], fullPage: false });
  });
}
