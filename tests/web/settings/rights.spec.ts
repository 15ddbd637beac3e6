// SPDX-License-Identifier: Apache-2.0
// What the pages offer to whom.
import { expect, test } from "../fixtures";
import { navigation, notices, pageNames, toggle } from "../pages";

test("an administrator has every page", async ({ open }) => {
  const page = await open("/overview?view=list");
  await expect(navigation(page).getByRole("link")).toHaveText(pageNames);
});

for (const user of ["ben", "display"] as const) {
  test(`${user} sees no settings, and finds the developer tools in the profile`, async ({ open, expectComplaint }) => {
    expectComplaint(/404 \(Not Found\)/); // of /setting
    const page = await open("/overview?view=list", { user });
    await expect(navigation(page).getByRole("link")).toHaveText(["Overview", "History", "Energy", "Profile"]);
    await page.goto("/profile");
    await page.getByRole("link", { name: "Developer tools" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Developer tools" })).toBeVisible();
    await page.goto("/settings");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("For administrators");
    await page.goto("/setting");
    await expect(page.locator("body")).not.toContainText("For administrators");
  });

  test(`${user} writes nothing with the developer tools`, async ({ open }) => {
    const page = await open("/developer-tools", { user });
    await expect(page.getByRole("heading", { level: 1, name: "Developer tools" })).toBeVisible();
    await expect(page.getByRole("searchbox").first()).toBeVisible(); // reading is for everybody
    await expect(page.getByRole("button", { name: /^(Set|Delete)/ })).toHaveCount(0);
    await page.goto("/developer-tools/events");
    await expect(page.getByRole("heading", { level: 1, name: "Developer tools" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Fire/ })).toHaveCount(0);
  });
}

test("a user switches what a reader may only see", async ({ open, hub }) => {
  const page = await open("/overview?view=list", { user: "ben" });
  await toggle(page, "Towel heater").click();
  await expect.poll(async () => (await hub.state("switch.towel_heater")).state).toBe("on");
  const display = await open("/overview?view=list", { user: "display" });
  const seen = toggle(display, "Towel heater");
  await expect(seen).toHaveAttribute("aria-checked", "true");
  await expect(seen).toBeDisabled();
  await hub.call("switch", "turn_off", { entity_id: "switch.towel_heater" });
  await expect(seen).toHaveAttribute("aria-checked", "false"); // a display moves as the home moves
  await expect(notices(display).locator("section > div")).toHaveCount(0);
});
