// SPDX-License-Identifier: Apache-2.0
// Rows of the editor are moved from one list to another.
import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { row, save } from "../sentences";

const sequence = [
  { event: "one" },
  { if: [{ condition: "state", entity_id: "light.hall", state: "on" }], then: [{ event: "two" }] },
  { event: "three" },
];

async function openScript(hub: Hub, open: (path: string, visit?: object) => Promise<Page>, visit: object = {}): Promise<Page> {
  await hub.rest("POST", "/api/config/script/config/moves", { alias: "Moves", sequence });
  return open("/settings/automations/script.moves", { hub, ...visit });
}

const stored = async (hub: Hub) => (await hub.rest<{ sequence: unknown[] }>("GET", "/api/config/script/config/moves")).sequence;
const handle = (of: Locator) => of.getByRole("button", { name: /^Move, place/ }).first();

test("a row goes into a block, and out of it, by the keyboard, and is undone", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await openScript(hub, open);
  const move = async (text: string) => {
    await row(page, text)
      .getByRole("button", { name: `Change: ${text}` })
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Move to another list" }).focus();
    await page.keyboard.press("Enter");
  };
  await move("Fire the event one");
  const lists = page.locator("hearth-pick").getByRole("button", { name: /›/ });
  await expect(lists).toHaveText([/Then do › If all of this holds › Then/, /Then do › If all of this holds › Else/]);
  await lists.first().focus();
  await page.keyboard.press("Enter");
  await expect(handle(row(page, "Fire the event one"))).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "Moved to Then, place 2" })).toHaveCount(1);
  await save(page);
  const condition = sequence[1]!.if;
  await expect.poll(() => stored(hub)).toEqual([{ if: condition, then: [{ event: "two" }, { event: "one" }] }, { event: "three" }]);

  // A condition stands among steps, too.
  await move("Hall light is On");
  await page.locator("hearth-pick").getByRole("button", { name: "Then do", exact: true }).click();
  await save(page);
  await expect.poll(() => stored(hub)).toEqual([{ if: [], then: [{ event: "two" }, { event: "one" }] }, { event: "three" }, condition![0]]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await save(page);
  await expect.poll(() => stored(hub)).toEqual(sequence);
});

async function drag(page: Page, from: Locator, to: Locator, below = false): Promise<void> {
  const start = (await from.boundingBox())!;
  const end = (await to.boundingBox())!;
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2 + 10, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, below ? end.y + end.height - 3 : end.y + 3, { steps: 8 });
}

test("a row is dragged into a block and out of it, and Escape leaves it", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await openScript(hub, open, { height: 1400 });
  const two = row(page, "Fire the event two");
  await drag(page, handle(row(page, "Fire the event three")), two, true);
  await expect(page.locator(".drop")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(page.locator(".drop")).toHaveCount(0);
  await expect(page.getByText("Not saved yet")).toHaveCount(0);

  await drag(page, handle(row(page, "Fire the event three")), two, true);
  await page.mouse.up();
  await save(page);
  await expect.poll(() => stored(hub)).toEqual([{ event: "one" }, { if: sequence[1]!.if, then: [{ event: "two" }, { event: "three" }] }]);

  await drag(page, handle(two), row(page, "Fire the event one"));
  await page.mouse.up();
  await save(page);
  await expect.poll(() => stored(hub)).toEqual([{ event: "two" }, { event: "one" }, { if: sequence[1]!.if, then: [{ event: "three" }] }]);
});

for (const [language, width] of [
  ["de-DE", 360],
  ["en-GB", 1280],
] as const) {
  test(`the choice of a list fits ${width} px in ${language}, and is accessible in both themes @all`, async ({ open, startHub }) => {
    const page = await openScript(await startHub(), open, { language, width });
    await page.getByRole("button", { name: /^(Change|Ändern): .*one/ }).click();
    await page.getByRole("menuitem", { name: /another list|andere Liste/ }).click();
    await expect(page.locator("hearth-pick").getByRole("button").first()).toBeVisible();
    await looksRight(page, "move-to", { widths: [width], fullPage: false });
  });
}
