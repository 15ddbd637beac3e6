// SPDX-License-Identifier: Apache-2.0
// Settings → Automations: what happens by itself, and the helpers that people make for it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { command, dialog, settled } from "../pages";

const configuration = `
automation:
  - alias: Hall light
    triggers: [{trigger: state, entity_id: switch.garden_pump, to: "on"}]
    actions: [{action: light.turn_on, target: {entity_id: light.hall}}]
  - alias: Broken one
    triggers: [{trigger: state, entity_idd: light.hall}]
    actions: []
script:
  evening:
    alias: Evening
    sequence: [{action: light.turn_off, target: {entity_id: light.hall}}, {delay: 3600}]
`;

test("automations are switched and run, and say when they ran and what is wrong", async ({ open, startHub }) => {
  const hub = await startHub({ configuration });
  hub.errorsExpected = true; // of the broken one
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  const page = await open("/settings/automations", { hub });
  const row = page.getByRole("listitem").filter({ hasText: "Hall light" });
  await expect(row).toContainText("Has not run yet");
  await row.getByRole("button", { name: "Run: Hall light" }).click();
  await expect(row).toContainText("Last run");
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");

  const shown = row.getByRole("switch", { name: "Hall light" });
  await shown.click();
  await expect.poll(async () => (await hub.state("automation.hall_light")).state).toBe("off");
  await hub.call("automation", "turn_on", { entity_id: "automation.hall_light" });
  await expect(shown).toHaveAttribute("aria-checked", "true");

  const broken = page.getByRole("listitem").filter({ hasText: "Broken one" });
  await expect(broken).toContainText("entity_idd");
  await expect(broken.getByRole("button", { name: "Run: Broken one" })).toBeDisabled();
  await expect(broken.getByRole("switch")).toBeDisabled();
});

test("a script is run and stopped, and its page and its dialog open", async ({ open, startHub }) => {
  const hub = await startHub({ configuration });
  hub.errorsExpected = true;
  const page = await open("/settings/automations", { hub });
  const row = page.getByRole("listitem").filter({ hasText: "Evening" });
  const stop = row.getByRole("button", { name: "Stop: Evening" });
  await expect(stop).toHaveCount(0);
  await row.getByRole("button", { name: "Run: Evening" }).click();
  await expect(row).toContainText("Running");
  await stop.click();
  await expect(stop).toHaveCount(0);
  await expect.poll(async () => (await hub.state("script.evening")).state).toBe("off");
  await row.getByRole("link", { name: "Evening" }).click();
  await page.getByRole("link", { name: "State", exact: true }).click();
  await expect(dialog(page)).toHaveCount(1);
});

for (const [width, columns] of [
  [360, 1],
  [1280, 2],
] as const)
  test(`a long list of automations fills a page ${width} px wide, and the others are below it`, async ({ open, startHub }) => {
    const many = Array.from({ length: 90 }, (_, index) => `  - {alias: Automation ${index}, triggers: [], actions: []}`).join("\n");
    const hub = await startHub({ configuration: `automation:\n${many}\nscript: {evening: {alias: Evening, sequence: []}}\n` });
    const page = await open("/settings/automations", { hub, width, height: 900 });
    const rows = page.getByRole("listitem").filter({ hasText: /Automation \d/ });
    await expect.poll(() => rows.count()).toBeGreaterThan(20);
    const boxes = await Promise.all((await rows.all()).slice(0, 8).map((row) => row.boundingBox()));
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(columns);
    // The last of a row ends where the page does.
    const list = await page.locator("section.card").first().boundingBox();
    const right = Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0)));
    expect((list?.x ?? 0) + (list?.width ?? 0) - right).toBeLessThan(40);
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeGreaterThan(width - 60);
    await page.screenshot({ path: `../../build/screenshots/automations-many-${width}.png`, animations: "disabled" });
    await page.getByRole("button", { name: "Scripts (1)" }).click();
    await expect(page.getByRole("link", { name: "Evening" })).toBeInViewport();
    // Few are beside the others again.
    await page.getByRole("searchbox").fill("Automation 1");
    await expect(rows).toHaveCount(18);
    expect(new Set(await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().x))).size).toBe(1);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: `../../build/screenshots/automations-few-${width}.png`, animations: "disabled" });
  });

test("an error that is of no line of the text names none, but its file", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/400|500/);
  const hub = await startHub();
  writeFileSync(join(hub.folder, "scripts.yaml"), "evening: [\n");
  const page = await open("/settings/automations/new-script?view=yaml", { hub });
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText("{alias: Evening, sequence: []}");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const said = page.locator(".problem-list li");
  await expect(said).toContainText("scripts.yaml");
  await expect(said).toBeInViewport();
  expect(await said.innerText()).not.toMatch(/^Line/);
  await expect(page.locator(".cm-lintRange-error")).toHaveCount(0);
});

test("the files are read again", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub });
  await expect(page.getByText("There are no automations yet.")).toBeVisible();
  await page.getByRole("button", { name: "Read the files again" }).click();
  await expect(page.locator("hearth-notices")).toContainText("The files have been read.");
});

test("helpers are made, changed and deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub });
  const list = page.locator("hearth-helpers");
  await expect(list).toContainText("There are no helpers yet.");
  const add = async (kind: string, name: string, more: Record<string, string> = {}) => {
    await page.getByRole("button", { name: "Add helper" }).click();
    await dialog(page).getByLabel("Kind").selectOption({ label: kind });
    await dialog(page).getByLabel("Name", { exact: true }).fill(name);
    for (const [label, value] of Object.entries(more)) await dialog(page).getByLabel(label, { exact: true }).fill(value);
    await dialog(page).getByRole("button", { name: "Add helper" }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await add("Switch helper", "Guests are here");
  await add("Number helper", "Guest count", { Greatest: "12", Unit: "persons" });
  await add("Choice helper", "Season", { Choices: "spring\nsummer \nwinter, dark" });
  await add("Counter", "Visits", { Least: "0" });
  const rows = list.getByRole("listitem");
  await expect(rows).toHaveCount(4);
  expect((await hub.state("input_boolean.guests_are_here")).state).toBe("off");
  expect((await hub.state("input_number.guest_count")).attributes).toMatchObject({
    min: 0,
    max: 12,
    step: 1,
    unit_of_measurement: "persons",
    mode: "slider",
  });
  expect((await hub.state("input_select.season")).attributes.options).toEqual(["spring", "summer", "winter, dark"]);
  await hub.call("counter", "increment", { entity_id: "counter.visits" });
  await expect(rows.filter({ hasText: "Visits" })).toContainText("1");

  await page.getByRole("button", { name: "Edit Season" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Time of year");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await hub.state("input_select.season")).attributes).toMatchObject({
    friendly_name: "Time of year",
    options: ["spring", "summer", "winter, dark"],
  });

  await page.getByRole("button", { name: "Edit Guest count" }).click();
  await expect(dialog(page).getByLabel("Kind")).toHaveCount(0);
  await expect(dialog(page).getByLabel("Greatest")).toHaveValue("12");
  await dialog(page).getByLabel("Unit").fill("");
  await dialog(page).getByLabel("Greatest").fill("0");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Greatest: expected more than 0");
  await dialog(page).getByLabel("Greatest").fill("20");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(async () => (await hub.state("input_number.guest_count")).attributes.max).toBe(20);
  expect((await hub.state("input_number.guest_count")).attributes).not.toHaveProperty("unit_of_measurement");

  await page.getByRole("button", { name: "Delete Visits" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(rows).toHaveCount(3);
  expect((await hub.fetch("GET", "/api/states/counter.visits", undefined, hub.token("ann"))).status).toBe(404);
});

test("groups that people made are listed and changed", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("group", "set", { object_id: "some", name: "Some of them", entities: ["light.hall", "light.b"] });
  const page = await open("/settings/automations", { hub });
  await expect(page.locator("hearth-helpers").getByRole("listitem").filter({ hasText: "Some of them" })).toContainText("Group");
  await page.getByRole("button", { name: "Edit Some of them" }).click();
  await expect(dialog(page).getByText("Hall light")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Remove light.b" }).click();
  await dialog(page).getByRole("combobox", { name: "Members" }).fill("kitchen light");
  await dialog(page)
    .getByRole("option", { name: /^Kitchen light/ })
    .click();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(async () => (await hub.state("group.some")).attributes.entity_id).toEqual(["light.hall", "light.kitchen"]);
});

test("timers and schedules are made and changed", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub });
  const add = async (kind: string, name: string, more: Record<string, string>) => {
    await page.getByRole("button", { name: "Add helper" }).click();
    await dialog(page).getByLabel("Kind").selectOption({ label: kind });
    await dialog(page).getByLabel("Name", { exact: true }).fill(name);
    for (const [label, value] of Object.entries(more)) await dialog(page).getByLabel(label).fill(value);
    await dialog(page).getByRole("button", { name: "Add helper" }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await add("Timer", "Eggs", { Duration: "00:07:00" });
  const monday = dialog(page).getByRole("textbox", { name: "Monday" });
  const write = async (times: string) => {
    await dialog(page).getByText("Exact times").click();
    await monday.fill(times);
    await monday.press("Tab");
  };
  await page.getByRole("button", { name: "Add helper" }).click();
  await dialog(page).getByLabel("Kind").selectOption({ label: "Schedule" });
  await dialog(page).getByLabel("Name", { exact: true }).fill("Heat");
  await write("06:30-08:00, 17:00-24:00");
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await hub.state("timer.eggs")).attributes.duration).toBe("0:07:00");
  expect((await hub.state("schedule.heat")).attributes.next_event).not.toBeNull();
  await hub.call("timer", "start", { entity_id: "timer.eggs" });
  await expect(page.getByRole("listitem").filter({ hasText: "Eggs" })).toContainText("Active");

  await page.getByRole("button", { name: "Edit Heat" }).click();
  await dialog(page).getByText("Exact times").click();
  await expect(monday).toHaveValue("06:30–08:00, 17:00–24:00");
  await dialog(page).getByText("Exact times").click();
  await write("06:30–08:00, 07:00–09:00");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("overlaps");
});

test("a date helper needs a date or a time", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub });
  await page.getByRole("button", { name: "Add helper" }).click();
  await dialog(page).getByLabel("Kind").selectOption("input_datetime");
  await dialog(page).getByLabel("Name", { exact: true }).fill("Alarm clock");
  await dialog(page).getByLabel("With a time").uncheck();
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page)).toContainText("It needs a date, a time or both.");
  await dialog(page).getByLabel("With a time").check();
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect((await hub.state("input_datetime.alarm_clock")).attributes).toMatchObject({ has_date: false, has_time: true });
});

test("many automations get a category, are grouped, filtered, switched and deleted at a time", async ({ open, startHub }) => {
  const hub = await startHub();
  for (let number = 1; number <= 6; number += 1)
    await hub.rest("POST", `/api/config/automation/config/a${number}`, { alias: `Rule ${number}`, triggers: [], actions: [] });
  await hub.rest("POST", "/api/config/script/config/s1", { alias: "Script 1", sequence: [] });
  const page = await open("/settings/automations", { hub });
  await settled(page);
  for (const name of ["Guests", "Party"]) await command(page, "input_boolean/create", { name });
  const helpers = page.locator("hearth-helpers");
  await page.getByRole("button", { name: "Choose several" }).click();
  for (const name of ["Rule 1", "Rule 2", "Script 1", "Guests"]) await page.getByRole("checkbox", { name: `Choose ${name}` }).check();
  await expect(page.getByText("4 chosen")).toBeVisible();
  await page.getByRole("button", { name: "Set category" }).click();
  await dialog(page)
    .getByRole("combobox", { name: /^Category/ })
    .fill("Light");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.locator("hearth-item-row").filter({ hasText: "Light" })).toHaveCount(3);
  await expect(helpers.getByRole("listitem").filter({ hasText: "Light" })).toContainText("Guests");
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await expect.poll(async () => (await hub.state("automation.rule_2")).state).toBe("off");
  expect((await hub.state("automation.rule_3")).state).toBe("on");

  await page.getByText("More filters").click();
  await page.getByLabel("Group").selectOption("category");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    "Light",
    "Without a category",
    "Light",
    "Without a category",
    "Light",
    "Without a category",
  ]);
  await looksRight(page, "automations-grouped", { widths: [1280, 360], fullPage: false });
  await page.getByLabel("Category").selectOption("Light");
  await expect(page.locator("hearth-item-row")).toHaveCount(3);
  await page.getByRole("button", { name: "Choose all shown" }).click();
  await expect(helpers).not.toContainText("Party");
  await page.getByRole("checkbox", { name: "Choose Script 1" }).uncheck();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog(page)).toContainText("Rule 1, Rule 2, Guests");
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("hearth-item-row")).toHaveText([/Script 1/]);
  await expect(helpers).not.toContainText("Guests");
  expect(Object.keys(await hub.rest<object>("GET", "/api/states/automation.rule_3"))).not.toHaveLength(0);

  await page.getByRole("button", { name: "Categories" }).click();
  await dialog(page).getByRole("textbox", { name: /Light/ }).fill("Lamps");
  await dialog(page).getByRole("textbox", { name: /Light/ }).press("Tab");
  await expect(dialog(page).getByRole("textbox", { name: /Lamps/ })).toBeVisible();
});
