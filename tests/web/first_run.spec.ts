// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "./fixtures";
import { password } from "./hub";
import { navigation, toggle } from "./pages";

test("the first visit makes the account, names the home, and leads to its dashboard", async ({ open, startHub }) => {
  const hub = await startHub({ users: false, name: "" });
  const page = await open("/", { hub, user: "nobody" });
  await expect(page).toHaveURL(`${hub.url}/welcome`);

  await page.getByLabel("Name", { exact: true }).fill("Ann Example");
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();

  await page.getByLabel("Name of the home").fill("Villa Kunterbunt");
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin"); // the browser's
  await page.getByRole("button", { name: "Finish" }).click();

  await expect(page).toHaveURL(`${hub.url}/overview`);
  await expect(page.getByRole("navigation")).toContainText("Villa Kunterbunt");
  await expect(toggle(page, "Kitchen light")).toBeVisible();

  // It is the hub that knows the home and its first user, who is an administrator, and stays logged in.
  const known = async () => (await hub.fetch("GET", "/api/config", undefined, hub.token("ann"))).json();
  await expect.poll(known).toMatchObject({ location_name: "Villa Kunterbunt", time_zone: "Europe/Berlin" });
  await page.reload();
  await expect(navigation(page).getByRole("link", { name: "Settings" })).toBeVisible();
  await navigation(page).getByRole("link", { name: "Profile" }).click();
  await expect(page.getByLabel("Your name")).toHaveValue("Ann Example");
});

test("an account is not made of passwords that differ, or of no name", async ({ open, startHub }) => {
  const hub = await startHub({ users: false });
  const page = await open("/welcome", { hub, user: "nobody" });
  const create = page.getByRole("button", { name: "Create account" });

  await create.click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();

  await page.getByLabel("Name", { exact: true }).fill("Ann");
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(`${password}!`);
  await create.click();
  await expect(page.getByText("The two passwords are not the same.")).toBeVisible();

  const answer = await hub.fetch("GET", "/api/onboarding");
  expect(await answer.json()).toContainEqual({ step: "user", done: false });
});

test("who comes from outside the home needs the code in the hub's log", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/403 \(Forbidden\)/);
  const hub = await startHub({ users: false });
  const page = await open("/welcome", { hub, user: "nobody", headers: { "X-Forwarded-For": "203.0.113.9" } });
  const create = page.getByRole("button", { name: "Create account" });
  const code = page.getByLabel("Code from the hub's log");

  await page.getByLabel("Name", { exact: true }).fill("Ann");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await create.click();
  await expect(code).toBeFocused();

  await code.fill("0000-0000");
  await create.click();
  await expect(page.getByText("This is not the code.")).toBeVisible();

  await expect.poll(() => hub.firstUserCode()).toBeTruthy();
  await code.fill(` ${hub.firstUserCode()?.toLowerCase()} `);
  await create.click();
  await expect(page.getByRole("heading", { name: "Your home" })).toBeVisible();
});

test("who is at home is asked for no code", async ({ open, startHub }) => {
  const hub = await startHub({ users: false });
  const page = await open("/welcome", { hub, user: "nobody", headers: { "X-Forwarded-For": "192.168.1.77" } });
  await expect(page.getByRole("button", { name: "Create account" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByLabel("Code from the hub's log")).toHaveCount(0);
});

test("a home that has users does not welcome a first one", async ({ open, hub }) => {
  const page = await open("/welcome", { user: "nobody" });
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create account" })).toHaveCount(0);
  expect(await (await hub.fetch("GET", "/api/onboarding")).json()).toContainEqual({ step: "user", done: true });
});
