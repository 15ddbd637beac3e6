// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { password } from "../hub";
import { command, dialog, navigation, notices, toggle } from "../pages";

test("a long-lived token is made, shown once, used, listed, and revoked", async ({ open, hub }) => {
  const page = await open("/profile");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Weather station");
  await page.getByLabel("Lifetime").selectOption("1 year");
  await page.getByRole("button", { name: "Create", exact: true }).click();

  const field = page.getByLabel("Access token", { exact: true });
  await expect(field).toHaveValue(/^\S{40,}$/);
  await expect(field).toHaveAttribute("readonly");
  const token = await field.inputValue();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(notices(page)).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(200);

  await page.getByRole("button", { name: "Done" }).click();
  await expect(field).toHaveCount(0);
  const row = page.getByRole("row").filter({ hasText: "Weather station" });
  await expect(row).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("127.0.0.1", { timeout: 2_000 }); // where it was used, which the hub notes now and then
  }).toPass();
  expect(await page.content()).not.toContain(token);

  await row.getByRole("button", { name: /^Revoke/ }).click();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(200);
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await dialog(page).getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveCount(0);
  expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(401);
});

test("a token may have less than its user, and the form says what it sees", async ({ open, hub }) => {
  const page = await open("/profile");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Kitchen tablet");
  const sees = page.getByText(/^What this token sees: /);
  await expect(sees).toContainText("the whole home");
  await expect(sees).toContainText("may control what it sees. It may also change your account.");
  await page.getByLabel("What it may do", { exact: true }).selectOption("Chosen one by one");
  await page.getByLabel("Kitchen", { exact: true }).check();
  await expect(sees).toHaveText(/^What this token sees: Kitchen, \d+ of \d+ entities\. It controls nothing\.$/);
  await page.getByLabel("See", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByText("Choose at least one.")).toBeVisible();
  await page.getByLabel("History and logbook").check();
  await page.getByRole("button", { name: "Create", exact: true }).click();

  const token = await page.getByLabel("Access token", { exact: true }).inputValue();
  const ask = async (method: string, path: string, body?: object) => (await hub.fetch(method, path, body, token)).status;
  expect(await ask("GET", "/api/states/light.kitchen")).toBe(200);
  expect(await ask("GET", "/api/states/light.bedroom")).toBe(404);
  expect(await ask("POST", "/api/services/light/toggle", { entity_id: "light.kitchen" })).toBe(403);
  expect(await ask("GET", "/api/logbook")).toBe(200);
  const row = page.getByRole("row").filter({ hasText: "Kitchen tablet" });
  await expect(row).toContainText("See and History and logbook · Kitchen");
});

test("a token may be for rooms, kinds, labels and single entities, as the hub counts them", async ({ open, hub }) => {
  const page = await open("/profile");
  await expect(page.getByRole("button", { name: "Create token" })).toBeVisible(); // connected
  await command(page, "config/label_registry/create", { name: "Christmas" });
  await command(page, "config/entity_registry/update", { entity_id: "switch.towel_heater", labels: ["christmas"] });
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Parts");
  await page.getByLabel("What it may do", { exact: true }).selectOption("See and control the home");
  await page.getByLabel("Kitchen", { exact: true }).check();
  await page.getByText("By kind, by label, or one by one").click();
  const choose = async (field: string, name: string) => {
    await page.getByRole("combobox", { name: field }).fill(name);
    await page.getByRole("option", { name }).first().click();
  };
  await choose("Kinds", "Cover");
  await choose("Labels", "Christmas");
  await choose("Entities", "Bedroom light");
  const sees = page.getByText(/^What this token sees: /);
  await expect(sees).toContainText("Kitchen, Cover, Christmas and Bedroom light, ");
  const told = /, (\d+) of \d+ entities/.exec((await sees.textContent()) ?? "")?.[1];
  await page.getByRole("button", { name: "Create", exact: true }).click();

  const token = await page.getByLabel("Access token", { exact: true }).inputValue();
  const ask = async (method: string, path: string, body?: object) => await hub.fetch(method, path, body, token);
  const states = (await (await ask("GET", "/api/states")).json()) as { entity_id: string }[];
  expect(String(states.length)).toBe(told);
  const ids = states.map(({ entity_id }) => entity_id);
  expect(ids).toEqual(expect.arrayContaining(["light.kitchen", "light.bedroom", "switch.towel_heater"]));
  expect(ids.filter((id) => id.startsWith("cover.")).length).toBeGreaterThan(0);
  expect(ids).not.toContain("light.hall");
  expect((await ask("POST", "/api/services/switch/toggle", { entity_id: "switch.towel_heater" })).status).toBe(200);
  const row = page.getByRole("row").filter({ hasText: "Parts" });
  await expect(row).toContainText("See and Control · Kitchen, Cover, Christmas and Bedroom light");
});

test("a token's name is taken once", async ({ open, hub }) => {
  hub.command(["token", "create", "--user", "ben", "--name", "Taken"]);
  const page = await open("/profile", { user: "ben" });
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Taken");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(/already|taken/i);
  await expect(page.getByLabel("Access token", { exact: true })).toHaveCount(0);
});

test("log out everywhere ends the sessions of other devices and this one", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 40/, false); // if a page asks for a token before it hears that it has ended
  const hub = await startHub();
  const other = await open("/overview", { hub, user: "ben", ownSession: true });
  await expect(toggle(other, "Kitchen light")).toBeVisible();
  const page = await open("/profile", { hub, user: "ben", ownSession: true });
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await dialog(page).getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("a new password counts, asks for the old one, and logs other devices out", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 40/, false); // if a page asks for a token before it hears that it has ended
  const hub = await startHub();
  const token = hub.token("ben");
  const other = await open("/overview", { hub, user: "ben", ownSession: true });
  const page = await open("/profile", { hub, user: "ben", ownSession: true });
  const change = async (current: string, next: string) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByLabel("Confirm new password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await change("not the password", "nine small lamps in a row");
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await change(password, "7 lamps");
  await expect(page.getByText("This password is too short; it needs at least 8 characters.")).toBeVisible();
  await change(password, "nine small lamps in a row");
  await expect(notices(page)).toContainText("Password changed");
  await expect(hub.logIn("ben")).rejects.toThrow("could not log in");
  await hub.logIn("ben", "nine small lamps in a row");
  await expect(other.getByRole("button", { name: "Log in" })).toBeVisible();

  expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(200);
  await page.getByLabel("Revoke my long-lived access tokens, too").check();
  await change("nine small lamps in a row", password);
  await expect(async () => {
    expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(401);
  }).toPass();
  await expect(page.getByRole("button", { name: "Change password" })).toBeVisible();
});

test("the name is the one that others see", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/profile", { hub, user: "ben" });
  await page.getByLabel("Your name").fill("Ben <b>Example</b>");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(notices(page)).toContainText("Saved");
  const settings = await open("/settings/users", { hub });
  await expect(settings.getByRole("heading", { name: "Ben <b>Example</b>" })).toBeVisible();
});

test("language and theme change at once, and are kept for the user's other devices", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/profile", { hub });
  await page.getByLabel("Theme").selectOption({ label: "Dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByLabel("Language").selectOption({ label: "Deutsch" });
  await expect(page.getByRole("heading", { level: 1, name: "Profil" })).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Übersicht" })).toBeVisible();

  const other = await open("/overview", { hub, ownSession: true });
  await expect(other.getByRole("heading", { level: 1, name: "Übersicht" })).toBeVisible();
  await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
  const ben = await open("/overview", { hub, user: "ben" });
  await expect(navigation(ben).getByRole("link", { name: "Overview" })).toBeVisible();
});

test("sessions are named by browser and system", async ({ open, startHub }) => {
  const hub = await startHub();
  const agents = {
    "Firefox on Android": "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    "Safari on iPhone":
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Edge on Windows":
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
    "Chrome on macOS":
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    curl: "curl/8.5.0",
  };
  for (const agent of Object.values(agents)) await hub.logIn("ben", password, { agent });
  const page = await open("/profile", { hub, user: "ben" });
  const table = page.getByRole("table", { name: "Sessions" });
  for (const name of Object.keys(agents)) await expect(table.getByRole("row").filter({ hasText: name })).toHaveCount(1);
});

test("who failed to be the user since their login before is shown to them", async ({ open, startHub }) => {
  const hub = await startHub();
  const before = await open("/profile", { hub, user: "ben", ownSession: true });
  await expect(before.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await expect(before.getByText(/failed login/)).toHaveCount(0);
  for (const secret of ["wrong one", "wrong two"]) await expect(hub.logIn("ben", secret)).rejects.toThrow("could not log in");
  await expect(hub.logIn("ann", "wrong")).rejects.toThrow("could not log in");
  const page = await open("/profile", { hub, user: "ben", ownSession: true });
  await expect(page.getByRole("heading", { name: "2 failed logins as you" })).toBeVisible();
  await expect(page.getByText(/127\.0\.0\.1 · Login, with a password · 2 times/)).toBeVisible();
  await expect(page.getByText("If it was not you, change your password.")).toBeVisible();
});
