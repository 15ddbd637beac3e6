// SPDX-License-Identifier: Apache-2.0
// Scripts that ask for their fields.

import { expect, test } from "./fixtures";
import { looksRight } from "./looks_right";
import { dialog } from "./pages";

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
    await dialog(page).getByRole("option", { name: /^Kitchen light/ }).click();
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

test("a script without fields is started at once, also from its page, and a dialog that is left starts nothing", async ({ open, startHub }) => {
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
  test(`a script's card and its dialog ask for its fields, also those who are no administrators, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub({ configuration });
    await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
    const page = await open("/", { hub, width, user: "ben" });
    await page.getByRole("switch", { name: "Say it" }).click();
    await expect(dialog(page).getByRole("combobox", { name: "Lamp" })).toBeVisible();
    await looksRight(page, "script-card-run", { widths: [width], fullPage: false });
    await dialog(page).getByRole("button", { name: "Run" }).click();
    await expect(dialog(page).getByRole("alert")).toHaveText("Fill this in.");
    for (const _ of ["of the choices", "of the dialog"]) await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole("switch", { name: "Say it" })).not.toBeChecked();

    await page.getByRole("link", { name: "Say it" }).click();
    await dialog(page).getByRole("switch", { name: "Say it" }).click();
    const form = page.locator("hearth-run-dialog");
    await form.getByRole("combobox", { name: "Lamp" }).fill("kitchen");
    await form.getByRole("option", { name: /^Kitchen light/ }).click();
    await form.getByRole("button", { name: "Run" }).click();
    await expect(form).toHaveCount(0);
    await expect.poll(async () => (await hub.state("light.kitchen")).attributes.brightness).toBe(102);
    await page.keyboard.press("Escape");

    await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
    await page.getByRole("switch", { name: "Plain one" }).click();
    await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
  });
}
