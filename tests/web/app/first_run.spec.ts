// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { password } from "../hub";
import { navigation, toggle } from "../pages";

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
  await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue("Europe/Berlin"); // the browser's
  await page.getByRole("button", { name: "Continue" }).click();

  // The demo's rooms are there; others are ticked, or get a name of their own.
  await expect(page.getByRole("heading", { name: "Name the rooms" })).toBeFocused();
  await expect(page.getByRole("listitem").filter({ hasText: "Kitchen" })).toContainText("is there");
  await page.getByRole("button", { name: "Balcony" }).click();
  await page.getByLabel("Another room").fill("<b>Bücher</b> 📚");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Add 2 rooms" }).click();

  await expect(page.getByRole("heading", { name: "What comes next" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Remove the demo" })).toBeVisible();
  await expect(page.getByText("Install the app")).toBeVisible();
  await page.getByRole("button", { name: "To the overview" }).click();

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

test("the demo goes before the rooms of the home are named", async ({ open, startHub }) => {
  const hub = await startHub({ users: false, name: "" });
  const page = await open("/welcome", { hub, user: "nobody", language: "de-DE", width: 360 });
  await page.getByLabel("Name", { exact: true }).fill("Ann");
  for (const label of ["Passwort", "Passwort bestätigen"]) await page.getByLabel(label, { exact: true }).fill(password);
  await page.getByRole("button", { name: "Konto anlegen" }).click();
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("button", { name: "Das Demo-Haus entfernen" }).click();
  await page.getByRole("button", { name: "Alles davon entfernen" }).click();
  await page.getByRole("button", { name: "Küche", pressed: true }).click();
  await page.getByRole("button", { name: "4 Räume anlegen" }).click();
  await expect(page.getByRole("heading", { name: "Wie es weitergeht" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Das Demo-Haus entfernen" })).toHaveCount(0);
  hub.token("ann"); // which the hub knows within a second
  const rooms = async () => {
    const read = await hub.rest<{ areas: { name: string }[] }>("GET", "/api/registry").catch(() => undefined);
    return read?.areas.map(({ name }) => name).sort();
  };
  await expect.poll(rooms).toEqual(["Bad", "Flur", "Schlafzimmer", "Wohnzimmer"]);
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

test("what comes next leads there", async ({ open, startHub }) => {
  const hub = await startHub({ users: false });
  const page = await open("/welcome", { hub, user: "nobody" });
  await page.getByLabel("Name", { exact: true }).fill("Ann");
  for (const label of ["Password", "Confirm password"]) await page.getByLabel(label, { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  for (const heading of ["Your home", "Name the rooms"]) {
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await page.getByRole("button", { name: "Skip" }).click();
  }
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await expect(page).toHaveURL(`${hub.url}/settings/users`);
  await expect(page.getByRole("button", { name: "Add user" })).toBeVisible();
});

test("a new home starts from a backup", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/WebSocket|ERR_|Failed to load resource/, false); // while the hub restarts
  const old = await startHub({ name: "Old home" });
  await old.setState("sensor.letters", "3", { friendly_name: "Letters" });
  await old.call("backup", "create", { name: "good", passphrase: "seven lamps" });
  const file = `${old.folder}/backups/good.tar.zst.enc`;

  const hub = await startHub({ users: false, name: "" });
  const page = await open("/", { hub, user: "nobody" });
  await page.getByRole("button", { name: "Start from a backup" }).click();
  await expect(page.getByRole("heading", { name: "Start from a backup" })).toBeFocused();
  const restore = page.getByRole("button", { name: "Restore" });
  await restore.click();
  await expect(page.getByRole("alert")).toContainText(/required|Fill/);
  await page.getByLabel("File").setInputFiles({ name: "x.tar.zst", mimeType: "", buffer: Buffer.from("nonsense") });
  await restore.click();
  await expect(page.getByRole("alert")).toContainText("it is no backup of Hearth");
  await page.getByLabel("File").setInputFiles(file);
  await restore.click();
  await expect(page.getByRole("alert")).toContainText("This backup is encrypted");
  await expect(page.getByText(/A backup of .* by Hearth 2026/)).toBeVisible();
  await page.getByLabel("Passphrase").fill("seven lambs");
  await restore.click();
  await expect(page.getByRole("alert")).toContainText("This is not the passphrase of the backup");
  await page.getByLabel("Passphrase").fill("seven lamps");
  await restore.click();
  await expect(page.getByText("The home is being restored, and the hub restarts.")).toBeVisible();

  await page.getByLabel("Username").fill("ann", { timeout: 30_000 });
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("searchbox").fill("Letters");
  await expect(page.locator("hearth-sensor-card").filter({ hasText: "Letters" })).toContainText("3");
  await navigation(page).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Backups" }).click();
  await expect(page.getByText(/The home was restored from good, made on .*, at its first start on/).first()).toBeVisible();
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
