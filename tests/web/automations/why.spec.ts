// SPDX-License-Identifier: Apache-2.0
// "Why?" in an entity's dialog: from its last change back to who or what began it.
import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "../fixtures";
import { fits } from "../pages";
import type { Hub } from "../hub";

async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  await hub.rest("POST", "/api/config/automation/config/follow", {
    alias: "Kitchen follows",
    triggers: [{ trigger: "state", entity_id: "light.hall" }],
    actions: [{ action: "light.turn_on", target: { entity_id: "light.kitchen" } }],
  });
  await hub.call("light", "toggle", { entity_id: "light.hall" });
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  return hub;
}

test("the dialog tells the chain to its root, and leads to the run", async ({ open, startHub }) => {
  const page = await open("/overview?entity=light.kitchen", { hub: await startHome(startHub) });
  const dialog = page.locator("hearth-entity-dialog");
  await dialog.getByRole("button", { name: "Why?" }).click();
  const links = dialog.getByRole("list", { name: "Why?" }).getByRole("listitem");
  await expect(links.first()).toContainText("changed from Off to On");
  await expect(links.nth(2)).toContainText("The automation Kitchen follows ran.");
  await expect(links.last()).toContainText("did it.");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await fits(page);
  await links.nth(2).getByRole("link").click();
  await expect(page.locator("hearth-item-runs .runs").getByRole("link")).toHaveCount(1);
});
