// SPDX-License-Identifier: Apache-2.0
// "What would it have done?": the past again with the automation as it is written now, before it is saved.
import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "../fixtures";
import { fits } from "../pages";
import type { Hub } from "../hub";

const follow = {
  alias: "Kitchen follows",
  triggers: [{ trigger: "state", entity_id: "light.hall", to: "on" }],
  actions: [{ action: "light.turn_on", target: { entity_id: "light.kitchen" } }],
};

// A home where the automation ran once, and history has it.
async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: ["light.kitchen", "light.hall"] });
  await hub.rest("POST", "/api/config/automation/config/follow", follow);
  await hub.call("light", "turn_on", { entity_id: "light.hall" });
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  return hub;
}

for (const width of [360, 1280]) {
  test(`an automation is held against the last day before it is saved, ${width} px wide`, async ({ open, startHub }) => {
    const page = await open("/settings/automations/automation.kitchen_follows?view=yaml", {
      hub: await startHome(startHub),
      width,
      height: 900,
    });
    await page.getByRole("button", { name: "What would it have done?" }).click();
    const card = page.locator("hearth-what-if");
    // The recorder writes once a second.
    await expect(async () => {
      await card.getByRole("button", { name: "In the last day" }).click();
      await expect(card.getByRole("status")).toContainText("it ran once and called one service.", { timeout: 5_000 });
    }).toPass();
    // The home is younger than a day.
    await expect(card.getByRole("status")).toContainText(/Known since \d+:\d\d/);
    await expect(card.getByRole("status")).toContainText("Since then, nothing would have been different.");
    await expect(card.getByRole("status")).not.toContainText("just what happened");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(
      JSON.stringify({
        ...follow,
        id: "follow",
        actions: [...follow.actions, { action: "light.turn_off", target: { entity_id: "light.bedroom" } }],
      }),
    );
    await card.getByRole("button", { name: "In the last day" }).click();
    const rows = card.getByRole("listitem");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("It would have called light.turn_off (Bedroom");
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await fits(page);
  });
}

test("that it is just what happened is said only of a day that history has as a whole", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open("/settings/automations/automation.kitchen_follows?view=yaml", { hub });
  await page.getByRole("button", { name: "What would it have done?" }).click();
  // A day later: the last day begins now.
  await page.clock.setFixedTime(Date.now() + 24 * 60 * 60 * 1000);
  for (const service of ["turn_off", "turn_on"]) await hub.call("light", service, { entity_id: "light.hall" });
  const status = page.locator("hearth-what-if").getByRole("status");
  await expect(async () => {
    await page.getByRole("button", { name: "In the last day" }).click();
    await expect(status).toContainText("it ran once", { timeout: 5_000 });
  }).toPass();
  await expect(status).toContainText("it would have run once");
  await expect(status).toContainText("That is just what happened.");
  await expect(status).not.toContainText(/since/i);
});

test("what is no automation is said", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open("/settings/automations/automation.kitchen_follows?view=yaml", { hub });
  await page.getByRole("button", { name: "What would it have done?" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("nonsense: 1\n");
  const card = page.locator("hearth-what-if");
  await card.getByRole("button", { name: "In the last week" }).click();
  await expect(card.getByRole("status")).toContainText("nonsense");
});
