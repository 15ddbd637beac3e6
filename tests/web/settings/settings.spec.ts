// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { faultyBinary, password } from "../hub";
import { dialog, notices, toggle } from "../pages";

test("a user is added, made an administrator, deactivated and deleted", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/users", { hub });
  await page.getByRole("button", { name: "Add user" }).click();
  const form = dialog(page);
  await form.getByLabel("Name", { exact: true }).fill("Carla");
  await form.getByLabel("Username").fill("carla");
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("Confirm password").fill(password);
  await form.getByRole("button", { name: "Add user" }).click();
  await expect(form).toHaveCount(0);
  const entry = page.getByRole("listitem").filter({ hasText: "carla" });
  await expect(entry).toContainText("User");
  await hub.logIn("carla");

  await page.getByRole("button", { name: "Edit Carla" }).click();
  await form.getByLabel("Role").selectOption("Administrator");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(entry).toContainText("Administrator");
  expect(hub.command(["user", "list"])).toMatch(/carla\s+administrator/);

  await page.getByRole("button", { name: "Deactivate Carla" }).click();
  await form.getByRole("button", { name: "Deactivate" }).click();
  await expect(entry).toContainText("Deactivated");
  await expect(hub.logIn("carla")).rejects.toThrow("could not log in");

  await page.getByRole("button", { name: "Delete Carla" }).click();
  await form.getByRole("button", { name: "Delete" }).click();
  await expect(entry).toHaveCount(0);
  expect(hub.command(["user", "list"])).not.toContain("carla");
});

test("a user's name is taken once", async ({ open, startHub }) => {
  const page = await open("/settings/users", { hub: await startHub() });
  await page.getByRole("button", { name: "Add user" }).click();
  const form = dialog(page);
  await form.getByLabel("Name", { exact: true }).fill("Another Ben");
  await form.getByLabel("Username").fill("ben");
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByLabel("Confirm password").fill(password);
  await form.getByRole("button", { name: "Add user" }).click();
  await expect(form.getByRole("alert")).toContainText(/ben|taken|already/);
});

test("a password is set for somebody, and their tokens revoked with it", async ({ open, startHub, expectComplaint }) => {
  expectComplaint(/the server responded with a status of 40/, false); // if a page asks for a token before it hears that it has ended
  const hub = await startHub();
  const token = hub.token("ben");
  const other = await open("/overview?view=list", { hub, user: "ben", ownSession: true });
  const page = await open("/settings/users", { hub });
  await page.getByRole("button", { name: "Set password of ben" }).click();
  const form = dialog(page);
  const set = async (next: string) => {
    await form.getByLabel("New password", { exact: true }).fill(next);
    await form.getByLabel("Confirm new password").fill(next);
    await form.getByLabel("Revoke the long-lived access tokens, too").check();
    await form.getByRole("button", { name: "Set password" }).click();
  };
  await set("7 lamps");
  await expect(form.getByText("This password is too short; it needs at least 8 characters.")).toBeVisible();
  await set("nine small lamps in a row");
  await expect(form).toHaveCount(0);
  await hub.logIn("ben", "nine small lamps in a row");
  await expect(other.getByRole("button", { name: "Log in" })).toBeVisible();
  expect((await hub.fetch("GET", "/api/states", undefined, token)).status).toBe(401);
});

test("areas and entities are renamed, and the dashboard shows it", async ({ open, startHub }) => {
  const hub = await startHub();
  const dashboard = await open("/overview?view=list", { hub, height: 3_000 });
  await expect(toggle(dashboard, "Kitchen light")).toBeVisible();

  const page = await open("/settings/areas", { hub });
  await page.getByRole("button", { name: "Edit Kitchen", exact: true }).click();
  const form = dialog(page);
  await form.getByLabel("Name", { exact: true }).fill("Scullery <b>");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(dashboard.getByRole("heading", { name: "Scullery <b>" })).toBeVisible();

  await page.getByRole("searchbox").fill("light.kitchen");
  await page
    .getByRole("button", { name: /Kitchen light/ })
    .first()
    .click();
  await form.getByLabel("Name", { exact: true }).fill("Cooking light");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(toggle(dashboard, "Cooking light")).toBeVisible();
  await expect(toggle(dashboard, "Kitchen light")).toHaveCount(0);
  await toggle(dashboard, "Cooking light").click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
});

test("an address that guessed too often is forgiven", async ({ open, startHub }) => {
  const hub = await startHub();
  const guess = () => fetch(`${hub.url}/api/config`, { headers: { "X-Forwarded-For": "203.0.113.9", Authorization: "Bearer wrong" } });
  await Promise.all(Array.from({ length: 10 }, guess));
  expect((await guess()).status).toBe(429);
  const page = await open("/settings/security", { hub });
  const row = page.getByRole("row").filter({ hasText: "203.0.113.9" });
  await row.getByRole("button", { name: /Lift ban/ }).click();
  await expect(row.getByRole("button", { name: /Lift ban/ })).toHaveCount(0);
  expect((await guess()).status).toBe(401);
});

test("failed logins stay in the list after a good one, until it is cleared", async ({ open, startHub }) => {
  const hub = await startHub();
  for (const secret of ["wrong one", "wrong two"]) await expect(hub.logIn("ben", secret)).rejects.toThrow("could not log in");
  await hub.logIn("ben");
  const page = await open("/settings/security", { hub });
  const row = page.getByRole("table", { name: "Login attempts" }).getByRole("row").filter({ hasText: "ben" });
  await expect(row).toContainText("127.0.0.1");
  await expect(row).toContainText("Login, with a password");
  await expect(row.getByRole("cell").last()).toHaveText("2");
  await page.getByRole("button", { name: "Clear the list" }).click();
  await dialog(page).getByRole("button", { name: "Clear the list" }).click();
  await expect(page.getByText("Nobody has failed to log in.")).toBeVisible();
});

test("the home's name and place are changed", async ({ open, startHub }) => {
  const hub = await startHub({ name: "" });
  const page = await open("/settings", { hub });
  await page.getByLabel("Name of the home").fill("Villa <i>");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notices(page)).toContainText("Saved");
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("Villa <i>");
  expect(await hub.rest("GET", "/api/config")).toMatchObject({ location_name: "Villa <i>" });
});

test("the time zone is found by its city, region or offset, under its name of today", async ({ open, startHub }) => {
  const hub = await startHub({ name: "" });
  const page = await open("/settings", { hub });
  const field = page.getByRole("combobox", { name: "Time zone" });
  await expect(field).toHaveValue("UTC");
  await field.click();
  const options = page.getByRole("listbox").getByRole("option");
  expect(await options.count()).toBeGreaterThan(300);
  await expect(page.getByRole("listbox")).toContainText("Indian Ocean");
  await field.fill("kyiv");
  await expect(options).toHaveCount(1);
  await expect(options).toContainText(/UTC\+[23] · Europe\/Kyiv/);
  await field.fill("calcutta");
  await expect(options).toHaveCount(0);
  await field.fill("utc+5:30");
  await page.getByRole("option", { name: "Kolkata" }).click();
  await expect(field).toHaveValue("Asia/Kolkata");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notices(page)).toContainText("Saved");
  expect(await hub.rest("GET", "/api/config")).toMatchObject({ time_zone: "Asia/Kolkata" });
});

test("over plain http the page says why it has no button for the location", async ({ open, startHub }) => {
  const hub = await startHub({ name: "" });
  const page = await open("/settings", { hub });
  await expect(page.getByRole("button", { name: "Use this device’s location" })).toBeVisible(); // 127.0.0.1 is as good as https
  await page.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await page.reload();
  await expect(page.getByText("needs https")).toBeVisible();
  await expect(page.getByRole("button", { name: "Use this device’s location" })).toHaveCount(0);
});

test("in every dialog of the settings Cancel stands left of what goes ahead", async ({ open, hub }) => {
  const page = await open("/settings/users");
  const buttons = async () => {
    const boxes = await Promise.all(
      [dialog(page).getByRole("button", { name: "Cancel" }), dialog(page).locator("button.primary")].map((one) => one.boundingBox()),
    );
    expect(boxes[0]?.x).toBeLessThan(boxes[1]?.x ?? 0);
    expect(boxes[0]?.y).toBe(boxes[1]?.y);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
  };
  for (const [path, opener] of [
    ["users", "Add user"],
    ["users", "Edit ben"],
    ["users", "Set password of ben"],
    ["users", "Delete ben"],
    ["areas", "Add area"],
    ["areas", "Add floor"],
    ["backups", "Create backup"],
    ["backups", "Upload backup"],
  ] as const) {
    await page.goto(`${hub.url}/settings/${path}`);
    await page.getByRole("button", { name: opener }).click();
    await buttons();
  }
});

test("the tabs of the settings are one row on a phone, which shows the current one", async ({ open }) => {
  const page = await open("/settings/system", { width: 360, height: 740 });
  const tabs = page.locator("hearth-tabs nav");
  expect((await tabs.boundingBox())?.height).toBeLessThan(70);
  const current = await tabs.locator("[aria-current]").boundingBox();
  expect(current?.x).toBeGreaterThanOrEqual(0);
  expect((current?.x ?? 0) + (current?.width ?? 999)).toBeLessThanOrEqual(360);
});

test("the figures of the system move, and its log is shown", async ({ open, startHub }) => {
  const hub = await startHub(); // one that counts seconds still
  const page = await open("/settings/system", { hub });
  await expect(page.getByText("2026.11.0").first()).toBeVisible();
  const uptime = page.getByText("Running for").locator("xpath=..");
  await expect(uptime).toContainText("second");
  const first = await uptime.textContent();
  await expect(uptime).not.toHaveText(first ?? "");
  await expect(page.getByText(/\d+(\.\d+)? MiB/).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Log" })).toBeVisible();
  await page.getByLabel("Show").selectOption("Everything");
  await expect(page.getByText(/the home is up: \d+ entities/).first()).toBeVisible();
});

test("what holds up the home is told without places in its sources", async ({ open, hub }) => {
  const page = await open("/settings", { hub });
  const slow = [{ where: "src/app/app.cpp:237", longest_ms: 312, times: 2, last: new Date().toISOString(), holds_now: false }];
  await page.routeWebSocket(/\/api\/websocket/, (near) => {
    const far = near.connectToServer();
    far.onMessage((message) => near.send(String(message).replace(/"slow":\[[^\]]*\]/g, `"slow":${JSON.stringify(slow)}`)));
  });
  await page.goto("/settings/system");
  await expect(page.getByText(/^2 times since the start something has kept everything else waiting .* 312 ms at most/)).toBeVisible();
  await expect(page.getByText("app.cpp")).toHaveCount(0);
});

test("an integration that has failed is shown with its reason", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "faulty:\n  mode: fails_in_start\n", program: faultyBinary });
  hub.errorsExpected = true;
  const page = await open("/settings/system", { hub });
  const integration = (name: string) => page.locator("hearth-integrations").getByRole("listitem").filter({ hasText: name });
  await expect(integration("demo")).toContainText("Running");
  await expect(integration("faulty")).toContainText("Failed");
  await expect(integration("faulty")).toContainText("Why: The bridge does not answer.");
  await expect(integration("faulty")).toContainText("The next try is");
});

test("the hub looks at itself when it is asked", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "recorder:\n  keep: soon\n" });
  const page = await open("/settings/system", { hub, language: "de-DE" });
  const card = page.locator("hearth-doctor");
  await expect(card.getByRole("listitem")).toHaveCount(0);
  await card.getByRole("button", { name: "Jetzt untersuchen" }).click();
  const found = card.getByRole("listitem").filter({ hasText: "recorder.keep" });
  await expect(found).toContainText("Warnung");
  await expect(found).toContainText("erwartet wird eine Zeit");
  await expect(found).toContainText("Berichtige es, dann lade neu oder starte neu.");
  await expect(card.getByText(/^Befunde: \d+$/)).toBeVisible();
  // What is well is there for who wants to see it.
  const fine = card.getByRole("listitem").filter({ hasText: "home.db ist unversehrt" });
  await expect(fine).toBeHidden();
  await card.getByText(/^Ohne Befund: \d+$/).click();
  await expect(fine).toBeVisible();
  await expect(card.getByRole("listitem").filter({ hasText: "Sie läuft und antwortet unter 127.0.0.1:" })).toBeVisible();
  await expect(card.getByRole("button", { name: "Noch einmal untersuchen" })).toBeEnabled();
});

test("the System page says what the hub writes", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/system", { hub });
  await expect(page.getByRole("heading", { name: "Recording" })).toBeVisible();
  const figure = (name: string) => page.getByText(name, { exact: true }).locator("xpath=..");
  await expect(figure("Written today")).toContainText(/\d( |\u00a0)?(B|KiB|MiB)/);
  await expect(figure("Written today")).toContainText("since");
  await expect(figure("History takes")).toContainText(/[KM]iB/);
  await expect(figure("Last written")).toContainText(/ago|now/);
  await expect(figure("Changes waiting")).toContainText("At most 131,072");
  await expect(figure("Changes lost")).toContainText("0");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a full disk is said to administrators, until it is well", async ({ open, startHub }) => {
  const hub = await startHub();
  hub.errorsExpected = true;
  const overview = await open("/overview?view=list", { hub });
  const system = await open("/settings/system", { hub });
  const bens = await open("/overview?view=list", { hub, user: "ben" });
  const banner = overview.getByRole("alert").filter({ hasText: "cannot write to its disk" });
  await expect(toggle(overview, "Kitchen light")).toBeVisible();
  await expect(banner).toHaveCount(0);
  hub.setDiskFull(true);
  try {
    await hub.setState("sensor.letters", "1", { note: "x".repeat(50_000) });
    await expect(banner).toBeVisible();
    await expect(system.getByRole("alert")).toHaveCount(2); // and the panel
    // The home goes on, and a page that is opened now says so, too.
    await toggle(overview, "Kitchen light").click();
    await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
    const later = await open("/profile", { hub });
    await expect(later.getByRole("alert").filter({ hasText: "cannot write to its disk" })).toBeVisible();
    await expect(bens.getByRole("alert")).toHaveCount(0);
  } finally {
    hub.setDiskFull(false);
  }
  await expect(banner).toHaveCount(0, { timeout: 30_000 }); // the hub tries every ten seconds
  await expect(system.getByRole("alert")).toHaveCount(0);
  await expect(system.getByText("Last problem, which is over")).toBeVisible();
});
