// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { dialog, navigation, toggle } from "../pages";

test("a panel shows a room alone, goes dark after a minute, and the first touch only wakes it", async ({ open, hub }) => {
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  const page = await open("about:blank");
  await page.clock.install();
  await page.goto("/overview?panel=kitchen");
  await expect(page.getByRole("heading", { level: 1, name: "Kitchen" })).toBeVisible();
  await expect(navigation(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Kitchen window" }).click();
  await expect(dialog(page)).toContainText("Kitchen window");

  await page.clock.fastForward(61_000);
  const dark = page.getByRole("button", { name: "Touch to wake the panel" });
  await expect(dark).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  const box = await toggle(page, "Kitchen light").boundingBox();
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await expect(dark).toHaveCount(0);
  expect((await hub.state("light.kitchen")).state).toBe("off");
  await toggle(page, "Kitchen light").click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");

  // Each minute the clock stands elsewhere.
  const clock = page.locator("hearth-panel .clock");
  const before = await clock.evaluate((element) => getComputedStyle(element).translate);
  await page.mouse.move(5, 5);
  await page.clock.fastForward(59_000);
  await page.mouse.move(9, 9);
  await page.clock.fastForward(59_000);
  await expect.poll(() => clock.first().evaluate((element) => getComputedStyle(element).translate)).not.toBe(before);
});

test("a panel that stays one is left with its PIN alone", async ({ open }) => {
  const page = await open("/overview?panel=kitchen");
  const setUp = page.getByRole("button", { name: "Set up the panel" });
  await setUp.click();
  await page.getByRole("switch", { name: "This browser stays a panel" }).click();
  await page.getByLabel("PIN to leave it").fill("12");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Expected 4 to 8 digits.")).toBeVisible();
  await page.getByLabel("PIN to leave it").fill("4711");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(dialog(page)).toHaveCount(0);

  await page.goto("/settings");
  await expect(page.getByRole("heading", { level: 1, name: "Kitchen" })).toBeVisible();
  await expect(navigation(page)).toHaveCount(0);
  await setUp.click();
  for (const digit of "1111") await page.getByRole("button", { name: digit, exact: true }).click();
  await page.getByRole("button", { name: "Unlock" }).click();
  await expect(page.getByText("That is not the PIN of this panel.")).toBeVisible();
  for (const digit of "4711") await page.getByRole("button", { name: digit, exact: true }).click();
  await page.getByRole("button", { name: "Unlock" }).click();
  await page.getByRole("button", { name: "Leave the panel" }).click();
  await expect(navigation(page)).toBeVisible();
  await page.goto("/settings");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
});

test("a panel says who rings, also when it is dark, and a room that is gone", async ({ open, hub }) => {
  await hub.setState("binary_sensor.porch_doorbell", "off", { friendly_name: "Porch doorbell" });
  const page = await open("about:blank");
  await page.clock.install();
  await page.goto("/overview?panel=gone");
  await expect(page.getByText("This room no longer exists. Choose something else to show.")).toBeVisible();
  await page.clock.fastForward(61_000);
  const dark = page.getByRole("button", { name: "Touch to wake the panel" });
  await expect(dark).toBeVisible();
  await hub.setState("binary_sensor.porch_doorbell", "on", { friendly_name: "Porch doorbell" });
  await expect(dialog(page)).toContainText("There is no picture of the door.");
  await expect(page.getByRole("heading", { name: "Porch doorbell is ringing" })).toBeVisible();
  await expect(dark).toHaveCount(0);
  await page.clock.fastForward(61_000);
  await expect(dialog(page)).toHaveCount(0);
});
