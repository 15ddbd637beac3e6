// SPDX-License-Identifier: Apache-2.0
// The card of a robot vacuum: what it does in words, its battery, and what it can be told.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test } from "../fixtures";
import type { Hub } from "../hub";

const id = "vacuum.ground_floor";
const name = "Vacuum";

const card = (page: Page): Locator => page.locator("hearth-vacuum-card");
const button = (page: Page, word: string): Locator => page.getByRole("button", { name: `${word}: ${name}`, exact: true });
const call = (service: string, data: object = {}) => ({ service: `vacuum.${service}`, data: { ...data, entity_id: id } });

async function is(hub: Hub, state: string, attributes: Record<string, unknown> = {}): Promise<void> {
  const { attributes: own } = await hub.state(id);
  await hub.setState(id, state, { ...own, ...attributes });
}

test("a vacuum cleans, pauses, goes on, stops and goes home", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await page.getByRole("searchbox").fill(id);
  await expect(card(page)).toContainText("Docked");
  await expect(card(page)).toContainText("Battery100%");
  await expect(card(page).getByRole("button")).toHaveText(["Start", "Locate"]);
  const noted = await calls(hub);
  const steps: [word: string, service: string, says: string, then: string[]][] = [
    ["Start", "start", "Cleaning", ["Pause", "Stop", "Dock", "Locate"]],
    ["Pause", "pause", "Paused", ["Go on", "Stop", "Dock", "Locate"]],
    ["Go on", "start", "Cleaning", ["Pause", "Stop", "Dock", "Locate"]],
    ["Stop", "stop", "Idle", ["Start", "Dock", "Locate"]],
    ["Dock", "return_to_base", "Docked", ["Start", "Locate"]],
    ["Locate", "locate", "Docked", ["Start", "Locate"]],
  ];
  for (const [word, service, says, then] of steps) {
    noted.length = 0;
    await button(page, word).click();
    await expect.poll(() => noted, word).toEqual([call(service)]);
    await expect(card(page), word).toContainText(says);
    await expect(card(page).getByRole("button"), word).toHaveText(then);
  }
  noted.length = 0;
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByLabel(`Suction of ${name}`).selectOption("turbo");
  await expect.poll(() => noted).toEqual([call("set_fan_speed", { fan_speed: "turbo" })]);
});

test("a vacuum in trouble says so", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await page.getByRole("searchbox").fill(id);
  const colour = (part: string) =>
    card(page)
      .locator(part)
      .evaluate((element) => getComputedStyle(element).color);
  const calm = await colour(".battery");
  await is(hub, "error", { battery_level: 12, status: "Brush is stuck" });
  await expect(card(page)).toContainText("Error · Brush is stuck");
  await expect(card(page)).toContainText("Battery12%");
  await expect.poll(() => colour(".state")).not.toBe(calm);
  expect(await colour(".battery")).toBe(calm);
});

test("a vacuum offers what it can do", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await page.getByRole("searchbox").fill(id);
  await is(hub, "cleaning", { supported_features: 8192 + 512 });
  await expect(card(page).getByRole("button")).toHaveText(["Locate"]);
  await expect(card(page).locator("select")).toHaveCount(0);
  await is(hub, "docked", { supported_features: 0 });
  await expect(card(page).locator("button, select")).toHaveCount(0);
  await is(hub, "docked", { supported_features: 8192 + 1024 });
  await page.goto(`/overview?entity=${id}`);
  await expect(card(page).last().getByRole("button")).toHaveText(["Start", "Clean here"]);
});

test("who may only look sees what it does, and no buttons", async ({ open, startHub }) => {
  const page = await open("/overview?view=list", { hub: await startHub(), user: "display" });
  await page.getByRole("searchbox").fill(id);
  await expect(card(page)).toContainText("Docked");
  await expect(card(page).locator("button, select")).toHaveCount(0);
});
