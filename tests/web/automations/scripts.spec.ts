// SPDX-License-Identifier: Apache-2.0
// Scripts that ask for their fields.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

const configuration = `
script:
  say:
    alias: Say it
    description: Sets a lamp and remembers a text
    fields:
      light: {name: Lamp, required: true, selector: {entity: {filter: {domain: light}}}}
      level: {name: Level, default: 40, selector: {number: {min: 1, max: 100, unit_of_measurement: "%"}}}
      text: {name: Text, description: What to remember, example: Good night, selector: {text: {multiline: true}}}
    sequence:
      - {action: light.turn_on, target: {entity_id: "{{ light }}"}, data: {brightness_pct: "{{ level }}"}}
      - {action: input_text.set_value, target: {entity_id: input_text.said}, data: {value: "{{ text | default('nothing') }}"}}
  plain:
    alias: Plain one
    sequence: [{action: light.turn_off, target: {entity_id: light.kitchen}}]
  waits:
    alias: Waits
    sequence: [{delay: "01:00:00"}]
input_text:
  said: {}
`;

for (const width of [1280, 360]) {
  test(`a script is started with what it asks for, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub({ configuration });
    const page = await open("/settings/automations", { hub, width });
    await page.getByRole("button", { name: "Run: Say it" }).click();
    await expect(dialog(page).getByRole("spinbutton", { name: "Level" })).toHaveValue("40");
    await dialog(page).getByRole("button", { name: "Run" }).click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Fill this in.");
    await expect(dialog(page).getByRole("combobox", { name: "Lamp" })).toBeFocused();
    await dialog(page).getByRole("combobox", { name: "Lamp" }).fill("kitchen");
    await dialog(page)
      .getByRole("option", { name: /^Kitchen light/ })
      .click();
    await expect(dialog(page).getByRole("alert")).toHaveCount(0);
    await dialog(page).getByRole("textbox", { name: "Text" }).fill("Sleep well");
    await looksRight(page, "script-run", { widths: [width], fullPage: false });
    await dialog(page).getByRole("button", { name: "Run" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.locator("hearth-notices")).toContainText("Say it has been started");
    await expect.poll(async () => (await hub.state("light.kitchen")).attributes.brightness).toBe(102);
    await expect.poll(async () => (await hub.state("input_text.said")).state).toBe("Sleep well");
  });
}

test("a script without fields is started at once, also from its page, and a dialog that is left starts nothing", async ({
  open,
  startHub,
}) => {
  const hub = await startHub({ configuration });
  await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
  const page = await open("/settings/automations/script.plain", { hub });
  await page.getByRole("button", { name: "Run now" }).click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  await page.goto("/settings/automations/script.say");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(dialog(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  expect((await hub.state("script.say")).attributes.last_triggered).toBeNull();
});

for (const width of [1280, 360]) {
  test(`a script's card and its dialog ask for its fields, also those who are no administrators, at ${width} px`, async ({
    open,
    startHub,
  }) => {
    const hub = await startHub({ configuration });
    await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
    const page = await open("/overview?view=list", { hub, width, user: "ben" });
    await page.getByRole("button", { name: "Run Say it" }).click();
    await expect(dialog(page).getByRole("combobox", { name: "Lamp" })).toBeVisible();
    await looksRight(page, "script-card-run", { widths: [width], fullPage: false });
    await dialog(page).getByRole("button", { name: "Run" }).click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Fill this in.");
    for (const _ of ["of the choices", "of the dialog"]) await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.locator("hearth-script-card").filter({ hasText: "Say it" })).toContainText("Has not run yet");

    await page.getByRole("link", { name: "Say it" }).click();
    await dialog(page).getByRole("button", { name: "Run Say it" }).click();
    const form = page.locator("hearth-run-dialog");
    await form.getByRole("combobox", { name: "Lamp" }).fill("kitchen");
    await form.getByRole("option", { name: /^Kitchen light/ }).click();
    await form.getByRole("button", { name: "Run" }).click();
    await expect(form).toHaveCount(0);
    await expect.poll(async () => (await hub.state("light.kitchen")).attributes.brightness).toBe(102);
    await page.keyboard.press("Escape");

    await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
    await page.getByRole("button", { name: "Run Plain one" }).click();
    await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
    await expect(page.locator("hearth-notices")).toContainText("Plain one has been started");
    await expect(page.locator("hearth-script-card").filter({ hasText: "Plain one" })).toContainText("Last run");

    const waits = page.locator("hearth-script-card").filter({ hasText: "Waits" });
    await waits.getByRole("button", { name: "Run Waits" }).click();
    await expect(waits).toContainText("Running");
    await waits.getByRole("button", { name: "Stop Waits" }).click();
    await expect(waits.getByRole("button", { name: "Run Waits" })).toBeVisible();
    await expect.poll(async () => (await hub.state("script.waits")).state).toBe("off");
  });
}

// A file that is no YAML, with or without an earlier state of it that the hub has kept.
for (const kept of [false, true])
  test(`a file that cannot be read is named on the list and when something is saved, ${kept ? "the last good copy runs" : "nothing of it runs"}`, async ({
    open,
    startHub,
    expectComplaint,
  }) => {
    expectComplaint(/status of 400/);
    const hub = await startHub();
    hub.errorsExpected = true;
    const broken = ["automations.yaml", "scripts.yaml", "scenes.yaml"];
    if (kept) {
      await hub.rest("POST", "/api/config/automation/config/1", { alias: "Old automation", triggers: [], actions: [] });
      await hub.rest("POST", "/api/config/script/config/old", { alias: "Old script", sequence: [] });
      await hub.rest("POST", "/api/config/scene/config/1", { name: "Old scene", entities: {} });
      await hub.end();
      await hub.begin();
    }
    await hub.end();
    for (const file of broken) writeFileSync(join(hub.folder, file), "a:\n  b: c\n  d: [\n");
    await hub.begin();
    const page = await open("/settings/automations", { hub, width: 1280, height: 900 });
    const instead = kept ? "The last good copy runs until it is mended." : "Nothing of it runs until it is mended.";
    for (const [file, kind] of broken.map((each) => [each, each.slice(0, -6)] as const)) {
      const list = page.locator("section").filter({ has: page.getByRole("heading", { name: `${kind}s`, exact: false }) });
      await expect(list.getByRole("alert")).toHaveText(`${file}, line 3: not valid YAML: a bracket [ is not closed. ${instead}`);
      await expect(list.getByText(/^There are no/)).toHaveCount(0);
      if (kept) await expect(list.getByText(`Old ${kind}`)).toBeVisible();
    }
    const german = await open("/settings/automations", { hub, language: "de-DE" });
    await expect(german.getByRole("alert").filter({ hasText: "scripts.yaml" })).toHaveText(
      `scripts.yaml, Zeile 3: kein gültiges YAML: eine Klammer [ wird nicht geschlossen. Bis das behoben ist, läuft ${kept ? "die letzte gute Fassung" : "nichts davon"}.`,
    );
    await german.close();
    // A window so low that an error below the text is out of sight.
    for (const view of ["", "?view=yaml"]) {
      const editor = await open(`/settings/automations/new-script${view}`, { hub, width: 360, height: 420 });
      if (view === "") await editor.getByLabel("Name", { exact: true }).first().fill("Fresh");
      await editor.getByRole("button", { name: "Save" }).click();
      const error = editor.getByText(/Nothing can be saved in scripts\.yaml, because it cannot be read: scripts\.yaml:3:7/);
      await expect(error).toBeInViewport();
      await editor.close();
    }
    // Mended: the list says nothing more.
    for (const file of broken) writeFileSync(join(hub.folder, file), "");
    await page.getByRole("button", { name: "Read the files again" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0, { timeout: 20_000 });
  });

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`a new script begins with its name, and what it asks for is rows, in ${language} at ${width} px`, async ({ open, startHub }) => {
    const isGerman = language === "de-DE";
    const hub = await startHub();
    const page = await open("/settings/automations/new-script", { hub, language, width });
    const name = page.getByLabel("Name", { exact: true });
    const id = page.getByRole("textbox", { name: /^Id|^ID/ });
    await expect(name).toBeVisible();
    await expect(page.locator("hearth-sentence-editor, hearth-item-editor").getByRole("textbox").first()).toHaveAccessibleName("Name");
    await expect(id).toBeHidden();
    await name.fill("Good night");
    await page.getByText(isGerman ? "Wonach es fragt" : "What it asks for").click();
    await page.getByRole("button", { name: isGerman ? "Nach etwas fragen" : "Ask for something" }).click();
    const row = page.locator("hearth-script-fields [data-field]").first();
    await row.getByLabel("Name", { exact: true }).fill("How bright");
    await row.getByLabel("Name", { exact: true }).press("Tab");
    await expect(row.getByLabel("Variable")).toHaveValue("how_bright");
    await row.getByLabel(isGerman ? "Art" : "Kind").selectOption("number");
    await row.getByLabel(isGerman ? "Kleinster Wert" : "Minimum").fill("1");
    await row.getByLabel(isGerman ? "Größter Wert" : "Maximum").fill("100");
    await row.getByLabel(isGerman ? "Einheit" : "Unit").fill("%");
    await row.getByLabel(isGerman ? "Muss angegeben werden" : "Required").check();
    await row.getByRole("spinbutton", { name: isGerman ? "Vorgabe" : "Default" }).fill("40");
    await row.getByRole("spinbutton", { name: isGerman ? "Vorgabe" : "Default" }).press("Tab");
    await looksRight(page, `script-fields-${language}`, { widths: [width], fullPage: false });
    await page.getByText(isGerman ? "Weitere Einstellungen" : "More settings").click();
    await expect(id).toHaveAttribute("placeholder", "good_night");
    await page.getByRole("button", { name: isGerman ? "Speichern" : "Save", exact: true }).click();
    const read = () => hub.rest<{ fields?: unknown }>("GET", "/api/config/script/config/good_night").catch(() => ({ fields: undefined }));
    await expect
      .poll(async () => (await read()).fields)
      .toEqual({
        how_bright: {
          name: "How bright",
          required: true,
          default: 40,
          selector: { number: { min: 1, max: 100, unit_of_measurement: "%" } },
        },
      });
  });
}

test("a field that no row can show stays YAML, and the others are rows", async ({ open, startHub }) => {
  const hub = await startHub({ configuration });
  const page = await open("/settings/automations/script.say", { hub });
  const rows = page.locator("hearth-script-fields [data-field]");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0).getByRole("textbox", { name: "light" })).toHaveValue(/filter:/);
  await expect(rows.nth(1).getByLabel("Kind")).toHaveValue("number");
  await expect(rows.nth(2).getByLabel("Kind")).toHaveValue("long_text");
});
