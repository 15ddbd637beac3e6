// SPDX-License-Identifier: Apache-2.0
// Automations and scripts in sentences.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { fits } from "../pages";
import { add, choose, row, save, section } from "../sentences";

for (const width of [1280, 360]) {
  test(`light at motion, off after two minutes, only after sunset: from nothing, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    const page = await open("/settings/automations", { hub, width });
    await page.getByRole("link", { name: "New automation" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Hall at night");

    const when = section(page, "When");
    await add(when, /^Something changes/);
    await when.getByRole("button", { name: /^Entity/ }).click();
    await choose(page, "hall motion", /^Hall motion/, true);
    await when.getByRole("combobox", { name: "state" }).selectOption({ label: "Detected" });

    const andIf = section(page, "And if");
    await add(andIf, /^It is dark/);

    const then = section(page, "Then do");
    await add(then, /^Control something/);
    await then.getByRole("button", { name: /^what to do/ }).click();
    await choose(page, "light turn on", /^Turn on/);
    await then.getByRole("button", { name: /^for what/ }).click();
    await choose(page, "hall", /^Hall light/, true);
    await add(then, /^Wait for some time/);
    await add(then, /^Control something/);
    await then.getByRole("button", { name: /^what to do.*choose/ }).click();
    await choose(page, "light turn off", /^Turn off/);
    await then.getByRole("button", { name: /^for what.*choose/ }).click();
    await choose(page, "hall light", /^Hall light/, true);
    await fits(page);

    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Hall at night" })).toBeVisible();
    const { attributes } = await hub.state("automation.hall_at_night");
    expect(await hub.rest("GET", `/api/config/automation/config/${String(attributes.id)}`)).toEqual({
      id: attributes.id,
      alias: "Hall at night",
      triggers: [{ trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on", skip_unavailable: true }],
      conditions: [{ condition: "sun", after: "sunset", before: "sunrise" }],
      actions: [
        { action: "light.turn_on", target: { entity_id: "light.hall" } },
        { delay: { minutes: 2 } },
        { action: "light.turn_off", target: { entity_id: "light.hall" } },
      ],
      mode: "single",
    });
  });
}

// What the hub has stored of the automation `id`.
function stored(hub: Hub, id: string): Promise<Record<string, unknown>> {
  return hub.rest("GET", `/api/config/automation/config/${id}`);
}

// With keys that no sentence knows: of the whole, of a row, and within a block.
const odd = {
  alias: "Odd",
  trace: { stored_traces: 3 },
  triggers: [
    { trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on", for: { minutes: "{{ 1 + 1 }}" } },
    { trigger: "sun", event: "sunset" },
    { trigger: "persistent_notification", update_type: ["added"] },
  ],
  conditions: [{ condition: "template", value_template: "{{ trigger.id == '0' }}" }],
  actions: [
    {
      choose: [
        {
          conditions: [{ condition: "state", entity_id: "light.hall", state: "off" }],
          sequence: [
            { delay: "00:00:10" },
            { action: "light.turn_on", target: { entity_id: "light.hall" }, data: { rgb_color: [1, 2, 3], effect: "{{ none }}" } },
          ],
        },
      ],
    },
    { variables: { a: "{{ 1 }}", b: [1, { c: "on" }] } },
  ],
  mode: "restart",
};

test("what no sentence knows is shown as YAML, and nothing is lost", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/odd", odd);
  const page = await open("/settings/automations/automation.odd", { hub });
  await expect(page.getByRole("textbox", { name: /^YAML: trigger: state/ })).toHaveValue(/for:\n {2}minutes:/);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  await row(page, "The sun sets").getByRole("combobox", { name: "Sunrise or sunset" }).selectOption({ label: "rises" });
  await save(page);
  await expect(page.locator("hearth-notices")).toContainText("Saved");
  const changed = { ...odd, triggers: odd.triggers.map((trigger, index) => (index === 1 ? { ...trigger, event: "sunrise" } : trigger)) };
  expect(await stored(hub, "odd")).toEqual({ id: "odd", ...changed });

  await page.getByRole("textbox", { name: /^YAML: trigger: state/ }).fill("trigger: state\nentity_id: light.hall\nto: on");
  await expect(row(page, "Hall light changes to On")).toBeVisible();
  await save(page);
  await expect
    .poll(async () => ((await stored(hub, "odd")).triggers as unknown[])[0])
    .toEqual({ trigger: "state", entity_id: "light.hall", to: "on" });
});

test("sentences and YAML show the same, and each takes what the other changed", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/odd", odd);
  const page = await open("/settings/automations/automation.odd", { hub });
  const text = page.getByRole("textbox", { name: "YAML text" });
  await page.getByLabel("Name", { exact: true }).fill("Even");
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await expect(text).toContainText("alias: Even");
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("description: Of both");
  await page.getByRole("link", { name: "Sentences", exact: true }).click();
  await page.getByText("More settings").click();
  await expect(page.getByLabel("Description")).toHaveValue("Of both");
  await expect(page.getByText("Also there, and shown as YAML only: trace")).toBeVisible();
  await save(page);
  await expect.poll(async () => (await stored(hub, "odd")).alias).toBe("Even");
  expect(await stored(hub, "odd")).toEqual({ id: "odd", ...odd, alias: "Even", description: "Of both" });

  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n{");
  await page.getByRole("link", { name: "Sentences", exact: true }).click();
  await expect(page.getByText("cannot be read as YAML")).toBeVisible();
});

test("what the hub refuses is said at its row, in a block too", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/400 \(Bad Request\)/);
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/odd", odd);
  const page = await open("/settings/automations/automation.odd", { hub });
  await add(section(page, "When"), /^A number rises or falls/);
  await row(page, "Wait for 10 seconds")
    .getByRole("button", { name: /^Change/ })
    .click();
  await page.getByRole("menuitem", { name: "Show as YAML" }).click();
  await page.getByRole("textbox", { name: "YAML: delay: 00:00:10" }).fill("delay: soon");
  await save(page);
  const number = row(page, "The value of … goes above …");
  await expect(number.locator(".said").first()).toBeVisible();
  const soon = row(page, "YAML: delay: soon");
  await expect(soon.locator(".said")).toContainText("duration");
  await expect(row(page, "The sun sets").locator(".said")).toHaveCount(0);
  await number.getByRole("button", { name: /^Change/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(number).toHaveCount(0);
  await save(page);
  await expect(soon.locator(".said")).toContainText("duration");
  expect((await stored(hub, "odd")).triggers).toHaveLength(3);
});

for (const [language, about, limit] of [
  ["en-GB", "Choose what it is about.", "Fill in: Limit."],
  ["de-DE", "Wähle, worum es geht.", "Trage ein: Grenze."],
] as const) {
  test(`what a new sentence leaves open is asked for before it is saved, in its own words, ${language}`, async ({ open, startHub }) => {
    const hub = await startHub();
    const page = await open("/settings/automations/new-automation", { hub, language });
    const isGerman = language === "de-DE";
    await page.getByRole("button", { name: isGerman ? "Auslöser hinzufügen" : "Add a trigger" }).click();
    await page
      .locator("hearth-pick")
      .getByRole("button", { name: isGerman ? /^Eine Zahl steigt/ : /^A number rises/ })
      .click();
    await page.getByRole("button", { name: isGerman ? "Speichern" : "Save", exact: true }).click();
    await expect(page.locator(".said")).toHaveText([about, limit]);
    await expect(page.getByRole("alert").getByRole("listitem")).toHaveText([about, limit]);
    await expect(page.getByText("entity_id")).toHaveCount(0);
  });
}

test("what others have left open on purpose is no hindrance", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/odd", {
    alias: "Odd",
    triggers: [{ trigger: "state", entity_id: [] }],
    actions: [{ delay: 1 }],
  });
  const page = await open("/settings/automations/automation.odd", { hub });
  await page.getByLabel("Name", { exact: true }).fill("Odd, but mine");
  await save(page);
  await expect(page.locator("hearth-notices")).toContainText("Saved");
  expect((await stored(hub, "odd")).alias).toBe("Odd, but mine");
});

test("a search for a thing offers what it can begin, be asked for and be told", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-automation", { hub });
  const offered = page.locator("hearth-pick li button .name");
  const search = async (list: string, text: string) => {
    await section(page, list)
      .getByRole("button", { name: /^Add a (trigger|condition|step)$/ })
      .click();
    await page.locator("hearth-pick").getByRole("searchbox").fill(text);
  };
  await search("When", "hall motion");
  await expect(offered.filter({ hasText: /^Hall motion: / })).toHaveText([
    "Hall motion: Detected",
    "Hall motion: Clear",
    "Hall motion: Detected for a while",
    "Hall motion: Clear for a while",
  ]);
  await page.keyboard.press("Enter");
  await expect(row(page, "Hall motion changes to Detected")).toBeVisible();
  await search("And if", "kitchen temperature");
  await expect(offered.first()).toHaveText(/^A temperature in Kitchen is above/);
  await page.locator("hearth-pick").getByRole("button", { name: "Close" }).click();
  await search("Then do", "hall light on");
  await expect(offered.first()).toHaveText("Turn on Hall light");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("By name");
  await save(page);
  await expect(page).toHaveURL(/automation\.by_name/);
  const { triggers, actions } = await hub.rest<{ triggers: object[]; actions: object[] }>(
    "GET",
    `/api/config/automation/config/${(await hub.state("automation.by_name")).attributes.id as string}`,
  );
  expect(triggers).toEqual([expect.objectContaining({ trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on" })]);
  expect(actions).toEqual([expect.objectContaining({ action: "light.turn_on", target: { entity_id: "light.hall" } })]);
});

test("rows are moved, disabled, named, duplicated and deleted by the keyboard, and all of it is undone", async ({ open, startHub }) => {
  const hub = await startHub();
  const steps = [{ delay: { seconds: 1 } }, { delay: { seconds: 2 } }, { delay: { seconds: 3 } }];
  await hub.rest("POST", "/api/config/script/config/waits", { alias: "Waits", sequence: steps });
  const page = await open("/settings/automations/script.waits", { hub });
  const then = section(page, "Then do");
  const seconds = async () =>
    Promise.all((await then.getByRole("spinbutton", { name: "Duration" }).all()).map((field) => field.inputValue()));
  const handle = (text: string) => then.getByRole("button", { name: new RegExp(`^Move, .*${text}$`) });
  await handle("1 second").focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(seconds).toEqual(["2", "1", "3"]);
  await expect(handle("1 second")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect.poll(seconds).toEqual(["2", "3", "1"]);
  await page.keyboard.press("ArrowDown");
  await expect(handle("1 second")).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect.poll(seconds).toEqual(["2", "1", "3"]);

  const choose = async (text: string, item: string) => {
    await then.getByRole("button", { name: `Change: ${text}` }).focus();
    await page.keyboard.press("Enter");
    const wanted = page.getByRole("menuitem", { name: item, exact: true });
    await expect(wanted).toBeVisible();
    for (let i = 0; i < 12 && !(await wanted.evaluate((element) => element.matches(":focus"))); i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  await choose("Wait for 2 seconds", "Disable");
  await choose("Wait for 1 second", "Rename");
  await page.keyboard.type("A moment");
  await page.keyboard.press("Enter");
  await choose("A moment", "Move up");
  await choose("Wait for 3 seconds", "Duplicate");
  await save(page);
  const read = () => hub.rest<{ sequence: unknown }>("GET", "/api/config/script/config/waits");
  const changed = [
    { delay: { seconds: 1 }, alias: "A moment" },
    { delay: { seconds: 2 }, enabled: false },
    { delay: { seconds: 3 } },
    { delay: { seconds: 3 } },
  ];
  await expect.poll(async () => (await read()).sequence).toEqual(changed);

  await choose("A moment", "Delete");
  await expect.poll(seconds).toEqual(["2", "3", "3"]);
  const undo = page.getByRole("button", { name: "Undo" });
  while (await undo.isEnabled()) await undo.click();
  await expect.poll(seconds).toEqual(["1", "2", "3"]);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect.poll(seconds).toEqual(["2", "1", "3"]);
});

test("rows are dragged to another place, and Escape lets them where they were", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/waits", {
    alias: "Waits",
    sequence: [1, 2, 3].map((seconds) => ({ delay: { seconds } })),
  });
  const page = await open("/settings/automations/script.waits", { hub, height: 1200 });
  const fields = section(page, "Then do").getByRole("spinbutton", { name: "Duration" });
  const seconds = async () => Promise.all((await fields.all()).map((field) => field.inputValue()));
  const drag = async (end: () => Promise<void>) => {
    const from = await page.getByRole("button", { name: /^Move, place 1 of 3/ }).boundingBox();
    const last = await fields.nth(2).boundingBox();
    if (!from || !last) throw new Error("There are no rows.");
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 10, last.y + 30, { steps: 8 });
    await end();
    await page.mouse.up();
  };
  await expect.poll(seconds).toEqual(["1", "2", "3"]);
  await drag(() => page.keyboard.press("Escape"));
  expect(await seconds()).toEqual(["1", "2", "3"]);
  await drag(async () => undefined);
  await expect.poll(seconds).toEqual(["2", "3", "1"]);
});

test("a choice is built in blocks, and a row is copied from one to another", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-script", { hub });
  await page.getByLabel("Name", { exact: true }).fill("Blocks");
  const then = section(page, "Then do");
  await add(then, /^If …, then …, else …/);
  const choice = row(page, "If all of this holds");
  const inside = (name: string) => choice.locator(".block").filter({ has: page.getByText(name, { exact: true }) });
  await choice.getByRole("button", { name: "Add a condition" }).click();
  await page
    .locator("hearth-pick")
    .getByRole("button", { name: /^Something is in a state/ })
    .click();
  await choice.getByRole("button", { name: /^Entity/ }).click();
  await choose(page, "front door lock", /^Front door lock/, true);
  await choice.getByRole("combobox", { name: "state" }).selectOption({ label: "Unlocked" });
  await add(inside("Then"), /^Control something/);
  await inside("Then")
    .getByRole("button", { name: /^what to do/ })
    .click();
  await choose(page, "lock lock", /^Lock /);
  await inside("Then")
    .getByRole("button", { name: /^for what/ })
    .click();
  await choose(page, "front door", /^Front door lock/, true);
  await inside("Then")
    .getByRole("button", { name: /^Change/ })
    .click();
  await page.getByRole("menuitem", { name: "Copy, to paste elsewhere" }).click();
  await choice.getByRole("button", { name: "Add: else" }).click();
  await add(inside("Else"), /^Paste/);
  await save(page);
  await expect(page.getByRole("heading", { name: "Blocks" })).toBeVisible();
  const lock = { action: "lock.lock", target: { entity_id: "lock.front_door" } };
  expect(await hub.rest("GET", "/api/config/script/config/blocks")).toEqual({
    alias: "Blocks",
    sequence: [{ if: [{ condition: "state", entity_id: "lock.front_door", state: "unlocked" }], then: [lock], else: [lock] }],
  });
});

test("what a service needs and may have is asked for by its fields", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/say", {
    alias: "Say",
    sequence: [{ action: "light.turn_on", target: { entity_id: "light.hall" } }],
  });
  const page = await open("/settings/automations/script.say", { hub });
  const call = section(page, "Then do");
  await call.getByRole("button", { name: /^Say more/ }).click();
  await page.getByRole("menuitemcheckbox", { name: /^Brightness Brightness in percent/ }).click();
  await call.getByRole("spinbutton", { name: "Brightness (%)" }).fill("35");
  await call.getByRole("button", { name: /^Say more/ }).click();
  await page.getByRole("menuitemcheckbox", { name: /^Colour Colour as red/ }).click();
  await call.getByLabel("Colour", { exact: true }).fill("#ff8000");
  await save(page);
  const read = async () => (await hub.rest<{ sequence: unknown[] }>("GET", "/api/config/script/config/say")).sequence;
  await expect
    .poll(async () => (await read())[0])
    .toEqual({ action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 35, rgb_color: [255, 128, 0] } });

  await call.getByRole("button", { name: /^what to do/ }).click();
  await choose(page, "send message", /^Send message/);
  await call.getByRole("textbox", { name: "Message" }).fill("Hello");
  await call.getByRole("button", { name: /^for what/ }).click();
  await page.locator("hearth-pick").getByRole("button", { name: /^Use/ }).click();
  await save(page);
  await expect.poll(async () => (await read())[0]).toMatchObject({ action: "notify.send_message", data: { message: "Hello" } });
});

// One row of each look.
const much = {
  alias: "Much",
  mode: "queued",
  triggers: [
    {
      trigger: "state",
      entity_id: ["binary_sensor.front_door", "binary_sensor.bedroom_window"],
      to: ["on", "off"],
      for: { minutes: 5 },
      alias: "Somebody leaves it open",
      id: "open",
    },
    { trigger: "numeric_state", entity_id: "sensor.outdoor_temperature", above: 25, below: "sensor.bedroom_temperature" },
    { trigger: "time", at: ["07:00:00", "09:30:00"], weekday: ["mon", "tue", "wed"] },
    { trigger: "sun", event: "sunset", offset: "-00:30:00", enabled: false },
    { trigger: "time_pattern", minutes: "/5" },
    {
      trigger: "template",
      value_template: "{{ states('sensor.outdoor_temperature') | float > 30 and is_state('sun.sun', 'above_horizon') }}",
    },
    { trigger: "event", event_type: "my_event", event_data: { a: 1, b: [1, 2] } },
    { trigger: "zone", entity_id: "device_tracker.car", zone: "zone.home", event: "leave" },
    { trigger: "webhook", webhook_id: "b2f1c7d0-0000-4000-8000-000000000000", local_only: true },
  ],
  conditions: [
    {
      condition: "or",
      conditions: [
        { condition: "state", entity_id: "light.hall", state: "on", for: 300 },
        { condition: "time", after: "22:00:00", before: "06:00:00" },
      ],
    },
    {
      condition: "device",
      device_id: "demo.living_room_thermostat",
      domain: "climate",
      entity_id: "climate.living_room",
      type: "is_hvac_mode",
      hvac_mode: "heat",
      for: 60,
    },
    { condition: "trigger", id: "open" },
  ],
  actions: [
    { device_id: "demo.living_room_blind", domain: "cover", entity_id: "cover.living_room_blind", type: "set_tilt_position", position: 40 },
    {
      action: "light.turn_on",
      target: { entity_id: ["light.hall", "light.garden"] },
      data: { brightness_pct: 60, rgb_color: [255, 0, 0], transition: "{{ 2 }}" },
      continue_on_error: true,
    },
    {
      choose: [
        {
          conditions: [{ condition: "state", entity_id: "lock.front_door", state: "unlocked" }],
          sequence: [{ action: "lock.lock", target: { entity_id: "lock.front_door" } }],
        },
      ],
      default: [{ scene: "scene.movie" }],
    },
    {
      if: [{ condition: "sun", after: "sunset", after_offset: "-01:00:00" }],
      then: [{ repeat: { count: 3, sequence: [{ action: "light.toggle", target: { entity_id: "light.hall" } }] } }],
    },
    { wait_for_trigger: [{ trigger: "state", entity_id: "binary_sensor.front_door", to: "off" }], timeout: { minutes: 10 } },
    { variables: { a: 1, b: "{{ trigger.id }}" } },
    { condition: "state", entity_id: "light.hall", state: "on" },
  ],
};

// What axe-core finds, perhaps with something open that Escape closes.
async function isAccessible(page: Page, open?: () => Promise<void>): Promise<void> {
  await open?.();
  if (open) await expect(page.locator("[popover]:popover-open:not(hearth-notices), hearth-pick li").first()).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id: rule, nodes }) => ({ rule, at: nodes.map((node) => node.html) }))).toEqual([]);
  await fits(page);
  if (open) await page.keyboard.press("Escape");
}

for (const [language, width] of [
  ["en-GB", 360],
  ["de-DE", 360],
  ["de-DE", 1280],
] as const) {
  test(`sentences fit ${width} px in ${language}, and are accessible in both themes @all`, async ({ open, startHub }) => {
    const hub = await startHub();
    await hub.rest("POST", "/api/config/automation/config/odd", odd);
    await hub.rest("POST", "/api/config/automation/config/much", much);
    for (const id of ["odd", "much"]) {
      const page = await open(`/settings/automations/automation.${id}`, { hub, language, width });
      await page.getByRole("region").last().waitFor();
      await page.locator("hearth-mode-fields summary").click();
      await isAccessible(page, () => page.locator("hearth-sentence-row hearth-menu").last().click());
      await isAccessible(page, () => page.locator("button.add").last().click());
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await isAccessible(page);
        await page.screenshot({
          path: `../../build/screenshots/sentences-${id}-${width}-${language}-${colorScheme}.png`,
          animations: "disabled",
        });
      }
    }
  });
}

for (const width of [360, 1280])
  test(`Tab goes through a row in the order that is seen, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    const hall = {
      alias: "Hall",
      triggers: [{ trigger: "state", entity_id: "light.hall", from: "off", to: "on", for: { minutes: 5 } }],
      actions: [{ action: "light.turn_on", target: { entity_id: "light.kitchen" } }, { delay: { seconds: 3 } }],
    };
    await hub.rest("POST", "/api/config/automation/config/hall", hall);
    const page = await open("/settings/automations/automation.hall", { hub, width, height: 900 });
    const rows = page.locator("hearth-sentence-row");
    await expect(rows).toHaveCount(3);
    for (const row of await rows.all()) {
      // Into the row from its first stop, and out of it.
      const stops = await row.evaluate(async (element) => {
        const deep = (root: ParentNode): HTMLElement[] =>
          [...root.querySelectorAll<HTMLElement>("*")].flatMap((each) => [each, ...(each.shadowRoot ? deep(each.shadowRoot) : [])]);
        const all = deep(element.shadowRoot ?? element);
        all
          .find((each) => each.matches("button, input, select, a[href]") && each.tabIndex >= 0 && each.getClientRects().length > 0)
          ?.focus();
        return all.length;
      });
      expect(stops).toBeGreaterThan(3);
      const seen: { name: string; top: number; bottom: number; left: number }[] = [];
      for (let steps = 0; steps < 25; steps += 1) {
        const at = await row.evaluate((element) => {
          let active = document.activeElement;
          let isWithin = active === element;
          while (active?.shadowRoot?.activeElement) {
            active = active.shadowRoot.activeElement;
            isWithin ||= active === element;
          }
          const { top, bottom, left } = (active as Element).getBoundingClientRect();
          return isWithin
            ? {
                name: active?.getAttribute("aria-label") ?? active?.textContent?.trim() ?? "",
                top: top + scrollY,
                bottom: bottom + scrollY,
                left,
              }
            : undefined;
        });
        if (!at) break;
        seen.push(at);
        await page.keyboard.press("Tab");
      }
      // The handle at the left, the fields, and one or two menus at the right.
      expect(seen.length).toBeGreaterThan(2);
      expect(seen[0]!.name).toMatch(/^Move/);
      const menus = seen.splice(seen.findIndex(({ name }) => /^(Say more|Change): /.test(name)));
      expect(menus.at(-1)!.name).toMatch(/^Change: /);
      expect(menus.length).toBeLessThanOrEqual(2);
      expect(menus[0]!.left).toBeLessThanOrEqual(menus.at(-1)!.left);
      // Lines from above to below, each from left to right.
      const inOrder = seen.every(
        (stop, index) =>
          index === 0 ||
          stop.top >= seen[index - 1]!.bottom - 4 ||
          (stop.bottom > seen[index - 1]!.top + 4 && stop.left > seen[index - 1]!.left),
      );
      expect(inOrder, JSON.stringify(seen)).toBe(true);
    }
  });
