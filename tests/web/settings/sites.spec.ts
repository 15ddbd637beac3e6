// SPDX-License-Identifier: Apache-2.0
// A portal's pages: the sites of its fleet, with a real NATS server, and what is in them.
import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";
import { Nats } from "../nats";
import { dialog } from "../pages";

test("a portal lists its sites, shows what they have, and says who is silent", async ({ open, startHub }) => {
  test.setTimeout(150_000);
  const nats = await Nats.start();
  try {
    const fleet = (rest: string) => `\nfleet: {servers: "nats://127.0.0.1:${nats.port}", ${rest}}\n`;
    const lake = await startHub({ name: "Lake house", configuration: fleet("role: site, site: lake") });
    const city = await startHub({ name: "Flat <b>7</b>", configuration: fleet("role: site, site: city") });
    const portal = await startHub({ name: "All homes", configuration: fleet("role: portal") });
    const page = await open("/settings", { hub: portal });
    await page.getByRole("link", { name: "Sites" }).click();
    const site = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await expect(site("Lake house")).toContainText("Reachable", { timeout: 30_000 });
    await expect(site("Flat <b>7</b>")).toContainText("Reachable", { timeout: 30_000 });
    await expect(page.getByText("2 of 2 can be reached.")).toBeVisible();
    await expect(site("Lake house")).toContainText(/[1-9]\d* entities/);
    await looksRight(page, "sites");

    // A light of a site is switched at the portal, and there.
    const stateAt = async (hub: typeof portal, id: string) => (await hub.rest<{ state: string }>("GET", `/api/states/${id}`)).state;
    const before = await stateAt(lake, "light.kitchen");
    await portal.rest("POST", "/api/services/light/toggle", { entity_id: "light.lake_kitchen" });
    expect(await stateAt(lake, "light.kitchen")).not.toBe(before);
    await page.goto(`${portal.url}/overview`);
    await expect(
      page
        .getByRole("heading", { name: "Lake house Kitchen" })
        .or(page.getByRole("link", { name: /Lake house Kitchen/ }))
        .first(),
    ).toBeVisible();

    await page.goto(`${portal.url}/settings/sites`);
    await city.stop();
    await expect(site("Flat <b>7</b>")).toContainText("Silent", { timeout: 60_000 });
    await expect(page.getByText("1 of 2 can be reached.")).toBeVisible();
    // It comes first now.
    await expect(page.getByRole("listitem").filter({ hasText: /entit/ }).first()).toContainText("Flat <b>7</b>");
    await looksRight(page, "sites-silent");
    expect(await stateAt(portal, "light.city_kitchen")).toBe("unavailable");

    // It has left the fleet.
    await page.getByRole("button", { name: "Remove Flat <b>7</b>" }).click();
    await expect(dialog(page)).toContainText("Remove Flat <b>7</b> from this portal?");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("1 of 1 can be reached.")).toBeVisible();
    await expect(site("Flat <b>7</b>")).toHaveCount(0);
  } finally {
    await nats.stop();
  }
});

test("a home that is no portal has no page of sites", async ({ open }) => {
  const page = await open("/settings/system");
  await expect(page.getByRole("link", { name: "MQTT" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Sites" })).toHaveCount(0);
});
