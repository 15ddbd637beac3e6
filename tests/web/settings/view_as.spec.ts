// SPDX-License-Identifier: Apache-2.0
// An administrator sees the home as somebody else does.
import { expect, test } from "../fixtures";
import { navigation, pageNames, toggle } from "../pages";

test("an administrator sees what a user sees, changes nothing, and comes back", async ({ open, hub }) => {
  const page = await open("/settings/users");
  await page.getByRole("button", { name: "View the home as ben" }).click();
  const banner = page.getByRole("status").filter({ hasText: "You see the home as ben does" });
  await expect(banner).toBeVisible();
  await expect(navigation(page).getByRole("link")).toHaveText(["Overview", "History", "Energy", "Profile"]);
  await page.goto("/overview?view=list");
  await expect(banner).toBeVisible(); // also when the page is loaded again
  await expect(toggle(page, "Towel heater")).toBeDisabled();
  const before = (await hub.state("switch.towel_heater")).state;
  await hub.call("switch", "toggle", { entity_id: "switch.towel_heater" });
  await expect(toggle(page, "Towel heater")).toHaveAttribute("aria-checked", before === "on" ? "false" : "true");
  await hub.call("switch", "toggle", { entity_id: "switch.towel_heater" });

  await banner.getByRole("button", { name: "Be yourself again" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Users" })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await page.goto("/overview?view=list");
  await expect(navigation(page).getByRole("link")).toHaveText(pageNames);
});

test("a view that is over gives way to the administrator's own session", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 40/, false);
  const hub = await startHub();
  const page = await open("/settings/users", { hub, ownSession: true });
  await page.getByRole("button", { name: "View the home as ben" }).click();
  await expect(page.getByText("You see the home as ben does")).toBeVisible();
  hub.command(["user", "deactivate", "ben"]);
  await expect(page.getByText("You see the home as ben does")).toHaveCount(0);
  await page.goto("/settings/users");
  await expect(page.getByRole("heading", { level: 2, name: "Users" })).toBeVisible();
  await expect(page.getByRole("button", { name: "View the home as ben" })).toHaveCount(0); // deactivated
});
