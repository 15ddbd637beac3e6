// SPDX-License-Identifier: Apache-2.0
// Blueprints: imported, used, changed, made of an automation, replaced and deleted.
import { createServer } from "node:http";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { dialog, fits } from "../pages";

const motion = `blueprint:
  name: Motion light
  description: A light while there is motion
  domain: automation
  author: Ann
  input:
    motion:
      name: Motion
      selector: {entity: {filter: {domain: binary_sensor, device_class: motion}}}
    lights:
      name: Lights
      selector: {target: {entity: {domain: light}}}
    more:
      name: More
      input:
        level:
          name: Level
          default: 77
          selector: {number: {min: 1, max: 255}}
        after:
          name: Off after
          default: {minutes: 2}
          selector: {duration: {}}
triggers:
  - {trigger: state, entity_id: !input motion, to: "on"}
actions:
  - {action: light.turn_on, target: !input lights, data: {brightness: !input level}}
  - {delay: !input after}
  - {action: light.turn_off, target: !input lights}
`;
const use = {
  alias: "Hall",
  use_blueprint: { path: "ann/motion_light.yaml", input: { motion: "binary_sensor.hall_motion", lights: { entity_id: "light.hall" } } },
};

async function withBlueprint(startHub: () => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  const file = join(hub.folder, "blueprints/automation/ann/motion_light.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, motion);
  return hub;
}

const stored = (hub: Hub, id: string) => hub.rest("GET", `/api/config/automation/config/${id}`) as Promise<Record<string, unknown>>;

for (const width of [1280, 360]) {
  test(`a blueprint is pasted, used and its inputs are changed, at ${width} px`, async ({ open, startHub, expectComplaint }) => {
    expectComplaint(/400/); // what is refused
    const hub = await startHub();
    const page = await open("/settings/automations", { hub, width });
    await page.getByRole("link", { name: "Blueprints", exact: true }).click();
    await expect(page.getByRole("listitem")).toHaveCount(8); // the hub's own
    await page.getByRole("link", { name: "Import a blueprint" }).click();
    await page.getByLabel("Or its text").fill(motion);
    await page.getByRole("button", { name: "Look at it" }).click();
    await expect(page.getByRole("heading", { name: "Motion light" })).toBeFocused();
    await expect(page.getByText("Asks for: Motion, Lights, Level, Off after")).toBeVisible();
    await expect(page.getByLabel("Saved as")).toHaveValue("ann/motion_light.yaml");
    expect(existsSync(join(hub.folder, "blueprints"))).toBe(false);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("blueprints/automation/ann/motion_light.yaml")).toBeVisible();
    expect(readFileSync(join(hub.folder, "blueprints/automation/ann/motion_light.yaml"), "utf8")).toBe(motion);

    await page.getByRole("link", { name: "Use", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Hall");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.locator("hearth-selector-field").filter({ hasText: "Motion" }).getByRole("alert")).toHaveText("Fill this in.");
    await page.getByRole("combobox", { name: "Motion" }).fill("hall");
    await page.getByRole("option", { name: /^Hall motion/ }).click();
    await page.getByRole("combobox", { name: "Entities" }).fill("hall");
    await page.getByRole("option", { name: /^Hall light/ }).click();
    await page.getByRole("spinbutton", { name: "Level" }).fill("100");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Hall", exact: true })).toBeVisible();
    const { attributes } = await hub.state("automation.hall");
    const id = String(attributes.id);
    const input = { motion: "binary_sensor.hall_motion", lights: { entity_id: "light.hall" }, level: 100 };
    expect(await stored(hub, id)).toEqual({ id, alias: "Hall", use_blueprint: { path: "ann/motion_light.yaml", input } });

    await page.reload();
    await expect(page.getByRole("spinbutton", { name: "Level" })).toHaveValue("100");
    await expect(page.getByRole("spinbutton", { name: "Minutes" })).toHaveValue("2");
    await page.getByRole("button", { name: "Back to what the blueprint says: Level" }).click();
    await expect(page.getByRole("spinbutton", { name: "Level" })).toHaveValue("77");
    await page.getByRole("spinbutton", { name: "Minutes" }).fill("5");
    await page.getByRole("spinbutton", { name: "Minutes" }).press("Tab");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Not saved yet")).toHaveCount(0);
    const { level: _, ...others } = input;
    await expect
      .poll(async () => (await stored(hub, id)).use_blueprint)
      .toEqual({ path: "ann/motion_light.yaml", input: { ...others, after: { hours: 0, minutes: 5, seconds: 0 } } });
    await hub.call("light", "turn_off", { entity_id: "light.hall" });
    await hub.setState("binary_sensor.hall_motion", "off", { device_class: "motion" });
    await hub.setState("binary_sensor.hall_motion", "on", { device_class: "motion" });
    await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
    await fits(page);
  });
}

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`a home without automations begins with a blueprint of the hub, in ${language} at ${width} px`, async ({ open, startHub }) => {
    const isGerman = language === "de-DE";
    const hub = await startHub();
    const page = await open("/settings/automations", { hub, language, width });
    const called = isGerman ? "Licht bei Bewegung" : "Light on motion";
    await page.getByRole("link", { name: called }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(called);
    await page.getByRole("combobox", { name: isGerman ? "Bewegungsmelder" : "Motion sensors" }).fill("hall");
    await page.getByRole("option", { name: /^Hall motion/ }).click();
    await page.getByRole("combobox", { name: isGerman ? "Entitäten" : "Entities" }).fill("hall");
    await page.getByRole("option", { name: /^Hall light/ }).click();
    await fits(page);
    await page.getByRole("button", { name: isGerman ? "Speichern" : "Save", exact: true }).click();
    const id = async () => {
      const states = await hub.rest<{ entity_id: string; attributes: { id?: string } }[]>("GET", "/api/states");
      return states.find(({ entity_id }) => entity_id.startsWith("automation."))?.attributes.id ?? "";
    };
    await expect.poll(id).not.toBe("");
    expect((await stored(hub, await id())).use_blueprint).toMatchObject({
      path: "hearth/motion_light.yaml",
      input: { motion: ["binary_sensor.hall_motion"], lights: { entity_id: "light.hall" } },
    });
  });
}

test("a blueprint of the hub is neither deleted nor replaced, and copied to be changed", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/blueprints", { hub });
  await expect(page.getByRole("listitem").filter({ hasText: "Of the hub" })).toHaveCount(8);
  await page.getByRole("link", { name: "Light on motion", exact: true }).click();
  await expect(page.getByRole("link", { name: "Use", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "New version" })).toHaveCount(0);
  await looksRight(page, "blueprint-of-hub");
  await page.getByRole("link", { name: "Take as own copy" }).click();
  await expect(page.getByLabel("Saved as")).toHaveValue("own/light_on_motion.yaml");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("blueprints/automation/own/light_on_motion.yaml")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toBeVisible();
  expect(readFileSync(join(hub.folder, "blueprints/automation/own/light_on_motion.yaml"), "utf8")).toContain("name: Light on motion");
});

test("a blueprint is fetched only by a press, and its address is kept", async ({ open, startHub }) => {
  let asked = 0;
  const server = createServer((_, answer) => {
    asked++;
    answer.end(motion);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/motion.yaml`;
  const hub = await startHub();
  const page = await open("/settings/automations/import-blueprint", { hub });
  await page.getByRole("button", { name: "Fetch it" }).click();
  await expect(page.getByRole("alert")).toHaveText("Fill this in.");
  await page.getByLabel("Address").fill("file:///etc/passwd");
  await page.getByRole("button", { name: "Fetch it" }).click();
  await expect(page.getByRole("alert")).toContainText("address");
  await page.getByLabel("Address").fill(address);
  expect(asked).toBe(0);
  await page.getByRole("button", { name: "Fetch it" }).click();
  await expect(page.getByRole("heading", { name: "Motion light" })).toBeVisible();
  expect(asked).toBe(1);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "New version" }).click();
  await expect(page.getByLabel("Address")).toHaveValue(address);
  expect(asked).toBe(1);
  server.close();
});

test("a new version shows what changes and whom it breaks; the former one comes back; in use it stays", async ({ open, startHub }) => {
  const hub = await withBlueprint(startHub);
  await hub.rest("POST", "/api/config/automation/config/1", use);
  const page = await open("/settings/automations/blueprints", { hub });
  const row = page.getByRole("listitem").filter({ hasText: "Motion light" });
  await expect(row).toContainText("Used by Hall");
  await row.getByRole("link", { name: "Motion light", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alert")).toContainText("Hall");

  await page.getByRole("link", { name: "New version" }).click();
  const next = motion.replace("    more:\n", "    room:\n      name: Room\n    more:\n");
  await page.getByLabel("A file", { exact: true }).setInputFiles({ name: "next.yaml", mimeType: "text/yaml", buffer: Buffer.from(next) });
  await expect(page.getByText("One does not fit the new version")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Hall" })).toHaveText("Hall: “Room” is missing");
  await expect(page.locator("hearth-text-changes .added")).toHaveText([/room:/, /name: Room/]);
  await looksRight(page, "blueprint-import");
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect(page.getByText("Former versions")).toBeVisible();
  await page.getByText("The version before").click();
  await expect(page.locator("hearth-text-changes .added")).toHaveCount(2);
  await looksRight(page, "blueprint-page");
  await page.getByRole("button", { name: "Go back to this version" }).click();
  await expect.poll(() => readFileSync(join(hub.folder, "blueprints/automation/ann/motion_light.yaml"), "utf8")).toBe(motion);

  await hub.rest("DELETE", "/api/config/automation/config/1");
  await page.reload();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("link", { name: "Light on motion", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Motion light", exact: true })).toHaveCount(0);
});

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`who goes on with a former version is told what the new one asks for, in ${language} at ${width} px`, async ({ open, startHub }) => {
    const isGerman = language === "de-DE";
    let text = motion;
    const server = createServer((_, answer) => void answer.end(text));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const hub = await startHub();
    const page = await open("/settings/automations/import-blueprint", { hub, language, width });
    const fetchIt = page.getByRole("button", { name: isGerman ? "Holen" : "Fetch it" });
    const save = page.getByRole("button", { name: isGerman ? "Speichern" : "Save", exact: true });
    await page.locator("#address").fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/motion.yaml`);
    await fetchIt.click();
    await save.click();
    await expect(page.locator("hearth-blueprint-page")).toContainText("127_0_0_1/motion.yaml");
    await hub.rest("POST", "/api/config/automation/config/1", {
      ...use,
      use_blueprint: { ...use.use_blueprint, path: "127_0_0_1/motion.yaml" },
    });

    // Where it is from stays, though the text does not say so.
    await page.getByRole("link", { name: isGerman ? "Neue Fassung" : "New version" }).click();
    await fetchIt.click();
    await expect(page.locator("hearth-text-changes")).toHaveText(isGerman ? "Nichts ändert sich." : "Nothing changes.");
    text = motion.replace("    more:\n", "    room:\n      name: Room\n    more:\n");
    await fetchIt.click();
    await expect(page.getByRole("listitem").filter({ hasText: "Hall" })).toHaveText(
      isGerman ? "Hall: „Room“ fehlt" : "Hall: “Room” is missing",
    );
    await expect(page.locator("hearth-text-changes .removed")).toHaveCount(0);
    await page.getByRole("button", { name: isGerman ? "Ersetzen" : "Replace it" }).click();
    await expect(page.locator("hearth-blueprint-page")).toContainText("127_0_0_1/motion.yaml");

    await page.goto("/settings/automations/automation.hall");
    const notice = page.locator("hearth-blueprint-form").getByRole("status");
    await expect(notice).toContainText(isGerman ? "fragt nach mehr: Room" : "asks for more: Room");
    await fits(page);
    await page.locator('hearth-selector-field[data-input="room"]').getByRole("textbox").fill("Hall");
    await expect(notice).toBeVisible();
    await save.click();
    await expect(notice).toHaveCount(0);
    server.close();
  });
}

test("an automation becomes a blueprint, and uses it", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/7", {
    alias: "Hall light",
    triggers: [{ trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on" }],
    actions: [{ action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness: 120 } }],
  });
  const page = await open("/settings/automations/automation.hall_light", { hub });
  await page.getByRole("link", { name: "Make a blueprint" }).click();
  await expect(page.getByRole("checkbox", { name: /^Hall motion entity_id/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /^120 brightness/ })).not.toBeChecked();
  await page.getByRole("checkbox", { name: /^120 brightness/ }).check();
  await page.getByLabel("Asked for as").nth(2).fill("How bright");
  await looksRight(page, "blueprint-make");
  await page.getByRole("button", { name: "Make a blueprint" }).click();
  await expect(page.getByText("blueprints/automation/test_home/hall_light.yaml")).toBeVisible();
  const text = readFileSync(join(hub.folder, "blueprints/automation/test_home/hall_light.yaml"), "utf8");
  expect(text).toContain("entity_id: !input hall_motion");
  expect(text).toContain("brightness: !input how_bright");
  expect(await stored(hub, "7")).toEqual({
    id: "7",
    alias: "Hall light",
    use_blueprint: {
      path: "test_home/hall_light.yaml",
      input: { hall_motion: "binary_sensor.hall_motion", hall_light: "light.hall", how_bright: 120 },
    },
  });
  await expect(page.getByRole("link", { name: "Hall light" })).toBeVisible();
});

test("a blueprint of all that an automation has is used by it, and what is chosen is called as in the home", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/7", {
    alias: "Evening",
    triggers: [
      { trigger: "sun", event: "sunset", offset: "-00:30:00" },
      { trigger: "numeric_state", entity_id: "sensor.outside", below: -5.5 },
    ],
    actions: [{ action: "light.turn_on", target: { area_id: "living_room" } }, { delay: { minutes: 5 } }],
  });
  const page = await open("/settings/automations/make-blueprint?from=automation.evening", { hub, language: "de-DE", width: 360 });
  const offered = page.getByRole("group", { name: "Was jede Verwendung ausfüllt" });
  await expect(offered.locator("div > label.check:first-child")).toHaveText([
    "-00:30:00 offset",
    "sensor.outside entity_id",
    "-5.5 below",
    "Living room area_id",
    "0:05:00 delay",
  ]);
  for (const box of await offered.locator("div > label.check:first-child").all()) await box.getByRole("checkbox").check();
  await fits(page);
  await page.getByRole("button", { name: "Vorlage machen" }).click();
  await expect(page.getByText("blueprints/automation/test_home/evening.yaml")).toBeVisible();
  const input = { offset: "-00:30:00", sensor_outside: "sensor.outside", below: -5.5, living_room: "living_room", delay: { minutes: 5 } };
  expect((await stored(hub, "7")).use_blueprint).toEqual({ path: "test_home/evening.yaml", input });
  expect((await hub.state("automation.evening")).state).toBe("on");
});

test("the list and the form of a blueprint are accessible @all", async ({ open, startHub }) => {
  const hub = await withBlueprint(startHub);
  await hub.rest("POST", "/api/config/automation/config/1", use);
  const page = await open("/settings/automations/blueprints", { hub });
  await expect(page.getByText("Used by")).toBeVisible();
  await looksRight(page, "blueprints");
  await page.goto("/settings/automations/automation.hall");
  await expect(page.getByRole("combobox", { name: "Motion" })).toBeVisible();
  await looksRight(page, "blueprint-form");
});

const greeting = `blueprint:
  name: Says hello
  domain: automation
  input:
    who: {name: Who, selector: {text: {}}}
    words: {name: Words, default: Hello, selector: {text: {}}}
    days:
      name: Days
      default: [mon]
      selector: {select: {multiple: true, options: [{value: mon, label: Monday}, {value: tue, label: Tuesday}]}}
    level: {name: Level, default: 77, selector: {number: {min: 1, max: 100}}}
    rare:
      name: Rarely needed
      collapsed: true
      input:
        note: {name: Note, default: "", selector: {text: {}}}
triggers: []
actions:
  - {event: hello, event_data: {who: !input who, words: !input words, days: !input days, level: !input level, note: !input note}}
`;

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`what is emptied stays empty instead of its default, and what is wrong is called by its name, in ${language} at ${width} px`, async ({
    open,
    startHub,
    expectComplaint,
  }) => {
    expectComplaint(/400/); // what is refused
    const isGerman = language === "de-DE";
    const hub = await startHub();
    mkdirSync(join(hub.folder, "blueprints/automation/me"), { recursive: true });
    writeFileSync(join(hub.folder, "blueprints/automation/me/hello.yaml"), greeting);
    const page = await open("/settings/automations/new-automation?blueprint=me%2Fhello.yaml", { hub, language, width });
    const field = (key: string) => page.locator(`hearth-selector-field[data-input="${key}"]`);
    const save = page.getByRole("button", { name: isGerman ? "Speichern" : "Save", exact: true });
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Says hello");
    await expect(field("note")).toBeHidden();
    await field("days").getByLabel("Monday").uncheck();
    await field("words").getByRole("textbox").press("End");
    for (const _ of "Hello") await page.keyboard.press("Backspace");
    await expect(field("words").getByRole("textbox")).toHaveValue("");
    const level = field("level").getByRole("spinbutton");
    await level.press("End");
    for (const _ of "77") await page.keyboard.press("Backspace");
    await expect(level).toHaveValue("");
    await expect(field("level").getByRole("alert")).toHaveText(isGerman ? "Fülle das aus." : "Fill this in.");
    await save.click();
    const wrong = page.locator("hearth-item-editor").getByRole("alert").getByRole("listitem");
    await expect(wrong).toHaveText([isGerman ? "Level: Fülle das aus." : "Level: Fill this in."]);
    await level.pressSequentially("5");
    await save.click();
    await expect(wrong).toHaveText([isGerman ? "Who: Fülle das aus." : "Who: Fill this in."]);
    await expect(field("who").getByRole("textbox")).toBeFocused();
    await page.keyboard.type("Ann");
    await save.click();
    await expect(page.getByRole("heading", { name: "Says hello", exact: true })).toBeVisible();
    const { attributes } = await hub.state("automation.says_hello");
    const given = async () => ((await stored(hub, String(attributes.id))).use_blueprint as { input: unknown }).input;
    expect(await given()).toEqual({ who: "Ann", words: "", days: [], level: 5 });
    await page.reload();
    await expect(field("days").getByLabel("Monday")).not.toBeChecked();
    for (const name of ["Words", "Days", "Level"])
      await page.getByRole("button", { name: `${isGerman ? "Zurück zur Vorgabe" : "Back to what the blueprint says"}: ${name}` }).click();
    await expect(field("days").getByLabel("Monday")).toBeChecked();
    await expect(field("words").getByRole("textbox")).toHaveValue("Hello");
    await expect(level).toHaveValue("77");
    await save.click();
    await expect.poll(given).toEqual({ who: "Ann" });
  });
}

const doubled = `blueprint:
  name: Doubled
  domain: template
  input:
    source: {name: Source, selector: {entity: {filter: {domain: sensor}}}}
    factor: {name: Factor, default: 2, selector: {number: {min: 1, max: 9}}}
variables: {source: !input source, factor: !input factor}
sensor:
  - name: Doubled
    state: "{{ states(source) | float * factor }}"
`;

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`a blueprint of template entities has a form, which gives the text for the files, in ${language} at ${width} px`, async ({
    open,
    startHub,
  }) => {
    const isGerman = language === "de-DE";
    const hub = await startHub();
    mkdirSync(join(hub.folder, "blueprints/template/me"), { recursive: true });
    writeFileSync(join(hub.folder, "blueprints/template/me/doubled.yaml"), doubled);
    await hub.setState("sensor.own", "21");
    const page = await open("/settings/automations/blueprints", { hub, language, width });
    await page.getByRole("link", { name: isGerman ? "Doubled verwenden" : "Use Doubled" }).click();
    const source = page.locator('hearth-selector-field[data-input="source"]');
    await expect(source.getByRole("alert")).toHaveText(isGerman ? "Fülle das aus." : "Fill this in.");
    await source.getByRole("combobox").fill("sensor.own");
    await source.getByRole("option", { name: /sensor\.own/ }).click();
    await expect(source.getByRole("alert")).toHaveCount(0);
    await page.getByText(isGerman ? "Was die Vorlage daraus macht" : "What the blueprint makes of it").click();
    await expect(page.locator("details pre")).toContainText("source: sensor.own");
    await looksRight(page, "blueprint-use-template", { widths: [width] });
    appendFileSync(join(hub.folder, "configuration.yaml"), `template:\n${(await page.locator("pre.use").textContent()) ?? ""}`);
    await page.getByRole("button", { name: isGerman ? "Dateien neu lesen" : "Read the files again" }).click();
    await expect.poll(async () => (await hub.state("sensor.doubled").catch(() => undefined))?.state).toBe("42.0");
  });
}
