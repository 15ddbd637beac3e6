// SPDX-License-Identifier: Apache-2.0
// Blueprints, scenes, scripts and helpers whose names are markup, that do not fit, or that two people change at once.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { dialog, fits, settled, textsOf } from "../pages";

const markup = `<img src=x onerror="globalThis.ran=1"><b>Bold</b>`;
const quoted = JSON.stringify(markup);

function write(hub: Hub, path: string, text: string): void {
  const file = join(hub.folder, "blueprints", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const named = `blueprint:
  name: ${quoted}
  description: ${quoted}
  domain: script
  author: ${quoted}
  source_url: "javascript:globalThis.ran=1"
  input:
    one: {name: ${quoted}, description: ${quoted}, default: a, selector: {select: {options: [a, {value: b, label: ${quoted}}]}}}
    two: {name: ${quoted}, default: 1, selector: {number: {min: 0, max: 9, unit_of_measurement: ${quoted}}}}
fields:
  text: {name: ${quoted}, description: ${quoted}, example: ${quoted}, selector: {text: {prefix: ${quoted}}}}
sequence: []
`;

async function isHarmless(page: Page): Promise<void> {
  await settled(page);
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
  await fits(page);
}

for (const width of [1280, 360]) {
  test(`names made of markup are texts, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    write(hub, "script/me/markup.yaml", named);
    await hub.rest("POST", "/api/config/script/config/hostile", { alias: markup, use_blueprint: { path: "me/markup.yaml", input: {} } });
    await hub.rest("POST", "/api/config/scene/config/7", { name: markup, entities: { "light.hall": "on" } });
    await hub.setState("light.hostile", "on", { friendly_name: markup });
    await hub.rest("POST", "/api/config/automation/config/8", {
      alias: markup,
      triggers: [],
      actions: [
        { action: "notify.notify", data: { message: markup, title: markup } },
        { action: "light.turn_on", target: { entity_id: "light.hostile" } },
      ],
    });
    const page = await open("/settings/automations/blueprints", { hub, width });
    await expect(page.getByRole("link", { name: markup, exact: true }).first()).toBeVisible();
    await isHarmless(page);
    const automation = [...(await hub.rest<{ entity_id: string }[]>("GET", "/api/states"))].find(({ entity_id }) =>
      entity_id.startsWith("automation."),
    )?.entity_id;
    const scene = [...(await hub.rest<{ entity_id: string; attributes: { id?: string } }[]>("GET", "/api/states"))].find(
      ({ attributes }) => attributes.id === "7",
    )?.entity_id;
    for (const path of [
      "blueprint?domain=script&path=me/markup.yaml",
      "script.hostile",
      `make-blueprint?from=${automation}`,
      String(scene),
    ]) {
      await page.goto(`/settings/automations/${path}`);
      await expect(page.getByRole("heading", { name: markup }).first()).toBeVisible();
      await isHarmless(page);
    }
    await page.goto("/settings/automations/import-blueprint");
    await page.getByLabel("Or its text").fill(named);
    await page.getByRole("button", { name: "Look at it" }).click();
    await expect(page.getByRole("heading", { name: markup })).toBeVisible();
    await isHarmless(page);
    await page.goto("/settings/automations");
    await page
      .getByRole("button", { name: `Run: ${markup}` })
      .last()
      .click();
    await expect(dialog(page).getByText(markup).first()).toBeVisible();
    await isHarmless(page);
    expect(await textsOf(page)).toContain(markup);
  });
}

test("a text that is no blueprint, or has no place, is said at its field and stays", async ({ open, startHub }) => {
  const hub = await startHub();
  write(hub, "automation/me/broken.yaml", "blueprint: {name: Broken}\n");
  const page = await open("/settings/automations/blueprints", { hub });
  await expect(page.getByRole("listitem").filter({ hasText: "me/broken.yaml" })).toContainText("domain is missing");
  await page.getByRole("link", { name: "Import a blueprint" }).click();
  const text = page.getByLabel("Or its text");
  for (const wrong of ["a: [1", "just words", "blueprint: {name: A, domain: light}"]) {
    await text.fill(wrong);
    await page.getByRole("button", { name: "Look at it" }).click();
    await expect(page.getByRole("alert")).not.toBeEmpty();
    await expect(text).toHaveAttribute("aria-invalid", "true");
    await expect(text).toHaveValue(wrong);
  }
  await text.fill("blueprint: {name: Fine, domain: script}\nsequence: []\n");
  await page.getByRole("button", { name: "Look at it" }).click();
  const place = page.getByLabel("Saved as");
  await place.fill("../../secrets");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("path");
  await expect(place).toHaveValue("../../secrets");
  await place.fill("me/fine");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("blueprints/script/me/fine.yaml")).toBeVisible();

  // Another place at which there is one: what changes is shown first.
  await page.goto("/settings/automations/import-blueprint");
  await text.fill("blueprint: {name: Other, domain: script}\nsequence: []\n");
  await page.getByRole("button", { name: "Look at it" }).click();
  await place.fill("me/fine.yaml");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("hearth-text-changes .added")).toContainText("Other");
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect(page.getByRole("heading", { name: "Other" })).toBeVisible();
});

test("a use whose blueprint asks for other things now keeps what was given", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/400/);
  const hub = await startHub();
  write(
    hub,
    "script/me/one.yaml",
    "blueprint: {name: One, domain: script, input: {old: , level: {selector: {number: {min: 0, max: 9}}}}}\nvariables: {a: !input old, b: !input level}\nsequence: []\n",
  );
  await hub.rest("POST", "/api/config/script/config/mine", {
    alias: "Mine",
    use_blueprint: { path: "me/one.yaml", input: { old: "x", level: 8 } },
  });
  write(
    hub,
    "script/me/one.yaml",
    "blueprint: {name: One, domain: script, input: {new: {name: New}, level: {name: Level, selector: {number: {min: 0, max: 5}}}}}\nvariables: {a: !input new, b: !input level}\nsequence: []\n",
  );
  const page = await open("/settings/automations/script.mine", { hub });
  await expect(page.getByText("The blueprint does not ask for these:")).toBeVisible();
  await page.getByRole("textbox", { name: "New" }).fill("y");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator('hearth-selector-field[data-input="level"]').getByRole("alert")).toContainText("5");
  await expect(page.getByRole("textbox", { name: "New" })).toHaveValue("y");
  await page.getByRole("button", { name: "Delete old" }).click();
  await page.getByRole("spinbutton", { name: "Level" }).fill("5");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  expect((await hub.rest<{ use_blueprint: { input: object } }>("GET", "/api/config/script/config/mine")).use_blueprint.input).toEqual({
    level: 5,
    new: "y",
  });
});

test("two people at the same blueprint, use, scene and helper do not overwrite each other unseen", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/412/); // of what was changed meanwhile
  const hub = await startHub();
  const first = "blueprint: {name: One, domain: script, input: {what: {name: What}}}\nvariables: {a: !input what}\nsequence: []\n";
  write(hub, "script/me/one.yaml", first);
  const use = (what: string) => ({ alias: "Mine", use_blueprint: { path: "me/one.yaml", input: { what } } });
  await hub.rest("POST", "/api/config/script/config/mine", use("a"));
  const page = await open("/settings/automations/script.mine", { hub });
  const what = page.getByRole("textbox", { name: "What" });
  await what.fill("mine");
  await hub.rest("POST", "/api/config/script/config/mine", use("theirs"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog(page)).toContainText("It was changed elsewhere meanwhile");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(what).toHaveValue("mine");
  const stored = await hub.rest<{ use_blueprint: { input: object } }>("GET", "/api/config/script/config/mine");
  expect(stored.use_blueprint.input).toEqual({ what: "theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Replace" }).click();
  await expect(page.getByText("Not saved yet")).toHaveCount(0);

  await page.goto("/settings/automations/import-blueprint?domain=script&path=me/one.yaml");
  await page.getByLabel("Or its text").fill(first.replace("One", "Two"));
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.locator("hearth-text-changes .added")).toContainText("Two");
  write(hub, "script/me/one.yaml", first.replace("One", "Theirs"));
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect(page.getByRole("alert")).toContainText("Somebody has replaced it meanwhile");
  await expect(page.locator("hearth-text-changes .removed")).toContainText("Theirs");
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect(page.getByRole("heading", { name: "Two" })).toBeVisible();

  await hub.rest("POST", "/api/config/scene/config/7", { name: "Film", entities: { "light.hall": "on" } });
  await page.goto("/settings/automations/scene.film");
  await page.getByLabel("Name", { exact: true }).fill("My film");
  await hub.rest("POST", "/api/config/scene/config/7", { name: "Film", entities: { "light.hall": "off" } });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog(page)).toContainText("It was changed elsewhere meanwhile");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("My film");
  await page.getByRole("button", { name: "Discard changes" }).click();

  await hub.call("group", "set", { object_id: "some", name: "Some", entities: ["light.hall"] });
  await page.goto("/settings/automations");
  await page.getByRole("button", { name: "Edit Some" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Mine");
  await hub.call("group", "set", { object_id: "some", name: "Theirs" });
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("It was changed elsewhere meanwhile")).toBeVisible();
  await page.locator("hearth-confirm").getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page).getByLabel("Name", { exact: true })).toHaveValue("Mine");
  await hub.call("group", "remove", { object_id: "some" });
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Somebody has deleted it meanwhile.");
  await expect(dialog(page).getByLabel("Name", { exact: true })).toHaveValue("Mine");
});
