// SPDX-License-Identifier: Apache-2.0
// What automations and scripts did: their runs, the steps of one, and what they missed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "../fixtures";
import { fits } from "../pages";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";

const actions = [
  { variables: { warmth: "{{ 3 + 4 }}" } },
  { alias: "Lamp <i>on</i>", action: "light.turn_on", target: { entity_id: "light.hall" } },
  { choose: [{ conditions: "{{ warmth == 7 }}", sequence: [{ event: "warm" }] }] },
  { action: "nowhere.nothing" },
];

// An automation that ran and failed, was stopped by its conditions, and ran while it ran already.
async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  hub.errorsExpected = true; // the last step fails
  await hub.rest("POST", "/api/config/automation/config/hall", {
    alias: "Hall light",
    triggers: [{ trigger: "event", event_type: "go" }],
    conditions: ["{{ is_state('switch.garden_pump', 'off') }}"],
    actions,
  });
  await hub.rest("POST", "/api/config/script/config/long", {
    alias: "Long",
    sequence: [{ wait_for_trigger: [{ trigger: "event", event_type: "end" }] }, { event: "ended" }],
  });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await hub.rest("POST", "/api/events/go", {});
  await expect.poll(async () => (await hub.state("automation.hall_light")).attributes.last_triggered).not.toBe(null);
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await hub.rest("POST", "/api/events/go", {});
  return hub;
}

test("the runs of an automation are listed, also those that its conditions stop, with the steps of each", async ({ open, startHub }) => {
  const page = await open("/settings/automations", { hub: await startHome(startHub) });
  const row = page.getByRole("listitem").filter({ hasText: "Hall light" });
  await expect(row).toContainText("Last run failed: there is no service nowhere.nothing");
  await row.getByRole("link", { name: "Hall light" }).click();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const runs = page.locator("hearth-item-runs .runs").getByRole("link");
  await expect(runs).toHaveCount(2);
  await expect(runs.nth(0)).toContainText("Stopped by its conditions");
  await expect(runs.nth(1)).toContainText("Failed");
  await page.getByText("In order", { exact: true }).click();
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps.filter({ hasText: "Condition" })).toContainText("Does not hold");
  await expect(steps.filter({ hasText: "Condition" })).toContainText("switch.garden_pump = on");

  await runs.nth(1).click();
  await expect(steps.filter({ hasText: "action/0" }).first()).toContainText("warmth = 7");
  await expect(steps.filter({ hasText: "Lamp <i>on</i>" })).toContainText("light.hall");
  await expect(steps.filter({ hasText: "{{ warmth == 7 }}" })).toContainText("Holds");
  await expect(steps.last()).toContainText("there is no service nowhere.nothing");
  await page.goBack();
  await expect(runs.nth(0)).toHaveAttribute("aria-current", "true");
});

test("why a run failed is said in the language of the page", async ({ open, startHub }) => {
  const hub = await startHub();
  hub.errorsExpected = true;
  await hub.rest("POST", "/api/config/automation/config/wait", { alias: "Waits", triggers: [], actions: [{ delay: "{{ 'soon' }}" }] });
  await hub.call("automation", "trigger", { entity_id: "automation.waits" });
  await expect.poll(async () => (await hub.state("automation.waits")).attributes.last_triggered).not.toBe(null);
  const said = /actions\[0\]\.delay: erwartet wird eine Dauer: .*, das Template ergab soon/;
  const page = await open("/settings/automations", { hub, language: "de-DE" });
  await expect(page.getByText(said).first()).toBeVisible();
  await page.goto("/settings/automations/automation.waits?view=runs");
  await expect(page.getByText(said)).toHaveCount(3); // of the run, in the list and beside it, and of its step
});

test("a repair says what is wrong in the language of the page, and where", async ({ open, startHub }) => {
  const hub = await startHub();
  hub.errorsExpected = true;
  writeFileSync(join(hub.folder, "automations.yaml"), "- alias: Broken\n  triggers: []\n  acions: []\n");
  await hub.call("automation", "reload", {});
  const page = await open("/settings/system", { hub, language: "de-DE" });
  await expect(page.locator("hearth-repairs")).toContainText(
    /automations\.yaml:1: actions fehlt\s+automations\.yaml:3: acions: unbekannter Schlüssel, war actions gemeint\?/,
  );
});

test("a run by hand names who ran it", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open("/settings/automations/script.long?view=runs", { hub });
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.locator("hearth-run-links dd").first()).toHaveText("ann (you), by hand");
});

test("a run that goes on is shown as it goes on", async ({ open, startHub }) => {
  const hub = await startHome(startHub);
  const page = await open("/settings/automations/script.long?view=runs", { hub });
  await expect(page.getByText("There are no runs yet.")).toBeVisible();
  await page.getByRole("button", { name: "Run now" }).click();
  const run = page.locator("hearth-item-runs .runs").getByRole("link");
  await expect(run).toContainText("Running");
  const path = page.getByRole("list", { name: "Then do", exact: true }).getByRole("listitem");
  await expect(path.filter({ hasText: "Is here" })).toContainText("Wait");
  await page.getByText("In order", { exact: true }).click();
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toHaveCount(1);
  await hub.rest("POST", "/api/events/end", {});
  await expect(run).toContainText("Finished");
  await expect(steps).toHaveCount(2);
  await expect(steps.last()).toContainText("ended");
});

test("a text that is not saved stays while one looks at the runs", async ({ open, startHub }) => {
  const page = await open("/settings/automations/script.long?view=yaml", { hub: await startHome(startHub) });
  const editor = page.getByRole("textbox", { name: "YAML text" });
  await editor.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("mode: single\n");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(editor).toBeHidden();
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await expect(editor).toContainText("mode: single");
});

test("what an automation missed is named, and can be run now", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  await hub.rest("POST", "/api/config/automation/config/busy", {
    alias: "Busy",
    triggers: [{ trigger: "event", event_type: "go" }],
    actions: [
      { action: "light.toggle", target: { entity_id: "light.hall" } },
      { wait_for_trigger: [{ trigger: "event", event_type: "end" }] },
    ],
  });
  await hub.rest("POST", "/api/events/go", {});
  await expect.poll(async () => (await hub.state("automation.busy")).attributes.current).toBe(1);
  await hub.rest("POST", "/api/events/go", {});
  await expect
    .poll(async () => {
      await hub.rest("POST", "/api/events/end", {}); // it may not listen yet
      return (await hub.state("automation.busy")).attributes.current;
    })
    .toBe(0);
  const page = await open("/settings/automations/automation.busy?view=runs", { hub });
  const missed = page.locator("section").filter({ has: page.getByRole("heading", { name: "What was missed" }) });
  await expect(missed.getByRole("listitem")).toContainText("It was running already, and its mode lets no more begin.");

  // In the list of all, with its name.
  await page.getByRole("link", { name: "Automations, scripts, scenes" }).click();
  await expect(missed.getByRole("listitem")).toContainText("Busy");
  await expect(missed.getByRole("link", { name: "Busy" })).toHaveAttribute("href", /automation\.busy\?view=runs$/);
  await missed.getByRole("button", { name: "Run now: Busy" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("off");
});

test("of much that was missed the rest is shown by a key, which goes on there", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    await hub.rest("POST", `/api/config/automation/config/${number}`, {
      alias: `Often ${number}`,
      triggers: [{ trigger: "time_pattern", seconds: "/1" }],
      actions: [{ event: "x" }],
      mode: "queued",
    });
  }
  await hub.end();
  await new Promise((resume) => setTimeout(resume, 2000)); // what is missed is counted by the clock on the wall
  await hub.begin();
  await hub.rest("DELETE", "/api/config/automation/config/7");
  const page = await open("/settings/automations", { hub, language: "de-DE", width: 360 });
  const missed = page.locator("hearth-missed-runs");
  await expect(missed.getByRole("listitem")).toHaveCount(5);
  await missed.getByRole("button", { name: "Noch eine zeigen" }).press("Enter");
  await expect(missed.getByRole("listitem")).toHaveCount(6); // what is gone cannot be run
  await expect(missed.getByRole("listitem").nth(5).getByRole("link")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(
    missed
      .getByRole("listitem")
      .nth(5)
      .getByRole("button", { name: /^Jetzt ausführen/ }),
  ).toBeFocused();
});

test("what came while the hub was down is one row, which fits small windows and is accessible", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/often", {
    alias: "Often",
    triggers: [{ trigger: "time_pattern", seconds: "/1" }],
    actions: [{ event: "x" }],
    mode: "queued",
  });
  await hub.end();
  await new Promise((resume) => setTimeout(resume, 3000)); // what is missed is counted by the clock on the wall
  await hub.begin();
  for (const [language, width, text] of [
    ["de-DE", 360, /Die Zentrale lief da nicht/],
    ["en-GB", 1280, /times since.*The hub was not running then/s],
  ] as const) {
    const page = await open("/settings/automations", { hub, language, width });
    const missed = page.locator("hearth-missed-runs");
    await expect(missed.getByRole("listitem")).toHaveCount(1);
    await expect(missed).toContainText(text);
    await looksRight(page, "missed", { widths: [width], fullPage: false });
  }
});

for (const [language, width] of [
  ["de-DE", 360],
  ["en-GB", 1024],
  ["de-DE", 2560],
] as const) {
  test(`the runs fit ${width} px in ${language}, and are accessible in both themes`, async ({ open, startHub }) => {
    const hub = await startHome(startHub);
    const page = await open("/settings/automations/automation.hall_light?view=runs", { hub, language, width, height: 1000 });
    await page.locator("hearth-item-runs .runs").getByRole("link").nth(1).click();
    await expect(page.locator("hearth-run-steps")).toContainText("nowhere.nothing");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await fits(page);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))).toEqual([]);
      await page.screenshot({
        path: `../../build/screenshots/runs-${width}-${language}-${colorScheme}.png`,
        animations: "disabled",
        fullPage: width === 360,
      });
    }
  });
}
