// SPDX-License-Identifier: Apache-2.0
// How often the first view waits for the hub. What it weighs is in budget.spec.ts; how long it takes, load.bench.ts prints.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { firstSwitch, watchFirstSwitch } from "../first_switch";
import { SlowLine } from "../slow_line";

// Much longer than the page's own work between two trips.
const roundTrip = 1200;

async function trips(page: Page, line: SlowLine, path: string): Promise<number> {
  await page.goto("about:blank");
  line.restart();
  await page.goto(path);
  const { made } = await firstSwitch(page);
  return line.until(made).trips;
}

test("the first switch is there after seven trips, and after five if the browser has the files", async ({ open, hub }) => {
  const line = await SlowLine.to(hub, { roundTrip });
  const page = await open("about:blank", { origin: line.url, ownSession: true });
  await watchFirstSwitch(page);
  // A connection, and the page; more connections, and its scripts; the WebSocket's connection, its upgrade, and the home. One trip
  // less if the browser still has a connection.
  expect(await trips(page, line, "/overview")).toBeLessThanOrEqual(7);
  await page.waitForLoadState("networkidle");
  // The same without the scripts.
  expect(await trips(page, line, "/overview")).toBeLessThanOrEqual(5);
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem("hearth.session") ?? "") as object;
    localStorage.setItem("hearth.session", JSON.stringify({ ...stored, expires: 0 }));
  });
  expect(await trips(page, line, "/"), "with a token that has expired").toBeLessThanOrEqual(5);
  await page.context().close();
  await line.close();
});
