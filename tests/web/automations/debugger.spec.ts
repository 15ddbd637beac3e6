// SPDX-License-Identifier: Apache-2.0
// Breakpoints on the drawn item, and runs that stand at one.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";

async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  await hub.rest("POST", "/api/config/automation/config/hall", {
    alias: "Hall",
    triggers: [{ trigger: "event", event_type: "go" }],
    actions: [
      { variables: { far: "{{ 3 + 4 }}" } },
      { repeat: { count: 2, sequence: [{ event: "inner" }] } },
      { action: "light.turn_on", target: { entity_id: "light.hall" } },
    ],
  });
  return hub;
}

const address = "/settings/automations/automation.hall?view=debug";
const breakpoint = (page: Page, text: RegExp) => page.getByRole("button", { name: text, pressed: false });
const stands = (page: Page) => page.getByRole("listitem").filter({ hasText: "Stands before this" }).last();

test("a run stops at a breakpoint, shows its variables, goes a step on, continues and is stopped", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open(address, { hub });
  await expect(page.getByText("No run stands at a breakpoint.")).toBeVisible();
  await breakpoint(page, /^Breakpoint: Fire the event inner/).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: /^Breakpoint: Fire the event inner/, pressed: true })).toBeVisible();

  await hub.rest("POST", "/api/events/go", {});
  const stopped = page.getByRole("group", { name: "A run stands" });
  await expect(stopped).toContainText("action/1/repeat/sequence/0");
  await expect(stopped).toContainText("far = 7");
  await expect(stands(page)).toContainText("Fire the event inner");
  await stopped.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Fire the event inner" }).last()).toContainText(/\+\d/); // the first pass was done
  await expect(stands(page)).toContainText("Fire the event inner");

  await page.getByRole("button", { name: "Clear all breakpoints" }).click();
  await stopped.getByRole("button", { name: "Step" }).click();
  await expect(stopped).toContainText("action/2");
  await expect(stands(page)).toContainText("Turn on Hall light");
  await stopped.getByRole("button", { name: "Stop the run" }).click();
  await expect(stopped).toHaveCount(0);
  await expect(page.getByText("The last run:")).toBeVisible();
  expect((await hub.state("light.hall")).state).toBe("off");

  // By hand, before each step.
  await page.getByRole("button", { name: "Stop before each step" }).click();
  await page.getByRole("button", { name: "Run now" }).last().click();
  await expect(stands(page)).toContainText("Set variables");
  // Who leaves lets it go on.
  await page.getByRole("link", { name: "Sentences", exact: true }).click();
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
});

test("breakpoints outlast a lost connection", async ({ open, startHub, expectComplaint }) => {
  const hub = await startHome(startHub);
  expectComplaint(/WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/, false);
  const page = await open(address, { hub });
  await breakpoint(page, /^Breakpoint: Turn on Hall light/).click();
  await expect(page.getByRole("button", { name: /^Breakpoint: Turn on/, pressed: true })).toBeVisible();
  await hub.end();
  await hub.begin();
  await expect(page.getByText(/connection/i)).toHaveCount(0);
  await expect(async () => {
    await hub.rest("POST", "/api/events/go", {});
    await expect(stands(page)).toContainText("Turn on Hall light", { timeout: 2000 });
  }).toPass();
});

for (const [language, width] of [
  ["de-DE", 360],
  ["en-GB", 1280],
] as const) {
  test(`the debugger fits ${width} px in ${language}, and is accessible in both themes @all`, async ({ open, startHub }) => {
    const hub = await startHome(startHub);
    const page = await open(address, { hub, language, width, height: 1000 });
    await page.getByRole("button", { name: /inner/, pressed: false }).click();
    await expect(page.getByRole("button", { name: /inner/, pressed: true })).toBeVisible();
    await hub.rest("POST", "/api/events/go", {});
    await expect(page.getByText("far")).not.toHaveCount(0);
    await expect(page.locator("hearth-item-debugger .variables")).toBeVisible();
    await looksRight(page, "debugger", { widths: [width] });
  });
}
