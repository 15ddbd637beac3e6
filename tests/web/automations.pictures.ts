// SPDX-License-Identifier: Apache-2.0
// When, if, then, a trace, why, what if, a scene, a blueprint, versions, and a script that asks: a picture of each.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "./fixtures";
import type { Hub } from "./hub";
import { settled } from "./pages";
import { section } from "./sentences";

const folder = process.env.HEARTH_PICTURES ?? "";

const hall = {
  alias: "Light at motion in the hall",
  description: "Only after sunset, and off again after two minutes",
  triggers: [
    { trigger: "state", entity_id: "binary_sensor.hall_motion", to: "on", skip_unavailable: true },
    { trigger: "numeric_state", entity_id: "sensor.outdoor_illuminance", below: 2000, skip_unavailable: true },
  ],
  conditions: [
    { condition: "sun", after: "sunset", after_offset: "-00:30:00" },
    {
      condition: "or",
      conditions: [
        { condition: "state", entity_id: "switch.garden_pump", state: "off" },
        { condition: "time", after: "22:00:00", before: "06:00:00" },
      ],
    },
  ],
  actions: [
    { action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 60, transition: 2 } },
    {
      if: [{ condition: "state", entity_id: "light.kitchen", state: "on" }],
      then: [{ action: "light.turn_off", target: { entity_id: "light.kitchen" } }],
      else: [{ delay: { seconds: 1 } }],
    },
    {
      choose: [
        {
          alias: "Late",
          conditions: [{ condition: "time", after: "22:00:00" }],
          sequence: [{ action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 10 } }],
        },
      ],
      default: [{ event: "still_early" }],
    },
    { delay: { minutes: 2 } },
    { action: "light.turn_off", target: { entity_id: "light.hall" } },
  ],
  mode: "restart",
};
// What really runs here, whatever the time of day is.
const follow = {
  alias: "Kitchen follows the hall",
  triggers: [{ trigger: "state", entity_id: "light.hall", from: "off", to: "on" }],
  conditions: [{ condition: "state", entity_id: "switch.garden_pump", state: "off" }],
  actions: [
    {
      if: [{ condition: "state", entity_id: "light.bedroom", state: "on" }],
      then: [{ event: "bedroom_was_on" }],
      else: [{ variables: { level: "{{ 20 + 20 }}" } }],
    },
    { action: "light.turn_on", target: { entity_id: "light.kitchen" }, data: { brightness_pct: "{{ level | default(40) }}" } },
  ],
};
const motion = `blueprint:
  name: Light at motion
  description: A light while there is motion
  domain: automation
  author: Ann
  input:
    motion: {name: Motion, description: Whose motion counts, selector: {entity: {filter: {domain: binary_sensor}}}}
    lights: {name: Lights, selector: {target: {entity: {domain: light}}}}
    more:
      name: More
      input:
        level: {name: Level, default: 77, selector: {number: {min: 1, max: 100, unit_of_measurement: "%"}}}
        after: {name: Off after, default: {minutes: 2}, selector: {duration: {}}}
triggers: [{trigger: state, entity_id: !input motion, to: "on"}]
actions:
  - {action: light.turn_on, target: !input lights, data: {brightness_pct: !input level}}
  - {delay: !input after}
`;
const say = {
  alias: "Say good night",
  description: "Sets a lamp, and remembers a text",
  fields: {
    lamp: { name: "Lamp", required: true, selector: { entity: { filter: { domain: "light" } } } },
    level: { name: "Level", default: 40, selector: { number: { min: 1, max: 100, unit_of_measurement: "%" } } },
    text: { name: "Text", example: "Sleep well", selector: { text: { multiline: true } } },
  },
  sequence: [{ event: "said", event_data: { text: "{{ text }}" } }],
};

async function startHome(startHub: () => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  mkdirSync(join(hub.folder, "blueprints/automation/ann"), { recursive: true });
  writeFileSync(join(hub.folder, "blueprints/automation/ann/motion.yaml"), motion);
  const write = (kind: string, id: string, item: object) => hub.rest("POST", `/api/config/${kind}/config/${id}`, item);
  await write("automation", "hall", { ...hall, alias: "Hall light", mode: "single" });
  await write("automation", "hall", hall);
  await hub.call("light", "turn_off", { entity_id: ["light.hall", "light.kitchen", "light.bedroom"] });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await write("automation", "follow", follow);
  await hub.call("light", "turn_on", { entity_id: "light.hall" });
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await write("automation", "stairs", {
    alias: "Stairs",
    use_blueprint: {
      path: "ann/motion.yaml",
      input: { motion: "binary_sensor.hall_motion", lights: { entity_id: ["light.hall"] }, level: 30 },
    },
  });
  await write("scene", "evening", {
    name: "Evening",
    icon: "mdi:weather-night",
    entities: {
      "light.living_room": { state: "on", brightness: 60 },
      "light.kitchen": "off",
      "cover.living_room": { state: "open", current_position: 30 },
    },
  });
  await write("script", "say", say);
  return hub;
}

type Shown = (page: Page) => Promise<Locator | undefined>;

// What is shown, and of what a picture is made; undefined: of the whole window.
const pictures: Record<string, { path: string; show?: Shown }> = {
  when: { path: "automation.hall_light", show: (page) => Promise.resolve(section(page, "When")) },
  if: { path: "automation.hall_light", show: (page) => Promise.resolve(section(page, "And if")) },
  then: { path: "automation.hall_light", show: (page) => Promise.resolve(section(page, "Then do")) },
  editor: { path: "automation.hall_light" },
  yaml: { path: "automation.hall_light?view=yaml" },
  versions: { path: "automation.hall_light?view=versions" },
  trace: {
    path: "automation.kitchen_follows_the_hall?view=runs",
    show: async (page) => {
      await page.locator("hearth-run-path").getByRole("button").nth(1).click();
      return undefined;
    },
  },
  why: {
    path: "?entity=light.kitchen",
    show: async (page) => {
      await page.locator("hearth-entity-dialog").getByRole("button", { name: "Why?" }).click();
      await expect(page.locator("hearth-entity-dialog").getByRole("list", { name: "Why?" })).toBeVisible();
      return undefined;
    },
  },
  "what-if": {
    path: "automation.kitchen_follows_the_hall",
    show: async (page) => {
      await page.getByRole("button", { name: "What would it have done?" }).click();
      const card = page.locator("hearth-what-if");
      await expect(async () => {
        await card.getByRole("button", { name: "In the last day" }).click();
        await expect(card.getByRole("status")).toContainText("it ran once", { timeout: 5_000 });
      }).toPass();
      return card;
    },
  },
  scene: { path: "scene.evening" },
  blueprint: { path: "automation.stairs" },
  blueprints: { path: "blueprints" },
  "script-form": {
    path: "",
    show: async (page) => {
      await page.getByRole("button", { name: "Run: Say good night" }).click();
      await expect(page.locator("hearth-run-dialog").getByRole("combobox", { name: "Lamp" })).toBeVisible();
      return undefined;
    },
  },
  list: { path: "" },
};

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${width} px, ${colorScheme}`, async ({ open, startHub }) => {
      test.skip(folder === "", "tests/web/pictures FOLDER");
      const hub = await startHome(startHub);
      const page = await open("/settings/automations", { hub, width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const [name, { path, show }] of Object.entries(pictures)) {
        await page.goto(path.startsWith("?") ? `/overview${path}` : `/settings/automations${path && `/${path}`}`);
        await settled(page);
        const part = await show?.(page);
        await page.setViewportSize({ width, height: part ? 3600 : 900 }); // no bar lies over a part
        await settled(page);
        await (part ?? page).screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), animations: "disabled" });
      }
    });
  }
}
