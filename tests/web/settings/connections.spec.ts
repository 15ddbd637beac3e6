// SPDX-License-Identifier: Apache-2.0
// Connections: an integration is added by its flow, its devices get rooms, and the connection is looked after. The hub is the one with
// the integration `bridge`, which asks for a host and then for the PIN 1234.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { faultyBinary, type Hub } from "../hub";
import { dialog, fits, notices } from "../pages";

interface Step {
  flow_id: string;
  type: string;
  result: { entry_id: string };
}

const flows = "/api/config/config_entries/flow";
const bridges = (hosts = "[]") => ({ program: faultyBinary, configuration: `bridge: {hosts: ${hosts}}\n` });

// Adds a bridge as a page does, and returns the id of its connection.
async function add(hub: Hub, host: string): Promise<string> {
  const { flow_id } = await hub.rest<Step>("POST", flows, { handler: "bridge" });
  await hub.rest("POST", `${flows}/${flow_id}`, { host });
  return (await hub.rest<Step>("POST", `${flows}/${flow_id}`, { pin: "1234" })).result.entry_id;
}

const form = (page: Page) => page.getByRole("form", { name: "Add Bridge" });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

// The flow whose step the page shows.
const flowOf = (page: Page) => new URL(page.url()).searchParams.get("flow") ?? "";

for (const width of [360, 1280]) {
  test(`a bridge is added by keyboard at ${width} px: wrong answers are said, its device gets a room`, async ({ open, startHub }) => {
    const hub = await startHub(bridges());
    const page = await open("/settings/devices/add", { hub, width });
    await page.getByRole("link", { name: "Add: Bridge" }).press("Enter");
    await expect(form(page)).toBeVisible();
    await expect(page.getByRole("heading", { level: 2, name: "Add Bridge" })).toBeFocused();
    await expect(page).toHaveTitle(/^Add Bridge – Devices/);
    await expect(page.getByRole("spinbutton", { name: "Port" })).toHaveValue("80");
    await expect(page.getByRole("combobox", { name: "Kind" })).toHaveValue("");
    await expect(page.getByRole("checkbox", { name: "Encrypted (TLS)" })).toBeChecked();
    await fits(page);

    const host = field(page, "Host name or address");
    await host.press("Enter");
    await expect(host).toBeFocused();
    await expect(host).toHaveAccessibleDescription("Fill this in.");
    await host.fill("nobody");
    await host.press("Enter");
    await expect(page.getByRole("alert")).toContainText("It does not answer there.");
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(host).toHaveValue("nobody");
    await host.fill(" hall ");
    await host.press("Enter");

    const pin = field(page, "PIN");
    await expect(pin).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Without this hall does not let the hub in." })).toBeVisible();
    await expect(pin).toHaveAttribute("type", "password");
    await pin.fill("0000");
    await page.getByRole("button", { name: "Show password" }).press("Enter");
    await expect(pin).toHaveAttribute("type", "text");
    await pin.press("Enter");
    await expect(pin).toHaveAccessibleDescription(/^The PIN is wrong\./);
    await expect(pin).toBeFocused();
    await fits(page);
    await page.reload(); // the flow goes on
    await pin.fill("1234");
    await page.getByRole("button", { name: "Add", exact: true }).press("Enter");

    await expect(page.getByRole("heading", { level: 2, name: "Bridge hall is connected" })).toBeFocused();
    await page.getByRole("combobox", { name: "Room of Bridge hall" }).selectOption("Hall");
    await fits(page);
    const room = async () => {
      const { devices } = await hub.rest<{ devices: { id: string; area_id: string | null }[] }>("GET", "/api/registry");
      return devices.find(({ id }) => id === "bridge.hall")?.area_id;
    };
    await expect.poll(room).toBe("hall");
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Room of Bridge hall" })).toHaveValue("hall");
    await page.getByRole("link", { name: "The connection", exact: true }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Bridge hall" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Bridge hall" })).toBeVisible();
  });
}

test("a flow that is cancelled or left is ended at the hub, and one that ends by itself says why", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/404/); // of the flow that is gone
  const hub = await startHub(bridges());
  hub.errorsExpected = true;
  await add(hub, "hall");
  const page = await open("/settings/devices/connect?handler=bridge", { hub, language: "de-DE" });
  const host = field(page, "Hostname oder Adresse");
  const isThere = async (flow: string) => (await hub.fetch("GET", `${flows}/${flow}`, undefined, hub.token("ann"))).status;
  await expect(host).toBeVisible();
  const cancelled = flowOf(page);
  expect(await isThere(cancelled)).toBe(200);
  await page.getByRole("button", { name: "Abbrechen" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Was möchtest du hinzufügen?" })).toBeVisible();
  await expect.poll(() => isThere(cancelled)).toBe(404);

  await page.getByRole("link", { name: "Hinzufügen: Bridge" }).click();
  await expect(host).toBeVisible();
  await expect.poll(() => flowOf(page)).not.toBe("");
  const left = flowOf(page);
  await page.goBack();
  await expect.poll(() => isThere(left)).toBe(404);

  const begin = async (name: string) => {
    await page.goto("/settings/devices/connect?handler=bridge");
    await host.fill(name);
    await host.press("Enter");
  };
  await begin("aborts");
  await expect(page.getByRole("alert")).toContainText("kann die Zentrale nicht arbeiten");
  await begin("throws");
  await expect(page.getByRole("alert")).toContainText("womit die Zentrale nicht gerechnet hat; ihr Protokoll sagt mehr");
  await begin("hall");
  await field(page, "PIN").fill("1234");
  await page.getByRole("button", { name: "Hinzufügen", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Das ist schon verbunden.");
  await expect(page.getByRole("link", { name: "Alle Verbindungen" })).toBeVisible();
  await page.getByRole("button", { name: "Von vorn beginnen" }).click();
  await expect(host).toBeVisible();

  // Ended elsewhere meanwhile.
  await expect.poll(() => flowOf(page)).not.toBe("");
  await hub.rest("DELETE", `${flows}/${flowOf(page)}`);
  await host.fill("attic");
  await host.press("Enter");
  await expect(page.getByRole("alert")).toContainText("oder es wurde anderswo beendet");
});

test("connections say how they are and what to do, and follow what happens to them", async ({ open, startHub }) => {
  const hub = await startHub(bridges("[cellar]"));
  hub.errorsExpected = true;
  await add(hub, "hall");
  await add(hub, "sleeps");
  const locked = await add(hub, "locked");
  await hub.rest("POST", "/api/config/automation/config/evening", {
    alias: "Evening",
    triggers: [],
    actions: [{ action: "switch.turn_on", target: { entity_id: "switch.bridge_locked" } }],
  });
  const page = await open("/settings/devices/connections", { hub, width: 360 });
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(row("Demo")).toContainText(/The demo home · \d\d devices/);
  await expect(page.getByRole("heading", { level: 3, name: /^Bridge 4 connections/ })).toBeVisible();
  await expect(row("Bridge hall")).toContainText("Running");
  await expect(row("Bridge sleeps")).toContainText(/The bridge sleeps\.\s+Waiting/);
  await expect(row("Bridge locked")).toContainText(/The bridge wants another PIN\.\s+Needs you/);
  await expect(page.getByText("5 connections · 1 needs you")).toBeVisible();
  await fits(page);
  const other = await open(`/settings/devices/connection?id=${locked}`, { hub });
  await expect(other.getByRole("status").first()).toContainText("then reload it. If its key or PIN is another one now");

  await other.getByRole("button", { name: "Rename" }).click();
  await other.getByLabel("Name", { exact: true }).fill("Attic <b>bridge</b>");
  await other.keyboard.press("Enter");
  await expect(other.getByRole("heading", { level: 2, name: "Attic <b>bridge</b>" })).toBeVisible();
  await expect(row("Attic <b>bridge</b>")).toContainText("Needs you");

  await other.getByRole("button", { name: "Disable" }).click();
  await dialog(other).getByRole("button", { name: "Disable" }).click();
  await expect(row("Attic")).toContainText("Disabled");
  await expect.poll(async () => (await hub.state("switch.bridge_locked")).state).toBe("unavailable");
  await expect(other.getByRole("button", { name: "Reload" })).toHaveCount(0);
  await other.getByRole("button", { name: "Enable" }).click();
  await expect(row("Attic")).toContainText("Needs you");
  await other.getByRole("button", { name: "Reload" }).click();
  await expect(notices(other)).toContainText("“Attic <b>bridge</b>” is started anew.");

  const downloading = other.waitForEvent("download");
  await other.getByRole("button", { name: "Download diagnosis" }).click();
  const diagnosis = readFileSync(await (await downloading).path(), "utf8");
  expect(JSON.parse(diagnosis)).toMatchObject({ data: { host: "locked", messages: ["the PIN is **"] } });

  await other.getByRole("button", { name: "Remove" }).click();
  await expect(dialog(other)).toContainText("1 device and 1 entity go at once.");
  await expect(dialog(other).getByRole("link", { name: "Evening" })).toBeVisible();
  await dialog(other).getByRole("button", { name: "Remove" }).click();
  await expect(other.getByRole("heading", { level: 2, name: "Connections" })).toBeVisible();
  await expect(row("Attic")).toHaveCount(0);
  await expect(page.getByText("4 connections", { exact: true })).toBeVisible();

  // One of the file is removed there.
  await other.getByRole("link", { name: "Bridge cellar" }).click();
  await expect(other.getByText("It is set up in configuration.yaml, and is changed and removed there.")).toBeVisible();
  await expect(other.getByRole("button", { name: "Reload" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Remove" })).toHaveCount(0);
});

// Nothing in the tests' network can be found: the browser is told of it, and the hub has a flow for it that somebody began.
for (const width of [360, 1280]) {
  test(`a connection that waits for a person gets another PIN at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub(bridges());
    const entry = await add(hub, "locked1");
    const page = await open(`/settings/devices/connection?id=${entry}`, { hub, width });
    await expect(page.getByText("The bridge wants another PIN.")).toBeVisible();
    await page.getByRole("link", { name: "Change" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Change Bridge locked1" })).toBeVisible();
    await fits(page);
    await field(page, "PIN").fill("0000");
    await page.getByRole("button", { name: "Change" }).click();
    await expect(field(page, "PIN")).toHaveAccessibleDescription(/^The PIN is wrong\./);
    await page.reload(); // the flow goes on, and is still a change
    await field(page, "PIN").fill("1234");
    await page.getByRole("button", { name: "Change" }).click();
    await expect(notices(page)).toContainText("Changed.");
    await expect(page).toHaveURL(new RegExp(`/settings/devices/connection\\?id=${entry}$`));
    await expect(page.getByText("The bridge wants another PIN.")).toBeHidden();
    await page.getByRole("link", { name: "Change" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL(new RegExp(`/settings/devices/connection\\?id=${entry}$`));
  });
}

test("what is found is on offer until it is added or ignored", async ({ open, startHub }) => {
  const hub = await startHub(bridges());
  const { flow_id } = await hub.rest<Step>("POST", flows, { handler: "bridge" });
  await hub.rest("POST", `${flows}/${flow_id}`, { host: "hall" });
  const page = await open("/settings/devices/areas", { hub });
  let tell = (_changes: object[]): void => undefined;
  const ignored: string[] = [];
  const flow = (id: string, name: string) => ({
    flow_id: id,
    handler: "bridge",
    context: { source: "zeroconf", unique_id: id, title_placeholders: { name, host: "10.0.0.7" } },
    step_id: "pin",
  });
  await page.routeWebSocket(/\/api\/websocket/, (near) => {
    const far = near.connectToServer();
    let subscription = 0;
    far.onMessage((message) => near.send(message));
    near.onMessage((message) => {
      const { type, id, flow_id: of } = JSON.parse(String(message)) as { type: string; id: number; flow_id: string };
      if (type === "config_entries/flow/subscribe") {
        subscription = id;
        tell = (event) => near.send(JSON.stringify({ id: subscription, type: "event", event }));
      }
      if (type !== "config_entries/ignore_flow") return far.send(message);
      ignored.push(of);
      near.send(JSON.stringify({ id, type: "result", success: true, result: null }));
      tell([{ type: "removed", flow_id: of, flow: flow(of, "") }]);
    });
  });
  await page.goto("/settings/devices/add");
  await expect(page.getByText("Nothing new has been found yet.")).toBeVisible();
  tell([{ type: "added", flow_id, flow: flow(flow_id, "Hall <b>bridge</b>") }]);
  tell([{ type: "added", flow_id: "f2", flow: flow("f2", "Neighbour") }]);
  await expect(page.getByRole("status").filter({ hasText: "2 devices are not in your home yet." })).toBeVisible();
  await page.getByRole("button", { name: "Ignore: Neighbour" }).click();
  await dialog(page).getByRole("button", { name: "Ignore" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Neighbour" })).toHaveCount(0);
  expect(ignored).toEqual(["f2"]);
  const hall = page.getByRole("listitem").filter({ hasText: "Hall <b>bridge</b>" });
  await expect(hall).toContainText("Bridge · 10.0.0.7");
  await hall.getByRole("link", { name: "Add" }).click();
  // As long as nobody has answered, it stays on offer.
  await expect(field(page, "PIN")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Add devices" })).toBeVisible();
  expect((await hub.rest<Step>("GET", `${flows}/${flow_id}`)).type).toBe("form");
  await page.goto(`/settings/devices/connect?flow=${flow_id}&found=1`);
  await field(page, "PIN").fill("1234");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Bridge hall is connected" })).toBeVisible();
});

// Nothing announces a bridge, so that it is written where the hub keeps what it ignores.
test("what is ignored is offered again when a person takes that back", async ({ open, startHub }) => {
  const hub = await startHub(bridges());
  const rows = `import sqlite3, sys
home = sqlite3.connect(sys.argv[1], timeout=20)
home.execute("INSERT INTO ignored_connections VALUES('bridge', 'neighbour', 'Neighbour <b>')")
home.commit()`;
  await hub.end();
  execFileSync("/usr/bin/python3", ["-c", rows, join(hub.folder, "home.db")]);
  await hub.begin();
  const page = await open("/settings/devices/add", { hub, width: 360 });
  const neighbour = page.getByRole("listitem").filter({ hasText: "Neighbour <b>" });
  await expect(neighbour).toContainText("Bridge");
  await fits(page);
  await page.goto("/settings/devices/connections");
  await expect(page.getByText("Neighbour <b>")).toHaveCount(0);
  await page.goto("/settings/devices/add");
  await neighbour.getByRole("button", { name: "Offer again: Neighbour <b>" }).press("Enter");
  await expect(notices(page)).toContainText("“Neighbour <b>” is offered again as soon as the hub finds it.");
  await expect(neighbour).toHaveCount(0);
  const left = await hub.rest<{ domain: string }[]>("GET", "/api/config/config_entries/entry");
  expect(left.filter(({ domain }) => domain === "bridge")).toEqual([]);
});
