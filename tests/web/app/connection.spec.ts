// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { notices, toggle } from "../pages";

// The icons that entities name come last: on a slow machine some are still being fetched when the hub goes.
const missedIcon = /\/assets\/icons-.*ERR_|ERR_.*\/assets\/icons-/;

test("a lost connection shows a banner and heals by itself", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket connection to .* failed/);
  expectComplaint(missedIcon, false);
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  const light = toggle(page, "Kitchen light");
  const banner = page.getByRole("alert").filter({ hasText: "connection to the hub is lost" });
  await expect(light).toHaveAttribute("aria-checked", "false");
  await expect(banner).toHaveCount(0);
  await page.waitForLoadState("networkidle");

  await hub.end();
  await expect(banner).toBeVisible();

  await hub.begin();
  await expect(banner).toHaveCount(0, { timeout: 30_000 }); // the library waits longer after each attempt
  await expect(notices(page)).toContainText("Connected again");

  await hub.call("light", "turn_on", { entity_id: "light.kitchen" });
  await expect(light).toHaveAttribute("aria-checked", "true");
  await light.click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("off");
});

test("what has changed while the hub was away is seen when it is back", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket connection to .* failed/);
  expectComplaint(missedIcon, false);
  const hub = await startHub();
  await hub.setState("sensor.letters", "3", { friendly_name: "Letters" });
  await hub.setState("sensor.parcels", "1", { friendly_name: "Parcels" });
  const page = await open("/overview?view=list", { hub });
  await expect(page.getByText("Parcels")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await hub.end();
  await hub.begin();
  await hub.setState("sensor.letters", "4711", { friendly_name: "Letters" });
  await hub.rest("DELETE", "/api/states/sensor.parcels");
  await page.context().setOffline(false);
  await expect(page.getByText("4711")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Parcels")).toHaveCount(0);
});

test("an icon that could not be fetched is fetched again", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(missedIcon);
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  const missed = page.waitForEvent("requestfailed");
  await page.route("**/assets/icons-*", (route) => route.abort());
  await hub.setState("sensor.harbour", "calm", { friendly_name: "Harbour", icon: "mdi:ferry" });
  const drawing = page.locator("hearth-sensor-card").filter({ hasText: "Harbour" }).locator("hearth-icon path");
  const general = (await drawing.getAttribute("d")) ?? "";
  await missed;
  await page.unroute("**/assets/icons-*");
  await expect(drawing).not.toHaveAttribute("d", general);
});
