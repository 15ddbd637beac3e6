// SPDX-License-Identifier: Apache-2.0
// What rows of the editor say besides: shifted times, variables, gaps, notifications; and undoing across its looks.

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { fits } from "../pages";
import { add, row, save, section } from "../sentences";

test("times shifted by an offset, variables, gaps and notifications are sentences", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "input_datetime:\n  alarm: {name: Alarm, has_time: true}\n" });
  const begin = [
    { trigger: "time", at: ["07:00:00", { entity_id: "input_datetime.alarm", offset: "-00:30:00" }] },
    { trigger: "state", entity_id: "light.hall", to: "on", skip_unavailable: true },
  ];
  await hub.rest("POST", "/api/config/automation/config/rest", { alias: "Rest", triggers: begin, actions: [] });
  const page = await open("/settings/automations/automation.rest", { hub });
  const when = section(page, "When");
  const time = row(page, "It is 07:00 or Alarm – 30 minutes before");
  await time.getByRole("spinbutton").fill("45");
  const light = row(page, "Hall light changes to On");
  await light.getByRole("button", { name: /^Say more/ }).click();
  await page.getByRole("menuitemcheckbox", { name: /^How long a gap/ }).click();
  await when.getByRole("button", { name: /^Say more: Hall light/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Variables for the steps" }).click();
  await when.getByRole("textbox", { name: "Variables" }).fill("a: 1");
  await add(when, /^A notification of the hub/);
  await when.getByRole("button", { name: /^Say more: A notification/ }).click();
  await page.getByRole("menuitemcheckbox", { name: /^Only one with a certain id/ }).click();
  await when.getByRole("textbox", { name: "Id of the notification" }).fill("door");
  await when.getByRole("combobox", { name: "What happens to it" }).selectOption({ label: "is removed" });
  // Without its offset, and with another.
  await page
    .getByRole("group", { name: /^It is 07:00 or Alarm/ })
    .getByRole("button", { name: "Other times" })
    .click();
  await page.getByRole("menuitemcheckbox", { name: /before or after/ }).click();
  await expect(row(page, "It is 07:00 or Alarm")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await fits(page);
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  const { triggers } = await hub.rest<{ triggers: unknown[] }>("GET", "/api/config/automation/config/rest");
  expect(triggers).toEqual([
    { trigger: "time", at: ["07:00:00", { entity_id: "input_datetime.alarm", offset: "-00:45:00" }] },
    { trigger: "state", entity_id: "light.hall", to: "on", skip_unavailable: true, gap: { minutes: 5 }, variables: { a: 1 } },
    { trigger: "persistent_notification", update_type: "removed", notification_id: "door" },
  ]);
});

test("what is said behind a template stands behind it", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/wait", {
    alias: "Wait",
    sequence: [{ wait_template: "{{ true }}", timeout: { minutes: 3 } }],
  });
  const page = await open("/settings/automations/script.wait", { hub });
  const template = await page.getByRole("textbox", { name: "Template" }).boundingBox();
  const timeout = await page.getByRole("spinbutton", { name: "Duration" }).boundingBox();
  expect(template?.y).toBeLessThan(timeout?.y ?? 0);
  const german = await open("/settings/automations/script.wait", { hub, language: "de-DE" });
  await expect(german.locator("hearth-sentence-row .sentence")).toHaveText(/^aber höchstens/);
});

test("what was changed in sentences, and in the text since, can be undone after a look at the text", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/undo", { alias: "Undo", sequence: [{ event: "one" }] });
  const page = await open("/settings/automations/script.undo", { hub });
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Second");
  const yaml = page.getByRole("link", { name: "YAML", exact: true });
  const sentences = page.getByRole("link", { name: "Sentences", exact: true });
  await yaml.click();
  await sentences.click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(name).toHaveValue("Undo");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(name).toHaveValue("Second");
  await yaml.click();
  const editor = page.getByRole("textbox", { name: "YAML text" });
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("mode: queued\n");
  await sentences.click();
  await page.getByRole("button", { name: "Undo" }).click();
  await yaml.click();
  await expect(editor).not.toContainText("queued");
  await expect(editor).toContainText("Second");
});

for (const [language, width] of [
  ["de-DE", 360],
  ["en-GB", 1280],
] as const) {
  test(`these rows fit ${width} px in ${language}, and are accessible in both themes @all`, async ({ open, startHub }) => {
    const hub = await startHub({ configuration: "input_datetime:\n  alarm: {name: Alarm, has_time: true}\n" });
    await hub.rest("POST", "/api/config/automation/config/rest", {
      alias: "Rest",
      triggers: [
        { trigger: "time", at: ["07:00:00", { entity_id: "input_datetime.alarm", offset: "-00:30:00" }] },
        { trigger: "state", entity_id: "light.hall", to: "on", skip_unavailable: true, gap: { minutes: 5 }, variables: { a: 1 } },
        { trigger: "persistent_notification", update_type: "removed", notification_id: "door" },
      ],
      actions: [],
    });
    const page = await open("/settings/automations/automation.rest", { hub, language, width });
    await expect(page.locator("hearth-sentence-row")).toHaveCount(3);
    await looksRight(page, "sentences-rest", { widths: [width] });
  });
}
