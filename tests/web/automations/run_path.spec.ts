// SPDX-License-Identifier: Apache-2.0
// The path of a run, drawn over its item.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";

const actions = [
  {
    if: [{ condition: "state", entity_id: "switch.garden_pump", state: "off" }],
    then: [{ event: "was_off" }],
    else: [{ event: "was_on" }],
  },
  {
    choose: [
      { conditions: "{{ false }}", sequence: [{ event: "one" }] },
      { alias: "Second", conditions: "{{ trigger.to_state.state == 'on' }}", sequence: [{ action: "script.child" }] },
    ],
    default: [{ event: "none" }],
  },
  {
    repeat: {
      count: 3,
      sequence: [
        { variables: { far: "{{ repeat.index * 10 }}" } },
        { repeat: { count: 2, sequence: [{ event: "inner", event_data: { n: "{{ far }}" } }] } },
      ],
    },
  },
  {
    parallel: [
      { sequence: [{ event: "left" }, { event: "left_again" }] },
      { action: "light.turn_on", target: { entity_id: "light.hall" } },
    ],
  },
  { alias: "Left out", event: "off", enabled: false },
];

async function startHome(startHub: (options?: object) => Promise<Hub>): Promise<Hub> {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/child", { alias: "Child", sequence: [{ event: "child" }] });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  await hub.rest("POST", "/api/config/automation/config/hall", {
    alias: "Hall",
    triggers: [{ trigger: "state", entity_id: "switch.garden_pump", to: "on" }],
    actions,
  });
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
  return hub;
}

const runs = "/settings/automations/automation.hall?view=runs";
const lane = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

test("what ran is told apart from what did not, in the words of the sentences", async ({ open, startHub }) => {
  const page = await open(runs, { hub: await startHome(startHub) });
  const path = page.locator("hearth-run-path");
  await expect(path.getByRole("list", { name: "When", exact: true }).getByRole("button")).toContainText("Garden pump changes to On");
  await expect(lane(page, "Then").getByRole("listitem")).toContainText("not done");
  await expect(lane(page, "Else").getByRole("button")).toContainText("was_on");
  await expect(lane(page, "If").getByRole("button")).toContainText("Does not hold");
  await expect(lane(page, "Option 1").getByRole("list", { name: "Then" })).toContainText("not done");
  await expect(lane(page, "Option 2 · Second").getByRole("list", { name: "Then" }).getByRole("button")).toBeVisible();
  await expect(lane(page, "If no option fits")).toContainText("not done");
  await expect(path.getByRole("listitem").filter({ hasText: "Left out" }).last()).toContainText("Disabled");

  // What a condition saw, by the keyboard.
  const condition = lane(page, "If").getByRole("button");
  await condition.focus();
  await page.keyboard.press("Enter");
  await expect(lane(page, "If")).toContainText("switch.garden_pump = on");
  await expect(condition).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Enter");
  await expect(lane(page, "If")).not.toContainText("switch.garden_pump = on");
});

test("the pass of a loop can be chosen, also of one within it", async ({ open, startHub }) => {
  const page = await open(runs, { hub: await startHome(startHub) });
  const outer = lane(page, "Each time").first();
  const pass = outer.getByRole("combobox", { name: "Pass" }).first();
  await expect(pass.getByRole("option")).toHaveText(["1 of 3", "2 of 3", "3 of 3"]);
  const variables = outer.getByRole("listitem").first().getByRole("button");
  await variables.click();
  await expect(outer.getByRole("listitem").first()).toContainText("far = 30");
  await pass.selectOption("1 of 3");
  await expect(outer.getByRole("listitem").first()).toContainText("far = 10");
  const inner = outer.getByRole("group", { name: "Each time" });
  await inner.getByRole("combobox", { name: "Pass" }).selectOption("1 of 2");
  await inner.getByRole("button").click();
  await expect(inner).toContainText('"n":10');
});

test("a run is linked with what began it and what came of it", async ({ open, startHub }) => {
  const page = await open(runs, { hub: await startHome(startHub) });
  const links = page.locator("hearth-run-links");
  await expect(links).toContainText("Garden pump changed from Off to On.");
  await expect(links.getByRole("link", { name: /^Hall light: On/ })).toBeVisible();
  await links.getByRole("link", { name: "the run of the script Child" }).click();
  await expect(page).toHaveURL(/script\.child\?view=runs&run=/);
  await expect(links.getByRole("link", { name: "the run of the automation Hall" })).toBeVisible();
});

test("an item of many steps is drawn in parts", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/many", {
    alias: "Many",
    sequence: Array.from({ length: 350 }, (_, number) => ({ event: `e${number}` })),
  });
  await hub.call("script", "many", {});
  const page = await open("/settings/automations/script.many?view=runs", { hub });
  const list = page.locator("hearth-run-path").getByRole("list", { name: "Then do", exact: true });
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await page.getByRole("button", { name: "Draw the other 250 rows" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(350);
});

for (const [language, width, when] of [
  ["de-DE", 360, ""],
  ["en-GB", 1280, " @all"],
] as const) {
  test(`the path fits ${width} px in ${language}, and is accessible in both themes${when}`, async ({ open, startHub }) => {
    const page = await open(runs, { hub: await startHome(startHub), language, width, height: 1000 });
    await page.locator("hearth-run-path").getByRole("button", { expanded: false }).nth(1).click();
    await expect(page.locator("hearth-run-links").getByRole("link").nth(1)).toBeVisible();
    await looksRight(page, "run-path", { widths: [width] });
  });
}
