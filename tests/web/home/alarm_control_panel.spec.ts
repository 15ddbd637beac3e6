// SPDX-License-Identifier: Apache-2.0
// The card of an alarm system: its modes, its code, and that nobody overlooks an alarm.
import type { Locator, Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { Finger, placeOf } from "../finger";
import type { Hub } from "../hub";
import { dialog, notices } from "../pages";

const id = "alarm_control_panel.home";
const name = "Home alarm";

const card = (page: Page): Locator => page.locator("hearth-alarm-control-panel-card").filter({ hasText: name });
const button = (page: Page, word: string): Locator => page.getByRole("button", { name: `${word}: ${name}`, exact: true });
const code = (page: Page): Locator => dialog(page).getByLabel("Code", { exact: true });
const call = (service: string, data: object = {}) => ({
  service: `alarm_control_panel.${service}`,
  data: { ...data, entity_id: id },
});
const arm = (hub: Hub) => hub.call("alarm_control_panel", "alarm_arm_home", { entity_id: id });
const middle = async (element: Locator) => {
  const { x, y, width, height } = await placeOf(element);
  return { x: x + width / 2, y: y + height / 2 };
};

async function find(page: Page): Promise<void> {
  await page.getByRole("searchbox").fill(name);
  await expect(card(page)).toBeVisible();
}

test("a panel offers its modes, and is disarmed with a code from its keypad", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, width: 360, height: 740, touch: true });
  await find(page);
  await expect(card(page).getByRole("button")).toHaveText(["Arm home", "Arm away", "Arm for the night", "Arm for holidays"]);
  const noted = await calls(hub);
  await button(page, "Arm home").tap(); // it needs no code for that
  await expect(card(page)).toContainText("Armed, home");
  await expect(card(page).getByRole("button")).toHaveText(["Disarm"]);
  await button(page, "Disarm").tap();
  const finger = await Finger.on(page);
  const key = (digit: string) => dialog(page).getByRole("button", { name: digit, exact: true });
  const disarm = dialog(page).getByRole("button", { name: "Disarm", exact: true });
  await expect(disarm).toBeDisabled();
  for (const digit of ["1", "2", "3", "9"]) await finger.tap(await middle(key(digit)));
  await finger.tap(await middle(key("Erase a digit")));
  await expect(code(page)).toHaveValue("123");
  await expect(code(page)).toHaveAttribute("type", "password");
  await finger.tap(await middle(key("4")));
  await finger.tap(await middle(disarm));
  await expect(card(page)).toContainText("Disarmed");
  await expect(dialog(page)).toHaveCount(0);
  expect(noted).toEqual([call("alarm_arm_home"), call("alarm_disarm", { code: "1234" })]);
  await button(page, "Arm home").tap();
  await button(page, "Disarm").tap();
  await expect(code(page)).toHaveValue("");
});

test("a wrong code is said, and gone", async ({ open, startHub }) => {
  const hub = await startHub();
  await arm(hub);
  const page = await open("/overview?view=list", { hub });
  await find(page);
  await button(page, "Disarm").click();
  await expect(code(page)).toBeFocused();
  await page.keyboard.type("4a321");
  await expect(code(page)).toHaveValue("4321");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("alert")).toContainText(`code: ${id} refuses it`);
  await expect(code(page)).toHaveValue("");
  await expect(code(page)).toBeFocused();
  await expect(card(page)).toContainText("Armed, home");
  await page.keyboard.type("1");
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);
  await page.keyboard.type("234");
  await page.keyboard.press("Enter");
  await expect(card(page)).toContainText("Disarmed");
  await expect(dialog(page)).toHaveCount(0);
  await expect(notices(page).locator("section > div")).toHaveCount(0);
});

test("a panel that does nothing for a code has not taken it", async ({ open, startHub }) => {
  const hub = await startHub();
  // No integration drives it: the hub takes the call, and nothing comes of it.
  const attributes = { friendly_name: "Dream alarm", supported_features: 1, code_format: "text" };
  await hub.setState("alarm_control_panel.dream", "disarmed", attributes);
  const page = await open("/overview?view=list", { hub });
  await page.getByRole("searchbox").fill("Dream alarm");
  await page.getByRole("button", { name: "Arm home: Dream alarm" }).click();
  await expect(dialog(page).getByRole("button", { name: "1", exact: true })).toHaveCount(0);
  await code(page).fill("open sesame");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("alert")).toContainText("Dream alarm has not done it.");
  await expect(code(page)).toHaveValue("");
  await code(page).fill("sesame");
  await page.keyboard.press("Enter");
  await hub.setState("alarm_control_panel.dream", "arming", attributes);
  await expect(dialog(page)).toHaveCount(0);
});

test("an alarm that was set off stands on every page, until it is disarmed", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/history", { hub });
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  const banner = page.getByRole("alert").getByRole("link", { name: `${name} has been set off!` });
  await expect(banner).toHaveCount(0);
  await hub.call("alarm_control_panel", "alarm_trigger", { entity_id: id });
  await expect(banner).toBeVisible();
  await banner.click();
  await expect(dialog(page)).toContainText("Triggered");
  await dialog(page)
    .getByRole("button", { name: `Disarm: ${name}` })
    .click();
  await page.keyboard.type("1234");
  await page.keyboard.press("Enter");
  await expect(dialog(page).first()).toContainText("Disarmed");
  await expect(banner).toHaveCount(0);
});

test("an alarm is set off after a question", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open(`/overview?entity=${id}`, { hub });
  const noted = await calls(hub);
  await button(page, "Set off the alarm").click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await button(page, "Set off the alarm").click();
  expect(noted).toEqual([]);
  await page.getByRole("button", { name: "Set off the alarm", exact: true }).click();
  await expect.poll(() => noted).toEqual([call("alarm_trigger")]);
});

test("who may only look sees the state, and no buttons", async ({ open, startHub }) => {
  const hub = await startHub();
  await arm(hub);
  const page = await open("/overview?view=list", { hub, user: "display" });
  await find(page);
  await expect(card(page)).toContainText("Armed, home");
  await expect(card(page).locator("button, input")).toHaveCount(0);
});
