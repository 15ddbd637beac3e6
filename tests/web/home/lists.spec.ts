// SPDX-License-Identifier: Apache-2.0
// The cards of a to-do list and of a calendar: what they show, what a tap does, and what others change meanwhile.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog } from "../pages";

const list = "todo.shopping_list";
const calendar = "calendar.family";
const hour = 3600 * 1000;
const later = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

async function onOverview(page: Page, card: string, id: string) {
  await page.getByRole("searchbox").fill(id);
  return page.locator(card);
}

test("a to-do list is ticked off on the overview, and follows others", async ({ open, startHub }) => {
  const hub = await startHub();
  const card = await onOverview(await open("/overview?view=list", { hub }), "hearth-todo-card", list);
  await expect(card).toContainText("4 things to do");
  const bread = card.getByRole("checkbox", { name: "Bread" });
  await expect(bread).not.toBeChecked();
  await card.page().emulateMedia({ media: "print" });
  await expect(bread).toBeVisible(); // it is what the paper is for
  await card.page().emulateMedia({ media: "screen" });
  await bread.click();
  await expect(card).toContainText("3 things to do");
  await expect(bread).toHaveCount(0);
  expect((await hub.state(list)).state).toBe("3");

  await hub.call("todo", "update_item", { entity_id: list, item: "Batteries", rename: "Cells", due_date: "2036-02-01" });
  await expect(card.getByRole("checkbox", { name: /^Cells/ })).toContainText(/due Fri, (1 Feb|Feb 1,) 2036/);
  for (const item of ["Tea", "Rice", "Salt"]) await hub.call("todo", "add_item", { entity_id: list, item });
  await expect(card).toContainText("and one more");
  await expect(card.getByRole("checkbox")).toHaveCount(5);
  await card.getByRole("textbox").fill("Soap");
  await card.getByRole("textbox").press("Enter");
  await expect(card).toContainText("and 2 more");
});

test("what is done stands in the dialog, where it is brought back and removed", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("todo", "update_item", { entity_id: list, item: "Bread", status: "completed" });
  const page = await open(`/overview?entity=${list}`, { hub });
  const bread = dialog(page).getByRole("checkbox", { name: "Bread" });
  await expect(bread).toBeChecked();
  await bread.click();
  await expect(bread).not.toBeChecked();
  await dialog(page).getByRole("button", { name: "Take Bread off the list" }).click();
  await expect(bread).toHaveCount(0);
  await expect(dialog(page).getByRole("checkbox")).toHaveCount(3);
});

test("a calendar says what comes; events are added and deleted in its dialog", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub });
  const card = await onOverview(page, "hearth-calendar-card", calendar);
  await expect(card).toContainText("Nothing now");
  const soon = { start_date_time: later(0), end_date_time: later(1) };
  await hub.call("calendar", "create_event", { entity_id: calendar, summary: "Choir", ...soon, location: "School" });
  await expect(card.getByRole("listitem")).toHaveText(/Choir\s*Today · \d+:\d\d.*–\d+:\d\d.* · School/);
  await expect(card).not.toContainText("Nothing now");
  await page.emulateMedia({ media: "print" });
  await expect(card.getByRole("listitem")).toBeVisible();
  await page.emulateMedia({ media: "screen" });

  await page.goto(`/overview?entity=${calendar}`);
  await dialog(page).getByLabel("New event").fill("Market");
  await dialog(page).getByLabel("Day").fill(later(72).slice(0, 10));
  await dialog(page).getByRole("button", { name: "Add" }).click();
  const market = dialog(page).getByRole("listitem").filter({ hasText: "Market" });
  await expect(market).toBeVisible();
  await expect(dialog(page).getByLabel("New event")).toHaveValue("");
  await dialog(page).getByRole("button", { name: "Delete Market" }).click();
  await expect(market).toHaveCount(0);
});

test("an event that recurs is made in the dialog; one time of it, and all of them, are deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open(`/overview?entity=${calendar}`, { hub });
  await dialog(page).getByLabel("New event").fill("Market");
  await dialog(page).getByLabel("Day").fill(later(72).slice(0, 10));
  await dialog(page).getByLabel("Repeats").selectOption("Every month");
  await dialog(page).getByRole("button", { name: "Add" }).click();
  const market = dialog(page).getByRole("listitem").filter({ hasText: "Market" });
  await expect(market.nth(10)).toBeVisible();
  const count = await market.count();
  await market.first().getByRole("button", { name: "Delete Market", exact: true }).click();
  await expect(market).toHaveCount(count - 1);
  await market.first().getByRole("button", { name: "Delete Market, every time" }).click();
  await expect(market).toHaveCount(0);
});

test("who may only look sees items and events, and no buttons", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("calendar", "create_event", { entity_id: calendar, summary: "Choir", start_date_time: later(1), end_date_time: later(2) });
  const page = await open(`/overview?entity=${list}`, { hub, user: "display" });
  await expect(dialog(page).getByRole("checkbox")).toHaveCount(4);
  await expect(dialog(page).getByRole("checkbox").first()).toBeDisabled();
  await expect(dialog(page).locator("hearth-todo-card").getByRole("button")).toHaveCount(0);
  await page.goto(`/overview?entity=${calendar}`);
  await expect(dialog(page).locator("hearth-calendar-card").getByRole("listitem")).toHaveCount(1);
  await expect(dialog(page).locator("hearth-calendar-card").locator("button, input, select")).toHaveCount(0);
});
