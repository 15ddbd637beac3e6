// SPDX-License-Identifier: Apache-2.0
// A home of 10,000 entities.
import { expect } from "../fixtures";
import { changeStates, test } from "../many";
import { count, navigation } from "../pages";

const cards = "hearth-sensor-card, hearth-switch-card, hearth-light-card, hearth-binary-sensor-card, hearth-cover-card";

// One home for all of them.
test.describe.configure({ mode: "default" });

test("few of 10,000 cards are drawn, and the last can be reached", async ({ open, home }) => {
  const page = await open("/overview?view=list", { hub: home });
  await expect(page.getByRole("switch").first()).toBeVisible();
  expect(await count(page, cards)).toBeGreaterThan(10);
  expect(await count(page, cards)).toBeLessThan(500);
  await page.keyboard.press("End");
  await expect.poll(() => count(page, cards)).toBeLessThan(500);

  await page.getByRole("searchbox").fill("Thing 9999");
  await expect(page.getByText("Thing 9999", { exact: true })).toBeVisible();
  await expect(page.getByText("Thing 9998", { exact: true })).toHaveCount(0);
});

test("the list of 10,000 states draws few rows", async ({ open, home }) => {
  const page = await open("/developer-tools", { hub: home });
  await page.getByRole("searchbox").first().waitFor();
  await expect(page.getByText("sensor.thing_9990", { exact: true })).toHaveCount(0);
  expect(await page.getByRole("row").count()).toBeLessThan(300);
  await page.getByRole("searchbox").first().fill("sensor.thing_9990");
  await expect(page.getByText("sensor.thing_9990", { exact: true })).toBeVisible();
});

test("the pages can be used while 200 states change each second", async ({ open, home }) => {
  const page = await open("/overview?view=list", { hub: home });
  await expect(page.getByRole("switch").first()).toBeVisible();
  const changes = changeStates(home);
  try {
    await expect.poll(changes.written).toBeGreaterThan(200);
    for (const name of ["Profile", "Overview", "Profile", "Overview"]) {
      await navigation(page).getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    }
  } finally {
    await changes.stop();
  }
});
