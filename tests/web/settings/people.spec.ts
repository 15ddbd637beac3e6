// SPDX-License-Identifier: Apache-2.0
// Rights of a person, and guests: invited, in, limited, gone.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { password } from "../hub";
import { looksRight } from "../looks_right";
import { notices, toggle } from "../pages";

const room = (page: Page, name: string) => page.getByRole("group", { name: "Rooms" }).getByLabel(name, { exact: true });

async function invite(page: Page, name: string): Promise<string> {
  await page.getByRole("link", { name: "Invite somebody" }).click();
  await page.getByLabel("Who is it for?").fill(name);
  await room(page, "Kitchen").selectOption("sees and controls");
  await expect(page.getByText("Sees and controls: Kitchen.")).toBeVisible();
  await page.getByRole("button", { name: "Make the invitation" }).click();
  await expect(page.getByRole("img", { name: `QR code of the invitation for ${name}` })).toBeVisible();
  const link = await page.locator("hearth-invite code").innerText();
  expect(link).toMatch(/\/invitation#[A-Za-z0-9_-]{43}$/);
  return new URL(link).pathname + new URL(link).hash;
}

test("a guest is invited, comes with one room, and has nothing when it is taken away", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 4/, false);
  const hub = await startHub();
  const page = await open("/settings/users", { hub });
  await expect(page.getByText("Nobody is invited at the moment.")).toBeVisible();
  const link = await invite(page, "Grandma");
  await looksRight(page, "invitation-made");

  const guest = await open(link, { hub, user: "nobody", width: 360, height: 740 });
  await expect(guest.getByText("ann invites you to “Test home”.")).toBeVisible();
  await guest.getByLabel("Username").fill("oma");
  await guest.getByLabel("Password", { exact: true }).fill(password);
  await guest.locator("#confirm").fill(password);
  await looksRight(guest, "invitation");
  await guest.getByRole("button", { name: "Make my account" }).click();
  await expect(guest).toHaveURL(`${hub.url}/overview`);
  await expect(notices(guest)).toContainText("Welcome.");
  await guest.goto("/overview?view=list");
  await expect(toggle(guest, "Kitchen light")).toBeVisible();
  await expect(guest.getByText("Bedroom light")).toHaveCount(0);

  await page.goto("/settings/users");
  await expect(page.locator("hearth-invitations li").filter({ hasText: "Grandma" })).toContainText("as oma");
  await page.getByRole("link", { name: "Rights of Grandma" }).click();
  await expect(page.getByRole("heading", { name: "Rights of Grandma" })).toBeVisible();
  await expect(page.getByText("gone within a second")).toBeVisible();
  await room(page, "Kitchen").selectOption("–");
  await expect(page.getByText("Sees nothing yet")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notices(page)).toContainText("It holds at once");
  await expect(toggle(guest, "Kitchen light")).toHaveCount(0);

  // The link again: on the guest's device, and on another.
  await guest.goto("/login");
  await guest.goto(link);
  await expect(guest.getByText("You are logged in here as Grandma.")).toBeVisible();
  const other = await open(link, { hub, user: "nobody" });
  await expect(other.getByText("it is good once")).toBeVisible();
});

test("an invitation that is taken back lets nobody in", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/404/);
  const hub = await startHub();
  const page = await open("/settings/users", { hub });
  const link = await invite(page, "Bob");
  await page.goto("/settings/users");
  await page.getByRole("button", { name: "Take back the invitation for Bob" }).click();
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(page.getByText("Nobody is invited at the moment.")).toBeVisible();
  const guest = await open(link, { hub, user: "nobody", language: "de-DE" });
  await expect(guest.getByText("Sie wurde zurückgenommen, oder ein Teil des Links fehlt.")).toBeVisible();
});

test("rights begin with a starting point, and the account ends when it should", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 4/, false);
  const hub = await startHub();
  const page = await open("/settings/users", { hub });
  await page.getByRole("link", { name: "Rights of ben" }).click();
  await expect(page.getByText("Sees and controls the whole home.")).toBeVisible();
  await page.getByLabel("What they may do").selectOption("Child");
  await expect(page.getByText("Sees the whole home. Controls: ")).toBeVisible();
  await looksRight(page, "rights");
  const ben = await open("/overview?view=list", { hub, user: "ben", ownSession: true });
  await expect(toggle(ben, "Towel heater")).toBeEnabled();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notices(page)).toContainText("Saved.");
  await ben.reload();
  await expect(toggle(ben, "Kitchen light")).toBeEnabled();
  await page.getByLabel("The account ends").fill("2001-01-01T00:00");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The end has to be a time to come.")).toBeVisible();
  hub.command(["user", "until", "ben", new Date(Date.now() + 2000).toISOString()]);
  await expect(ben.getByLabel("Username")).toBeVisible();
  await page.goto("/settings/users");
  await expect(page.locator("hearth-users li").filter({ hasText: "ben" })).toContainText("Ended");
});

test("the overview says who is at home", async ({ open, startHub }) => {
  const hub = await startHub({
    configuration:
      "person:\n  - {id: ann, name: Ann, device_trackers: [device_tracker.a]}\n  - {id: bob, name: Bob, device_trackers: [device_tracker.b]}\n",
  });
  await hub.setState("device_tracker.a", "home");
  await hub.setState("device_tracker.b", "not_home");
  const page = await open("/overview", { hub });
  await expect(page.getByText("At home: Ann")).toBeVisible();
  await expect(page.getByText("Away: Bob")).toBeVisible();
  await hub.setState("device_tracker.a", "not_home");
  await expect(page.getByText("Nobody at home")).toBeVisible();
  await hub.setState("device_tracker.b", "home");
  await expect(page.getByText("At home: Bob")).toBeVisible();
});
