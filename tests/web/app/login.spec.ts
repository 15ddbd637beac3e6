// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { password } from "../hub";
import { navigation, toggle } from "../pages";

async function logIn(page: Page, user: string, secret = password): Promise<void> {
  await page.getByLabel("Username").fill(user);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Log in" }).click();
}

// A request that the browser reports although the page expects it.
const refused = (status: number) => new RegExp(`the server responded with a status of ${status}`);

test("a visitor logs in, and stays logged in", async ({ open, hub }) => {
  const page = await open("/", { user: "nobody" });
  await expect(page).toHaveURL(`${hub.url}/login`);
  await logIn(page, "ann");
  await expect(page).toHaveURL(`${hub.url}/overview`);
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await page.reload();
  await expect(toggle(page, "Kitchen light")).toBeVisible();
});

test("a wrong password is told, and can be mended", async ({ open, hub }) => {
  const page = await open("/login", { user: "nobody" });
  await logIn(page, "ann", "wrong");
  await expect(page.getByRole("alert")).toContainText(/password is wrong|wrong password|do not match/i);
  await expect(page.getByLabel("Username")).toHaveValue("ann");
  await logIn(page, "ann");
  await expect(page).toHaveURL(`${hub.url}/overview`);
});

test("who has guessed too often is told how long to wait", async ({ open, hub, expectComplaint }) => {
  expectComplaint(refused(429));
  const headers = { "X-Forwarded-For": "203.0.113.7" }; // the hub trusts 127.0.0.1 as a proxy, which is never banned itself
  const page = await open("/login", { user: "nobody", headers });
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  const guess = () => fetch(`${hub.url}/api/config`, { headers: { ...headers, Authorization: "Bearer wrong" } });
  await Promise.all(Array.from({ length: 10 }, guess));
  expect((await guess()).status).toBe(429);
  await logIn(page, "ann");
  await expect(page.getByRole("alert")).toContainText(/\d+ (minutes?|seconds?)/);
  await expect(page).toHaveURL(/\/login/);
});

test("after logging in, the page stands there that was asked for", async ({ open, hub }) => {
  const page = await open("/developer-tools/events?x=1", { user: "nobody" });
  await expect(page).toHaveURL(`${hub.url}/login?next=${encodeURIComponent("/developer-tools/events?x=1")}`);
  await logIn(page, "ann");
  await expect(page).toHaveURL(`${hub.url}/developer-tools/events?x=1`);
  await expect(page.getByRole("heading", { level: 1, name: "Developer tools" })).toBeVisible();
});

for (const next of ["//example.org/", "https://example.org/", "/\\example.org", "javascript:alert(1)"]) {
  test(`logging in does not lead away: ${next}`, async ({ open, hub }) => {
    const page = await open(`/login?next=${encodeURIComponent(next)}`, { user: "nobody" });
    await logIn(page, "ann");
    await expect(navigation(page)).toBeVisible();
    expect(new URL(page.url()).origin).toBe(hub.url);
  });
}

test("logging out ends the session on this device, at the hub too", async ({ open, hub }) => {
  const page = await open("/overview?view=list", { ownSession: true });
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("hearth.session") ?? "") as { access_token: string });
  await navigation(page).getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("hearth.session"))).toBeNull();
  await expect.poll(async () => (await hub.fetch("GET", "/api/config", undefined, stored.access_token)).status).toBe(401);
  await page.goto("/overview?view=list");
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("the profile page logs out, too", async ({ open }) => {
  const page = await open("/profile", { ownSession: true, user: "ben", width: 360 });
  await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).click();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("a session that was ended elsewhere leads to the login", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/overview?view=list", { hub, user: "ben" });
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  hub.command(["user", "deactivate", "ben"]);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("pages of one browser share the tokens that one of them is given", async ({ open }) => {
  const page = await open("/overview", { ownSession: true });
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  const stored = (): Promise<{ refresh_token: string }> =>
    page.evaluate(() => JSON.parse(localStorage.getItem("hearth.session") ?? "") as { refresh_token: string });
  const first = await stored();
  const other = await page.context().newPage();
  await other.goto("/overview");
  await expect(toggle(other, "Kitchen light")).toBeVisible();
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem("hearth.session") ?? "") as object;
    localStorage.setItem("hearth.session", JSON.stringify({ ...session, expires: 0 }));
  });
  await page.reload();
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  const second = await stored();
  expect(second.refresh_token).not.toBe(first.refresh_token);
  await other.reload();
  await expect(toggle(other, "Kitchen light")).toBeVisible();
  expect((await stored()).refresh_token).toBe(second.refresh_token);
});
