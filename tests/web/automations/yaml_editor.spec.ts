// SPDX-License-Identifier: Apache-2.0
// Automations, scripts and scenes as YAML, from nothing to deleted.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, fits } from "../pages";

const pump = `alias: Hall <b>light</b>
triggers:
  - trigger: state
    entity_id: switch.garden_pump
    to: on
actions:
  - action: light.turn_on
    target: {entity_id: light.hall}
`;

const content = (page: Page) => page.getByRole("textbox", { name: "YAML text" });
const saveButton = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

// From the sentences to the text.
async function showText(page: Page): Promise<void> {
  await page.getByRole("link", { name: "YAML", exact: true }).click();
}

async function write(page: Page, text: string): Promise<void> {
  await content(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

async function textOf(page: Page): Promise<string> {
  return (await content(page).locator(".cm-line").allTextContents()).join("\n");
}

// The number of the line that is marked.
async function markedLine(page: Page): Promise<string> {
  const place = await page.locator(".cm-lintRange-error").first().boundingBox();
  for (const number of await page.locator(".cm-lineNumbers .cm-gutterElement").all()) {
    const box = await number.boundingBox();
    if (box && place && box.height > 0 && box.y <= place.y + place.height / 2 && box.y + box.height > place.y + place.height / 2)
      return number.innerText();
  }
  return "";
}

test("an automation is made from nothing, refused at its line, saved, run, changed and deleted", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/400 \(Bad Request\)/);
  expectComplaint(/404 \(Not Found\).*\/config\/automation\/config\//, false); // the page may ask for what is just being deleted
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  const page = await open("/settings/automations", { hub });
  await page.getByRole("link", { name: "New automation" }).click();
  await showText(page);
  await expect(content(page)).toContainText("triggers:");
  await write(page, pump.replace("to: on", "too: on"));
  await expect(page.getByRole("status").filter({ hasText: "too" })).toContainText("Line 5"); // while it is being written
  await page.keyboard.press("Control+s");
  const refusal = page.getByRole("alert");
  await expect(refusal).toContainText("triggers[0].too: unknown key, did you mean to?");
  expect(await markedLine(page)).toBe("5");
  expect(
    (await hub.rest<{ entity_id: string }[]>("GET", "/api/states")).filter(({ entity_id }) => entity_id.startsWith("automation.")),
  ).toEqual([]);

  await write(page, pump);
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("heading", { name: "Hall <b>light</b>" })).toBeVisible();
  expect(new URL(page.url()).pathname).toMatch(/^\/settings\/automations\/automation\.hall/);
  const { entity_id: id } = (await hub.rest<{ entity_id: string }[]>("GET", "/api/states")).find(({ entity_id }) =>
    entity_id.startsWith("automation."),
  ) as { entity_id: string };
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
  await expect(page.getByText(/^Last run/)).toBeVisible();

  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  await page.getByRole("button", { name: "Run now" }).click();
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");

  await write(page, pump.replace("Hall", "Corridor"));
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await saveButton(page).click();
  await expect(page.getByRole("heading", { name: "Corridor <b>light</b>" })).toBeVisible();
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  const stored = await hub.rest<{ alias: string }>("GET", `/api/config/automation/config/${String((await hub.state(id)).attributes.id)}`);
  expect(stored.alias).toBe("Corridor <b>light</b>");

  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("There are no automations yet.")).toBeVisible();
  expect((await hub.fetch("GET", `/api/states/${id}`, undefined, hub.token("ann"))).status).toBe(404);
});

test("what is not saved is not lost without a question", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/evening", { alias: "Evening", sequence: [{ delay: 1 }] });
  const page = await open("/settings/automations", { hub });
  await page.getByRole("link", { name: "Evening", exact: true }).click();
  await showText(page);
  await write(page, "alias: Night\nsequence: []\n");
  await page.getByRole("link", { name: "Overview" }).click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect(await textOf(page)).toContain("Night");
  await page.goBack(); // to its sentences
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Night");
  await page.goBack();
  await expect(dialog(page)).toContainText("You have not saved it yet.");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/script\.evening$/);
  await showText(page);
  expect(await textOf(page)).toContain("Night");
  let asked = false;
  page.once("dialog", (question) => {
    asked = question.type() === "beforeunload";
    void question.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe(true);
  await page.goBack();
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL(/\/settings\/automations$/);
  await expect(page.getByRole("link", { name: "Evening", exact: true })).toBeVisible();
  expect((await hub.rest<{ alias: string }>("GET", "/api/config/script/config/evening")).alias).toBe("Evening");
});

test("a change that others made meanwhile is not overwritten without a question", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/412/);
  const hub = await startHub();
  const path = "/api/config/script/config/evening";
  await hub.rest("POST", path, { alias: "Evening", sequence: [{ delay: 1 }] });
  const page = await open("/settings/automations/script.evening?view=yaml", { hub });
  await write(page, "alias: Mine\nsequence: []\n");
  await hub.rest("POST", path, { alias: "Theirs", sequence: [{ delay: 2 }] });
  await saveButton(page).click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect((await hub.rest<{ alias: string }>("GET", path)).alias).toBe("Theirs");
  await saveButton(page).click();
  await dialog(page).getByRole("button", { name: "Replace" }).click();
  await expect.poll(async () => (await hub.rest<{ alias: string }>("GET", path)).alias).toBe("Mine");
});

test("what has no id is shown, cannot be edited, and can be duplicated", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "automation:\n  - alias: Fixed\n    triggers: []\n    actions: [{delay: 1}]\n" });
  const page = await open("/settings/automations/automation.fixed?view=yaml", { hub });
  await expect(page.getByText("It has no id, so it can only be changed in its file.")).toBeVisible();
  await expect(content(page)).toContainText("alias: Fixed");
  await expect(saveButton(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await content(page).click();
  await page.keyboard.type("x");
  expect(await textOf(page)).toContain("alias: Fixed");
  await page.getByRole("link", { name: "Duplicate" }).click();
  await showText(page);
  await expect(content(page)).toContainText("Fixed (copy)");
  await saveButton(page).click();
  await expect(page.getByRole("heading", { name: "Fixed (copy)" })).toBeVisible();
  expect((await hub.state("automation.fixed_copy")).attributes.id).toMatch(/^\d+$/);
});

test("a script gets its object id, and a scene is made, activated and deleted", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/status of 404 .*\/api\/config\/scene\/config\//, false); // if the page asks once more for what is being deleted
  const hub = await startHub();
  const page = await open("/settings/automations", { hub });
  await page.getByRole("link", { name: "New script" }).click();
  await showText(page);
  await write(page, "alias: Küche aus\nsequence:\n  - action: light.turn_off\n    target: {entity_id: light.kitchen}\n");
  await saveButton(page).click();
  await expect(page).toHaveURL(/script\.kueche_aus\?view=yaml$/);

  await page.goto("/settings/automations");
  await page.getByRole("link", { name: "New scene" }).click();
  await showText(page);
  await write(page, "name: Reading\nentities:\n  light.hall: {statee: on}\n");
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  await write(page, "name: Reading\nentities:\n  light.hall: {state: on}\n");
  await saveButton(page).click();
  await expect(page.getByRole("heading", { name: "Reading" })).toBeVisible();
  await page.goto("/settings/automations");
  const row = page.getByRole("listitem").filter({ hasText: "Reading" });
  await expect(row).toContainText("Has not been activated yet");
  await row.getByRole("button", { name: "Activate: Reading" }).click();
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
  await expect(row).toContainText("Activated");
  await row.getByRole("link", { name: "Reading" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/settings\/automations$/);
  await expect(page.getByRole("link", { name: "Reading" })).toHaveCount(0);
});

test("a text that is no YAML is marked where it breaks, and the keyboard leaves the editor", async ({ open, startHub }) => {
  const page = await open("/settings/automations/new-automation?view=yaml", { hub: await startHub() });
  await write(page, "alias: Hall\nmode: !secret mode\n");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("alert")).toContainText("Line 2");
  await page.getByRole("alert").getByRole("button").click();
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(content(page)).not.toBeFocused();
});

test("the editor is fetched by the page that shows it, and by no other; it is under 250 kB", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "script:\n  evening:\n    sequence: [{delay: 1}]\n" });
  const page = await open("about:blank", { hub });
  const sizes = new Map<string, number>();
  page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/yaml_editor"))
      void request.sizes().then(({ responseBodySize }) => sizes.set(pathname, responseBodySize));
  });
  await page.goto("/settings/automations");
  await expect(page.getByRole("link", { name: "evening", exact: true })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...sizes]).toEqual([]);
  await page.getByRole("link", { name: "evening", exact: true }).click();
  await expect(page.getByRole("region", { name: "Then do" })).toBeVisible();
  expect([...sizes]).toEqual([]);
  await showText(page);
  await expect(content(page)).toBeVisible();
  await expect.poll(() => sizes.size).toBe(1);
  const [size = 0] = sizes.values();
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(250_000);
});

for (const [language, width] of [
  ["en-GB", 360],
  ["de-DE", 1024],
  ["de-DE", 2560],
] as const) {
  test(`the editor fits ${width} px in ${language}, and is accessible in both themes`, async ({ open, startHub, expectComplaint }) => {
    expectComplaint(/400 \(Bad Request\)/);
    const hub = await startHub();
    const triggers = [{ trigger: "state", entity_id: "switch.garden_pump", to: "on" }];
    await hub.rest("POST", "/api/config/automation/config/hall", {
      alias: "Hall light",
      triggers,
      actions: [{ action: "light.turn_on", target: { area_id: "hall" } }],
    });
    const page = await open("/settings/automations/automation.hall_light?view=yaml", { hub, language, width });
    const editor = page.getByRole("textbox", { name: /^YAML.[Tt]ext$/ });
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("mod: single");
    await page.keyboard.press("Control+s");
    await expect(page.getByRole("alert")).toContainText(/(Line|Zeile) 11/);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await fits(page);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))).toEqual([]);
      await page.screenshot({
        path: `../../build/screenshots/yaml-editor-${width}-${language}-${colorScheme}.png`,
        animations: "disabled",
      });
    }
  });
}
