// SPDX-License-Identifier: Apache-2.0
// What is typed into sentences key by key, as people do it, is what they mean.
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { row, save, section } from "../sentences";

// Instead of what stands there.
async function retype(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press("End");
  for (const _ of await field.inputValue()) await field.press("Backspace");
  await field.pressSequentially(text);
}

async function saved(page: Page, hub: Hub, id: string): Promise<Record<string, unknown>> {
  await save(page);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  return hub.rest("GET", `/api/config/automation/config/${id}`);
}

test("a duration keeps its unit, and an offset its direction, while their numbers are typed", async ({ open, startHub }) => {
  const hub = await startHub();
  const triggers = [{ trigger: "sun", event: "sunset", offset: "-00:30:00" }];
  await hub.rest("POST", "/api/config/automation/config/typed", {
    alias: "Typed",
    triggers,
    actions: [{ delay: { minutes: 2 } }, { delay: { seconds: 1 } }],
  });
  const page = await open("/settings/automations/automation.typed", { hub });
  const amounts = page.getByRole("spinbutton");
  await retype(amounts.nth(0), "45");
  await retype(amounts.nth(1), "5");
  await retype(amounts.nth(2), "605");
  expect(await saved(page, hub, "typed")).toMatchObject({
    triggers: [{ offset: "-00:45:00" }],
    actions: [{ delay: { minutes: 5 } }, { delay: { seconds: 605 } }],
  });
});

test("the value of an attribute keeps its type, and may have decimals", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("climate.stove", "heat", { friendly_name: "Stove", temperature: 20.5, is_away: true, mode: "1" });
  const of = (attribute: string, state: unknown) => ({ condition: "state", entity_id: "climate.stove", attribute, state });
  await hub.rest("POST", "/api/config/automation/config/typed", {
    alias: "Typed",
    triggers: [],
    conditions: [{ condition: "and", conditions: [of("temperature", 1), of("is_away", false), of("mode", "2")] }],
    actions: [],
  });
  const page = await open("/settings/automations/automation.typed", { hub });
  const values = section(page, "And if").getByRole("textbox", { name: "state" });
  await retype(values.nth(0), "20.5");
  await expect(values.nth(0)).toHaveValue("20.5");
  await retype(values.nth(1), "true");
  await retype(values.nth(2), "1");
  const { conditions } = await saved(page, hub, "typed");
  expect(conditions).toEqual([{ condition: "and", conditions: [of("temperature", 20.5), of("is_away", true), of("mode", "1")] }]);
  await row(page, "All of these hold")
    .getByRole("button", { name: /^Change: All/ })
    .click();
  await page.getByRole("menuitem", { name: "Does it hold now?" }).click();
  await expect(page.locator("hearth-notices")).toContainText("It holds now.");
});

test("sentences that people say have commas, and a time its seconds", async ({ open, startHub }) => {
  const hub = await startHub();
  const triggers = [
    { trigger: "conversation", command: ["Good night, house", "Sleep well"] },
    { trigger: "time", at: "7:30:15" },
  ];
  await hub.rest("POST", "/api/config/automation/config/typed", { alias: "Typed", triggers, actions: [] });
  const page = await open("/settings/automations/automation.typed", { hub });
  const said = section(page, "When").getByRole("textbox", { name: "Sentences" });
  await expect(said).toHaveCount(2);
  await retype(said.first(), "Bye, all");
  await page.getByRole("button", { name: "Or another: Sentences" }).click();
  await expect(said.nth(2)).toBeFocused();
  await page.keyboard.type("Lights, out");
  await expect(page.getByLabel("Time", { exact: true })).toHaveValue("07:30:15");
  expect(await saved(page, hub, "typed")).toMatchObject({
    triggers: [{ command: ["Bye, all", "Sleep well", "Lights, out"] }, { at: "7:30:15" }],
  });
  await retype(said.nth(1), "");
  await page.keyboard.press("Tab");
  await expect(said).toHaveCount(2);
  expect(await saved(page, hub, "typed")).toMatchObject({ triggers: [{ command: ["Bye, all", "Lights, out"] }, {}] });
});

test("what a row lacks is added and chosen without a mouse", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-automation", { hub });
  await section(page, "When").getByRole("button", { name: "Add a trigger" }).focus();
  const search = page.locator("hearth-pick").getByRole("searchbox");
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("something changes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Entity: choose: Entity" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("hall motion");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page
    .locator("hearth-pick")
    .getByRole("button", { name: /^Use th/ })
    .press("Enter");
  await expect(page.getByRole("button", { name: "Entity: Hall motion" })).toBeFocused();
});
