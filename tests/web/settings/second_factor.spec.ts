// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

import { AuthenticatorApp } from "../authenticator_app";
import { expect, test } from "../fixtures";
import { password } from "../hub";
import { looksRight } from "../looks_right";
import { dialog, notices } from "../pages";

const card = (page: Page) => page.locator("hearth-second-factor");

async function givePassword(page: Page, button: string): Promise<void> {
  await card(page).getByLabel("Current password").fill(password);
  await card(page).getByRole("button", { name: button, exact: true }).click();
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel("Username").fill("ben");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

test("a user sets up an app, logs in with its code and with a recovery code, and removes it", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/profile", { hub, user: "ben" });
  await card(page).getByRole("button", { name: "Set up" }).click();
  await card(page).getByLabel("Current password").fill("not the password");
  await card(page).getByRole("button", { name: "Continue" }).click();
  await expect(card(page).getByText("This is not your current password.")).toBeVisible();
  await givePassword(page, "Continue");
  const app = await AuthenticatorApp.scan(card(page).getByRole("img", { name: "QR code for the authenticator app" }));
  await card(page).getByLabel("Code", { exact: true }).fill("12 45");
  await card(page).getByRole("button", { name: "Set up" }).click();
  await expect(card(page).getByText("The code is wrong, or was used already.")).toBeVisible();
  await looksRight(page, "second-factor-setup");
  await card(page)
    .getByLabel("Code", { exact: true })
    .fill(await app.code());
  await card(page).getByRole("button", { name: "Set up" }).click();
  await expect(card(page)).toContainText("10 recovery codes are left.");
  const codes = card(page).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await looksRight(page, "second-factor-codes");
  const recovery = await codes.first().innerText();
  await card(page).getByRole("button", { name: "Done" }).click();
  await expect(codes).toHaveCount(0);

  const visitor = await open("/", { hub, user: "nobody" });
  await logIn(visitor);
  await expect(visitor.getByText("Now the code of your authenticator app")).toBeVisible();
  await looksRight(visitor, "login-code");
  await visitor.getByLabel("Code", { exact: true }).fill("000000");
  await visitor.getByRole("button", { name: "Log in" }).click();
  await expect(visitor.getByRole("alert")).toContainText("The code is wrong, or was used already.");
  await visitor.getByLabel("Code", { exact: true }).fill(await app.code());
  await visitor.getByRole("button", { name: "Log in" }).click();
  await expect(visitor).toHaveURL(`${hub.url}/overview`);

  const other = await open("/", { hub, user: "nobody" });
  await logIn(other);
  await other.getByLabel("Code", { exact: true }).fill(recovery.toUpperCase());
  await other.getByRole("button", { name: "Log in" }).click();
  await expect(other).toHaveURL(`${hub.url}/overview`);

  await page.reload();
  await expect(card(page)).toContainText("9 recovery codes are left.");
  await card(page).getByRole("button", { name: "Remove" }).click();
  await givePassword(page, "Remove");
  await expect(notices(page)).toContainText("Removed.");
  await expect(card(page).getByRole("button", { name: "Set up" })).toBeVisible();
});

test("three wrong codes lead back to the password; an administrator removes a lost app", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/profile", { hub, user: "ben" });
  await card(page).getByRole("button", { name: "Set up" }).click();
  await givePassword(page, "Continue");
  const app = await AuthenticatorApp.scan(card(page).getByRole("img", { name: "QR code for the authenticator app" }));
  await card(page)
    .getByLabel("Code", { exact: true })
    .fill(await app.code());
  await card(page).getByRole("button", { name: "Set up" }).click();
  await expect(card(page)).toContainText("10 recovery codes are left.");

  const visitor = await open("/", { hub, user: "nobody" });
  await logIn(visitor);
  for (let guess = 0; guess < 3; ++guess) {
    await visitor.getByLabel("Code", { exact: true }).fill(`wrong ${guess}`);
    await visitor.getByRole("button", { name: "Log in" }).click();
    if (guess < 2) await expect(visitor.getByText("The code is wrong, or was used already.")).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Log in" })).not.toHaveAttribute("aria-busy", "true");
  }
  await expect(visitor.getByRole("alert")).toContainText("Too many wrong codes. Log in again.");

  const users = await open("/settings/users", { hub });
  const row = users.getByRole("listitem").filter({ has: users.getByRole("heading", { name: "ben" }) });
  await expect(row).toContainText("Second factor");
  await row.getByRole("button", { name: "Remove the second factor of ben" }).click();
  await looksRight(users, "users-second-factor");
  await dialog(users).getByRole("button", { name: "Remove second factor" }).click();
  await expect(row).not.toContainText("Second factor");
  await logIn(visitor);
  await expect(visitor).toHaveURL(`${hub.url}/overview`);
});

test("a home that demands a second factor has it set up at the login", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "auth:\n  second_factor: all\n" });
  const visitor = await open("/", { hub, user: "nobody" });
  await logIn(visitor);
  const app = await AuthenticatorApp.scan(visitor.getByRole("img", { name: "QR code for the authenticator app" }));
  await looksRight(visitor, "login-setup");
  await visitor.getByLabel("Code", { exact: true }).fill(await app.code());
  await visitor.getByRole("button", { name: "Log in" }).click();
  await expect(visitor).toHaveURL(`${hub.url}/overview`);
});
