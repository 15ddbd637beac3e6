// SPDX-License-Identifier: Apache-2.0
// The audit log in Settings → Security.
import { expect, test } from "../fixtures";
import { looksRight } from "../looks_right";

test("the audit log says who changed what", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.logIn("ben");
  await hub.call("homeassistant", "reload_core_config", {});
  const page = await open("/settings/security", { hub });
  const table = page.getByRole("table", { name: "Audit log" });
  const service = table.getByRole("row").filter({ hasText: "Action for administrators" });
  await expect(service).toContainText("homeassistant.reload_core_config");
  await expect(service).toContainText("ann");
  await expect(service).toContainText("127.0.0.1");
  await expect(table.getByRole("row").filter({ hasText: "ben" }).filter({ hasText: "Logged in" })).toBeVisible();
  await looksRight(page, "settings-audit");
});

test("older rows of the audit log come when they are wanted", async ({ open, startHub }) => {
  const hub = await startHub();
  for (let number = 0; number < 60; ++number) await hub.rest("DELETE", `/api/backups/none_${number}`).catch(() => undefined);
  const page = await open("/settings/security", { hub });
  const table = page.getByRole("table", { name: "Audit log" });
  await expect(table.getByText("none_59", { exact: true })).toBeVisible();
  await expect(table.getByText("none_0", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Show older ones" }).click();
  await expect(table.getByText("none_0", { exact: true })).toBeVisible();
});
