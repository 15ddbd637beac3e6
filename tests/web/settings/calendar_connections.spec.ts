// SPDX-License-Identifier: Apache-2.0
// A calendar of another place is a connection with an entity and without a device.
import { createServer } from "node:http";

import { expect, test } from "../fixtures";
import { freePort } from "../hub";
import { dialog, fits } from "../pages";

const calendar = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//tests//EN",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTAMP:20260101T000000Z",
  "DTSTART:20260101T170000Z",
  "DTEND:20260101T183000Z",
  "SUMMARY:Football",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

for (const width of [360, 1280]) {
  test(`a calendar is added by its address at ${width} px, and its connection leads to it`, async ({ open, startHub }) => {
    const hub = await startHub();
    const server = createServer((_, answer) => answer.setHeader("Content-Type", "text/calendar").end(calendar));
    const port = await freePort();
    await new Promise<void>((listens) => server.listen(port, "127.0.0.1", listens));
    try {
      const page = await open("/settings/devices/add", { hub, width });
      await page.getByRole("link", { name: "Add: Calendar by its address" }).click();
      await page.getByRole("textbox", { name: "Name of the calendar" }).fill("Club");
      await page.getByRole("textbox", { name: "Address (URL)" }).fill(`http://127.0.0.1:${port}/club.ics`);
      await page.getByRole("button", { name: "Add" }).click();
      await expect(page.getByRole("heading", { name: /^Club is/ })).toBeVisible();
      await expect(page.getByRole("status").filter({ hasText: "It brings 1 entity." })).toBeVisible();

      await page.goto("/settings/devices/connections");
      await page.getByRole("link", { name: "Club" }).click();
      await expect(page.getByRole("heading", { level: 2, name: "Its entities" })).toBeVisible();
      await expect(page.getByText("It has no devices.")).toBeHidden();
      await fits(page);
      await page.getByRole("link", { name: "Club", exact: true }).click();
      await expect(dialog(page).getByRole("heading", { name: "Club" })).toBeVisible();
    } finally {
      server.close();
    }
  });
}
