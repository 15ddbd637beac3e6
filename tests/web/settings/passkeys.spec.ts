// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { password } from "../hub";
import { looksRight } from "../looks_right";
import { notices } from "../pages";

const card = (page: Page) => page.locator("hearth-passkeys");

// Chromium's own authenticator in software, as a phone with a finger on it.
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a passkey is added, lets its user in without a password, and is removed", async ({ open, startHub }) => {
  const hub = await startHub();
  const origin = `http://localhost:${hub.port}`;
  const page = await open("/profile", { hub, user: "ben", origin });
  await addAuthenticator(page);
  await card(page).getByRole("button", { name: "Add passkey" }).click();
  await card(page).getByLabel("Name of the passkey").fill("Ben's phone");
  await card(page).getByLabel("Current password").fill("not the password");
  await card(page).getByRole("button", { name: "Continue" }).click();
  await expect(card(page).getByText("This is not your current password.")).toBeVisible();
  await card(page).getByLabel("Current password").fill(password);
  await card(page).getByRole("button", { name: "Continue" }).click();
  await expect(card(page).getByRole("listitem")).toContainText("Ben's phone");
  await expect(card(page).getByRole("listitem")).toContainText("Not used yet");
  await looksRight(page, "passkeys");

  await page.getByRole("button", { name: "Log out" }).first().click();
  await expect(page.getByRole("button", { name: "Log in with a passkey" })).toBeVisible();
  await looksRight(page, "login-passkey");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page).toHaveURL(`${origin}/overview`);

  await page.goto(`${origin}/profile`);
  await expect(card(page).getByRole("listitem")).toContainText("Last used");
  await card(page).getByRole("button", { name: "Remove the passkey Ben's phone" }).click();
  await card(page).getByLabel("Current password").fill(password);
  await card(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(notices(page)).toContainText("Passkey removed.");
  await expect(card(page).getByRole("listitem")).toHaveCount(0);
});

test("a passkey that the home does not know any more lets nobody in", async ({ open, startHub }) => {
  const hub = await startHub();
  const origin = `http://localhost:${hub.port}`;
  const page = await open("/profile", { hub, user: "ben", origin });
  await addAuthenticator(page);
  const add = async (name: string) => {
    await card(page).getByRole("button", { name: "Add passkey" }).click();
    await card(page).getByLabel("Name of the passkey").fill(name);
    await card(page).getByLabel("Current password").fill(password);
    await card(page).getByRole("button", { name: "Continue" }).click();
  };
  await add("Phone");
  await expect(card(page).getByRole("listitem")).toHaveCount(1);
  await add("Phone again");
  await expect(card(page).getByRole("alert")).toContainText("The browser made no passkey");

  await page.getByRole("button", { name: "Log out" }).first().click();
  const button = page.getByRole("button", { name: "Log in with a passkey" });
  await expect(button).toBeVisible();
  hub.command(["user", "reset-mfa", "ben"]);
  await button.click();
  await expect(page.getByRole("alert")).toContainText("This passkey lets nobody in here.");
  await page.getByLabel("Username").fill("ben");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).toHaveURL(`${origin}/overview`);
});

test("a page that came without https offers none", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/profile", { hub, user: "ben", origin: `http://127.0.0.1:${hub.port}` });
  await page.evaluate(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("link", { name: "Profile" }).first().click();
  await expect(card(page)).toContainText("Browsers have passkeys only for a page that came by https");
  await expect(card(page).getByRole("button", { name: "Add passkey" })).toHaveCount(0);
});
