// SPDX-License-Identifier: Apache-2.0
// How long the pages of a home of 10,000 entities take: until the first view answers, and from a click until the page that it asks for is
// drawn while 200 states change each second. A person calls 100 ms instant.
import type { Page } from "@playwright/test";

import { expect } from "./fixtures";
import { amount, changeStates, test } from "./many";
import { navigation } from "./pages";

test.describe.configure({ mode: "default" });

// Measured in the page: from the beginning of the navigation until a card is there and the page's thread is free to answer.
async function timeToFirstCard(page: Page): Promise<number> {
  await page.addInitScript(() => {
    const find = (root: ParentNode): boolean =>
      [...root.querySelectorAll("*")].some(
        (element) => element.getAttribute("role") === "switch" || (element.shadowRoot !== null && find(element.shadowRoot)),
      );
    const look = () => {
      if (!find(document)) return void requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => ((globalThis as { usableAt?: number }).usableAt = performance.now());
      requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    requestAnimationFrame(look);
  });
  await page.goto("/overview?view=list");
  const found = await page.waitForFunction(() => (globalThis as { usableAt?: number }).usableAt);
  return (await found.jsonValue()) as number;
}

test("the first view of 10,000 entities", async ({ open, home }) => {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const page = await open("about:blank", { hub: home });
    times.push(Math.round(await timeToFirstCard(page)));
    await page.context().close();
  }
  console.log(`first view of ${amount} entities: ${times.join(", ")} ms`);
});

test("clicks while 200 states change each second", async ({ open, home }) => {
  const page = await open("/overview?view=list", { hub: home });
  await expect(page.getByRole("switch").first()).toBeVisible();
  const changes = changeStates(home);
  try {
    await expect.poll(changes.written).toBeGreaterThan(200);
    await page.evaluate(() => {
      addEventListener("pointerup", (event) => ((globalThis as { clickedAt?: number }).clickedAt = event.timeStamp), true);
    });
    const waits: number[] = [];
    for (const name of ["Profile", "Overview", "Profile", "Overview"]) {
      await navigation(page).getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      waits.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) =>
              requestAnimationFrame(() => resolve(performance.now() - ((globalThis as { clickedAt?: number }).clickedAt ?? 0))),
            ),
        ),
      );
    }
    console.log(`clicks under ${changes.written()} changes: ${waits.map(Math.round).join(", ")} ms`);
  } finally {
    await changes.stop();
  }
});
