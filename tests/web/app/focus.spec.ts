// SPDX-License-Identifier: Apache-2.0
// Where the focus is: a button that opened something has it back, and the heading of a page that was opened has it.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, settled } from "../pages";
import type { Hub } from "../hub";

const hall = {
  alias: "Hall",
  triggers: [
    { trigger: "state", entity_id: "light.hall", to: "on" },
    { trigger: "time", at: "10:00:00" },
  ],
  conditions: [{ condition: "state", entity_id: "light.hall", state: "on" }],
  actions: [
    { action: "light.turn_on", target: { entity_id: "light.kitchen" } },
    { choose: [{ conditions: [], sequence: [{ delay: 1 }] }] },
  ],
};

async function furnish(hub: Hub): Promise<void> {
  await hub.rest("POST", "/api/config/automation/config/hall", hall);
  await hub.rest("POST", "/api/config/script/config/good_night", { alias: "Good night", sequence: [{ delay: 1 }] });
}

interface Walk {
  all: () => Element[];
  buttons: HTMLElement[];
}

// What walks need in the page.
async function prepare(page: Page): Promise<void> {
  await page.evaluate(() => {
    const all = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
    (window as unknown as { walk: Walk }).walk = { all: () => all(document), buttons: [] };
  });
}

// Notes the buttons that can be seen, in the order of the page, and returns their names.
function noteButtons(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { walk } = window as unknown as { walk: Walk };
    const canBePressed = (element: Element): element is HTMLElement =>
      element.matches("button:not(:disabled)") &&
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1;
    walk.buttons = walk.all().filter(canBePressed);
    return walk.buttons.map((each) => each.getAttribute("aria-label") ?? each.textContent?.replace(/\s+/g, " ").trim() ?? "");
  });
}

// Presses a button by the keyboard, waits until it has done what it does, and returns what is open then.
function press(page: Page, index: number): Promise<"dialog" | "menu" | "nothing"> {
  return page.evaluate(async (at) => {
    const { walk } = window as unknown as { walk: Walk };
    const button = walk.buttons[at]!;
    button.focus();
    button.click();
    const isDrawn = () =>
      !walk.all().some((element) => element.localName === "hearth-loading" || (element as { isUpdatePending?: boolean }).isUpdatePending);
    const opens = () => walk.all().find((element) => element.matches("dialog[open], [role=menu]:popover-open"));
    for (let frame = 0; frame < 60 && (frame < 12 || !isDrawn()) && !opens(); frame += 1) await new Promise(requestAnimationFrame);
    const open = opens();
    return open ? (open.localName === "dialog" ? "dialog" : "menu") : "nothing";
  }, index);
}

const isAt = (page: Page, index: number): Promise<boolean> =>
  page.evaluate((at) => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element === (window as unknown as { walk: Walk }).walk.buttons[at];
  }, index);

// The local name of what has the focus, and its text.
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return `${element?.localName} ${element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? ""}`;
  });

// These begin what a test cannot wait for, or lead elsewhere.
const left = /^(run|reload|restart|stop|log out|skip to content|check|download|test|view|what would)/i;

// With the least number of dialogs and menus that are there.
const walked: [string, number][] = [
  ["/settings/automations/automation.hall", 15],
  ["/settings/automations/script.good_night", 3],
  ["/settings/automations", 1],
  ["/settings/users", 6],
  ["/settings/areas", 8],
  ["/settings/devices/demo.router", 1],
  ["/settings/backups", 2],
];
for (const [address, least] of walked)
  test(`Escape leads back to the button that opened a dialog or a menu: ${address}`, async ({ open, startHub }) => {
    test.setTimeout(120_000);
    const hub = await startHub();
    await furnish(hub);
    const page = await open(address, { hub, width: 1280, height: 900 });
    await settled(page);
    await prepare(page);
    const names = await noteButtons(page);
    const seen = new Map<string, number>();
    let opened = 0;
    for (const [at, name] of names.entries()) {
      const kind = name.replace(/ (of )?[^ ]+$/, "");
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (
        left.test(name) ||
        seen.get(kind)! > 3 ||
        !(await page.evaluate((index) => (window as unknown as { walk: Walk }).walk.buttons[index]!.isConnected, at))
      )
        continue;
      if ((await press(page, at)) === "nothing") continue;
      opened += 1;
      await page.keyboard.press("Escape");
      await expect.poll(() => isAt(page, at), { message: `${name}: the focus is at ${await focused(page)}` }).toBe(true);
    }
    expect(opened).toBeGreaterThanOrEqual(least);
  });

test("a room that is moved by the keyboard keeps the focus, at the end of its way, too", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas", { hub, width: 1280, height: 900 });
  await settled(page);
  const ups = page.getByRole("button", { name: /^Move .* up$/ });
  const names = async () =>
    (await ups.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")))).map((label) => label?.slice(5, -3) ?? "");
  const before = await names();
  expect(before.length).toBeGreaterThan(3);
  const moved = before[2]!;
  await page.getByRole("button", { name: `Move ${moved} up` }).focus();
  for (const place of [1, 0]) {
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await names()).indexOf(moved)).toBe(place);
    await expect.poll(() => focused(page)).toBe(`button Move ${moved} ${place > 0 ? "up" : "down"}`);
  }
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await names()).indexOf(moved)).toBe(1);
  await expect.poll(() => focused(page)).toBe(`button Move ${moved} down`);
});

test("the focus is at a heading when what opened a dialog is gone", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/areas", { hub, width: 1280, height: 900 });
  await page.getByRole("button", { name: "Delete Kitchen" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Delete Kitchen" })).toHaveCount(0);
  await expect.poll(() => focused(page)).toMatch(/^h[123] /);
  // Nothing had opened this one.
  await page.goto("/overview?entity=light.hall");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toMatch(/^h[123] /);
});

test("the heading of a page, a tab or an item has the focus when it is opened", async ({ open, startHub }) => {
  const hub = await startHub();
  await furnish(hub);
  const page = await open("/overview?view=list", { hub, width: 1280, height: 900 });
  const go = async (name: string, heading: RegExp) => {
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect.poll(() => focused(page), { message: name }).toMatch(heading);
  };
  await go("History", /^h1 History/);
  await go("Developer tools", /^h1 Developer tools/);
  for (const tab of ["Services", "Template", "Events", "MQTT", "API", "States"]) await go(tab, /^h[12] /);
  await go("Settings", /^h1 Settings/);
  for (const tab of ["Users", "Areas", "Devices", "MQTT", "Security", "Backups", "System", "Home", "Automations"]) await go(tab, /^h2 /);
  await go("Hall", /^h2 Hall/);
  await page.goBack();
  await expect.poll(() => focused(page)).toMatch(/^h2 /);
  await go("New script", /^h2 /);
  await go("Profile", /^h1 Profile/);
});

test("somebody who saves a new item stays where he is", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const [kind, text] of [
    ["automation", "alias: Fresh automation\ntriggers: []\nactions: []\n"],
    ["script", "alias: Fresh script\nsequence: []\n"],
    ["scene", "name: Fresh scene\nentities: {light.hall: 'on'}\n"],
  ] as const) {
    const page = await open(`/settings/automations/new-${kind}?view=yaml`, { hub, width: 1280, height: 900 });
    await page.locator(".cm-content").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
    await page.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/${kind}\\.fresh_`));
    await expect.poll(() => focused(page)).toBe("button Save");
    await page.close();
  }
});
