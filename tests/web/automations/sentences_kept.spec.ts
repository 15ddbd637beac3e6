// SPDX-License-Identifier: Apache-2.0
// A file that people wrote in their own way, changed in sentences: only what they change there is written anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { choose, row, save, section } from "../sentences";

const text = `# my automations
- id: first
  alias: "First one"   # by hand
  # why
  trigger:
    - &lit
      platform: state
      entity_id: [light.hall] # flow
      to: "on"
      for: 00:01:30
    # second
    - <<: *lit
      to: "off"
    - triggers:
        - trigger: sun
          event: sunset
  condition:
    - or:
      - condition: sun
        after: sunset
      - "{{ is_state('light.hall', 'on') }}"  # bare
  actions:
    - delay: 00:00:05   # five
    - if: "{{ true }}"
      then:
        service: light.turn_on   # single step
        entity_id: light.hall
        data: {brightness_pct: 0x32, transition: 2.0}
    # the code
    - event: !secret event
      event_data: {a: 01, b: yes, d: 12:30:00, e: ~}
  mode: single

- id: second   # another
  alias: Second
  triggers: [ {trigger: time, at: "7:05"} ]
  actions: [ {event: x} ]
`;

const fileOf = (hub: Hub) => join(hub.folder, "automations.yaml");
const read = (hub: Hub) => readFileSync(fileOf(hub), "utf8");

test("only what is changed in sentences is written anew, with all comments and spellings of the rest", async ({ open, startHub }) => {
  const hub = await startHub();
  writeFileSync(join(hub.folder, "secrets.yaml"), "event: hush\n");
  writeFileSync(fileOf(hub), text);
  await hub.call("automation", "reload", {});
  const page = await open("/settings/automations/automation.first_one", { hub });
  const saved = async (): Promise<string> => {
    await save(page);
    await expect(page.getByText("Not saved yet")).toHaveCount(0);
    return read(hub);
  };
  const then = section(page, "Then do");
  let expected = text.replace("delay: 00:00:05   #", "delay: { seconds: 7 }   #");
  await then.getByRole("spinbutton").first().fill("7");
  expect(await saved()).toBe(expected);

  await page.getByLabel("Name", { exact: true }).fill("First: two");
  expected = expected.replace('"First one"', '"First: two"');
  expect(await saved()).toBe(expected);

  await then.getByRole("button", { name: "Add a step" }).first().click(); // that of the whole list
  await page
    .locator("hearth-pick")
    .getByRole("button", { name: /^Fire an event/ })
    .click();
  await page.keyboard.type("new");
  expected = expected.replace("  mode: single\n", "    - event: new\n  mode: single\n");
  expect(await saved()).toBe(expected);

  await row(page, "Fire the event new").getByRole("button", { name: /^Move/ }).focus();
  await page.keyboard.press("ArrowUp");
  await row(page, "Fire the event new")
    .getByRole("button", { name: /^Change/ })
    .click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  expected = expected
    .replace("    - event: new\n", "")
    .replace("    # the code\n", "    - event: new\n      enabled: false\n    # the code\n");
  expect(await saved()).toBe(expected);

  // The entity of a row within a block.
  await row(page, "Turn on Hall light Brightness: 50% Transition: 2 s")
    .getByRole("button", { name: /^for what/ })
    .click();
  await choose(page, "kitchen light", /^Kitchen light/, true);
  const made = await saved();
  expect(made).toContain(
    "service: light.turn_on   # single step\n        data: {brightness_pct: 0x32, transition: 2.0}\n        target:\n          entity_id:\n            - light.hall\n            - light.kitchen\n",
  );
  expect(made.split("if:")[0]).toBe(expected.split("if:")[0]);
  expect(made.split("    - event: new")[1]).toBe(expected.split("    - event: new")[1]);
});

test("a row behind an anchor, and one in brackets, can be changed", async ({ open, startHub }) => {
  const hub = await startHub();
  writeFileSync(join(hub.folder, "secrets.yaml"), "event: hush\n");
  writeFileSync(fileOf(hub), text);
  await hub.call("automation", "reload", {});
  const page = await open("/settings/automations/automation.first_one", { hub });
  await section(page, "When").getByRole("combobox", { name: "state" }).first().selectOption({ label: "Off" });
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  const { trigger, triggers = trigger } = await hub.rest<Record<string, { to?: string }[]>>("GET", "/api/config/automation/config/first");
  expect(triggers?.map(({ to }) => to)).toEqual(["off", "off", undefined]);
  expect(read(hub)).toContain("event: !secret event\n");

  await page.goto("/settings/automations/automation.second");
  await section(page, "Then do").getByRole("textbox").fill("z");
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  expect(read(hub)).toContain('  triggers: [ {trigger: time, at: "7:05"} ]\n');
  expect(read(hub).slice(read(hub).indexOf("- id: second"))).toContain("{ event: z }");
});
