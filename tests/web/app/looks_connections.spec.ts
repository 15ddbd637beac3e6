// SPDX-License-Identifier: Apache-2.0
// How connections look: what can be added, each step of a flow and its ends, the list, and a connection in each of its states.
import { expect, test } from "../fixtures";
import { faultyBinary, type Hub } from "../hub";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

interface Step {
  flow_id: string;
  result: { entry_id: string };
}

const bridges = { program: faultyBinary, configuration: "bridge: {hosts: [cellar]}\n" };
const flows = "/api/config/config_entries/flow";
const longName = "sleeps_in_the_attic_behind_the_very_old_chest_of_drawers";

async function add(hub: Hub, host: string): Promise<string> {
  const { flow_id } = await hub.rest<Step>("POST", flows, { handler: "bridge" });
  await hub.rest("POST", `${flows}/${flow_id}`, { host });
  return (await hub.rest<Step>("POST", `${flows}/${flow_id}`, { pin: "1234" })).result.entry_id;
}

test("adding a connection looks right", async ({ open, startHub }) => {
  test.slow();
  const hub = await startHub(bridges);
  hub.errorsExpected = true;
  const page = await open("/settings/devices/add", { hub });
  await expect(page.getByRole("link", { name: "Add: Bridge" })).toBeVisible();
  await looksRight(page, "connection-add");
  await page.getByRole("link", { name: "Add: Bridge" }).click();
  const host = page.getByRole("textbox", { name: "Host name or address" });
  await host.press("Enter");
  await expect(page.getByText("Fill this in.")).toBeVisible();
  await looksRight(page, "connection-form-empty");
  await host.fill("nobody");
  await host.press("Enter");
  await expect(page.getByRole("alert")).toContainText("It does not answer there.");
  await looksRight(page, "connection-form-wrong");
  await host.fill(longName);
  await host.press("Enter");
  const pin = page.getByRole("textbox", { name: "PIN" });
  await pin.fill("0000");
  await pin.press("Enter");
  await expect(page.getByText("The PIN is wrong.")).toBeVisible();
  await looksRight(page, "connection-pin-wrong");
  await pin.fill("1234");
  await pin.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: /is added$/ })).toBeVisible();
  await looksRight(page, "connection-added-waits");
  await page.goto(`/settings/devices/connect?entry=${await add(hub, "hall")}`);
  await expect(page.getByRole("combobox", { name: "Room of Bridge hall" })).toBeVisible();
  await looksRight(page, "connection-added");
  await page.goto("/settings/devices/connect?handler=bridge");
  await host.fill("aborts");
  await host.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await looksRight(page, "connection-ended");
});

for (const language of ["en-GB", "de-DE"])
  test(`connections look right in ${language}`, async ({ open, startHub }) => {
    test.slow();
    const hub = await startHub(bridges);
    hub.errorsExpected = true;
    const made = new Map<string, string>();
    for (const host of ["hall", longName, "locked", "fails"]) made.set(host, await add(hub, host));
    const name = (what: string) => `connection${language === "de-DE" ? "-de" : ""}-${what}`;
    const page = await open("/settings/devices/connections", { hub, language });
    await expect(page.getByRole("listitem").first()).toBeVisible();
    await looksRight(page, name("list"));
    const show = async (id: string) => {
      await page.goto(`/settings/devices/connection?id=${id}`);
      await expect(page.locator("hearth-connection-page h2").first()).toBeVisible();
    };
    for (const [host, id] of made) {
      await show(id);
      await looksRight(page, name(`of-${host.slice(0, 6)}`));
    }
    await page.getByRole("button", { name: /^(Rename|Umbenennen)$/ }).click();
    await expect(dialog(page)).toHaveCount(1);
    await looksRight(page, name("rename"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^(Remove|Entfernen)$/ }).click();
    await expect(dialog(page)).toHaveCount(1);
    await looksRight(page, name("remove"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^(Disable|Deaktivieren)$/ }).click();
    await dialog(page)
      .getByRole("button", { name: /^(Disable|Deaktivieren)$/ })
      .click();
    await expect(page.getByRole("button", { name: /^(Enable|Aktivieren)$/ })).toBeVisible();
    await looksRight(page, name("disabled"));
    await page.goto("/settings/devices/connections");
    await page.getByRole("link", { name: "Bridge cellar" }).click();
    await expect(page.locator("hearth-connection-page h2").first()).toBeVisible();
    await looksRight(page, name("of-file"));
  });
