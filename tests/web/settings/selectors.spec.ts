// SPDX-License-Identifier: Apache-2.0
// Every kind of selector has its control, and writes what the hub takes.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { add } from "../sentences";

const kinds =
  `action addon area assist_pipeline attribute backup_location boolean color_rgb color_temp condition config_entry constant conversation_agent country date datetime device
duration entity file floor icon label language location media number object qr_code select state statistic stt target template text theme time trigger tts ui_action ui_color`.split(
    /\s+/,
  );
const options: Record<string, string> = {
  attribute: "{entity_id: light.kitchen}",
  constant: "{value: 7, label: Seven}",
  number: "{min: 0, max: 10, step: 0.5, unit_of_measurement: °C}",
  qr_code: "{data: https://a.example}",
  select: "{options: [a, {value: b, label: Bee}]}",
  state: "{entity_id: light.kitchen}",
  location: "{radius: true}",
};

async function withAll(startHub: () => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  const file = join(hub.folder, "blueprints/script/me/all.yaml");
  mkdirSync(dirname(file), { recursive: true });
  const inputs = kinds.map((kind) => `    ${kind}: {name: The ${kind}, default: null, selector: {${kind}: ${options[kind] ?? ""}}}`);
  // Fields of numbers as wide as they get, beside a slider and a long unit.
  inputs.push("    pause: {default: 120, selector: {number: {min: 0, max: 3600, unit_of_measurement: seconds}}}");
  inputs.push(
    "    exact: {default: 0.125, selector: {number: {min: -1000, max: 100000, step: 0.001, unit_of_measurement: kilowatt hours}}}",
  );
  writeFileSync(file, `blueprint:\n  name: All\n  domain: script\n  input:\n${inputs.join("\n")}\nsequence: []\n`);
  return hub;
}

const field = (page: Page, kind: string) => page.locator(`hearth-selector-field[data-input="${kind}"]`);

async function inputOf(hub: Hub): Promise<unknown> {
  const config = await hub.rest<{ use_blueprint: { input: unknown } }>("GET", "/api/config/script/config/all");
  return config.use_blueprint.input;
}

test("every selector has a control that writes what the hub takes", async ({ open, startHub }) => {
  const hub = await withAll(startHub);
  const page = await open("/settings/automations/new-script?blueprint=me/all.yaml", { hub, width: 1280 });
  await expect(page.locator("hearth-selector-field")).toHaveCount(kinds.length + 2);
  const fill = (kind: string, text: string) => field(page, kind).locator("#control").fill(text);
  const pick = async (kind: string, text: string, option: RegExp) => {
    await field(page, kind).getByRole("combobox").first().fill(text);
    await field(page, kind).getByRole("option", { name: option }).first().click();
  };
  await field(page, "boolean").getByRole("switch").click();
  await field(page, "constant").getByRole("checkbox").check();
  await fill("number", "2.5");
  await fill("text", "Good evening");
  await fill("template", "{{ states('sun.sun') }}");
  await fill("time", "07:30");
  await fill("date", "2026-12-24");
  await fill("datetime", "2026-12-24T18:00");
  await fill("color_rgb", "#ff8000");
  await fill("icon", "mdi:sofa");
  await field(page, "select").locator("select").selectOption({ label: "Bee" });
  await field(page, "country").locator("select").selectOption("DE");
  await field(page, "language").locator("select").selectOption("de");
  await field(page, "duration").getByLabel("Minutes").fill("3");
  await field(page, "duration").getByLabel("Minutes").press("Tab");
  await field(page, "location").getByLabel("Latitude").fill("52.5");
  await field(page, "location").getByLabel("Longitude").fill("13.4");
  await field(page, "location").getByLabel("Longitude").press("Tab");
  await pick("entity", "kitchen light", /^Kitchen light/);
  await pick("area", "kitchen", /^Kitchen/);
  await pick("device", "router", /outer/);
  await pick("target", "hall light", /^Hall light/);
  await field(page, "object").locator("textarea").fill("a: [1, 2]");
  await add(field(page, "action"), /^Wait for some time/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "All", exact: true })).toBeVisible();
  expect(await inputOf(hub)).toEqual({
    boolean: true,
    constant: 7,
    number: 2.5,
    text: "Good evening",
    template: "{{ states('sun.sun') }}",
    time: "07:30:00",
    date: "2026-12-24",
    datetime: "2026-12-24 18:00:00",
    color_rgb: [255, 128, 0],
    icon: "mdi:sofa",
    select: "b",
    country: "DE",
    language: "de",
    duration: { hours: 0, minutes: 3, seconds: 0 },
    location: { latitude: 52.5, longitude: 13.4 },
    entity: "light.kitchen",
    area: "kitchen",
    device: expect.any(String),
    target: { entity_id: "light.hall" },
    object: { a: [1, 2] },
    action: [{ delay: { minutes: 2 } }],
  });
});

for (const width of [1280, 360]) {
  test(`all controls fit and are accessible at ${width} px`, async ({ open, startHub }) => {
    const hub = await withAll(startHub);
    const page = await open("/settings/automations/new-script?blueprint=me/all.yaml", { hub, width });
    await expect(page.locator("hearth-sentence-editor")).toHaveCount(3);
    await looksRight(page, "selectors", { widths: [width] });
  });
}

test("what does not fit is said at its field, and nothing is lost", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/400/);
  const hub = await withAll(startHub);
  const page = await open("/settings/automations/new-script?blueprint=me/all.yaml", { hub });
  await field(page, "text").locator("#control").fill("kept");
  await field(page, "number").locator("#control").fill("99");
  await expect(field(page, "number").getByRole("alert")).toHaveText("Enter a number from 0 to 10.");
  await field(page, "object").locator("textarea").fill("a: [1");
  await expect(field(page, "object").getByRole("alert")).toContainText("This is no YAML");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved: 2 things are wrong")).toBeVisible();
  await expect(field(page, "number").locator("#control")).toBeFocused();
  await field(page, "object").locator("textarea").fill("");
  await field(page, "number").locator("#control").fill("");
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  const text = page.locator("hearth-yaml-editor .cm-content");
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n    number: 99");
  await page.getByRole("link", { name: "Inputs", exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(field(page, "number").getByRole("alert")).toContainText("10");
  await expect(field(page, "text").locator("#control")).toHaveValue("kept");
});
