// SPDX-License-Identifier: Apache-2.0
// What the first view costs, and what a page may load.
import type { Response } from "@playwright/test";

import { expect, test } from "../fixtures";
import { places, settled, toggle } from "../pages";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

test("JavaScript and CSS of the first view are under 150 kB", async ({ open }) => {
  const page = await open("about:blank");
  const answers: Response[] = [];
  page.on("response", (response) => answers.push(response));
  await page.goto("/overview");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await settled(page);

  const sizes: Record<string, number> = {};
  for (const answer of answers) {
    const type = answer.headers()["content-type"] ?? "";
    if (!/javascript|css/.test(type)) continue;
    const size = (await answer.request().sizes()).responseBodySize;
    if (size >= 1024) expect(answer.headers()["content-encoding"], answer.url()).toMatch(/^(zstd|br|gzip)$/);
    sizes[new URL(answer.url()).pathname] = size;
  }
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  console.log(`first view: ${total} bytes of JavaScript and CSS in ${Object.keys(sizes).length} files`);
  expect(Object.keys(sizes).length).toBeGreaterThan(2);
  expect(total, JSON.stringify(sizes, null, 2)).toBeGreaterThan(20_000);
  expect(total, JSON.stringify(sizes, null, 2)).toBeLessThan(150_000);
});

test("a second visit fetches no file again", async ({ open }) => {
  const page = await open("/overview");
  await settled(page);
  await page.waitForLoadState("networkidle"); // the icons that devices name come last
  const fetched: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/assets/") && !response.fromServiceWorker()) fetched.push(pathname);
  });
  const cached: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestServedFromCache", ({ requestId }) => cached.push(requestId));
  session.on("Network.responseReceived", ({ requestId, response }) => response.fromDiskCache && cached.push(requestId));
  await page.reload();
  await settled(page);
  await page.waitForLoadState("networkidle");
  expect(fetched.length).toBeGreaterThan(2);
  expect(new Set(cached).size).toBeGreaterThanOrEqual(fetched.length);
});

// That each page keeps to it is seen by every test: the browser would complain, which fails it.
test("pages may load from the hub alone, and run no script that stands in a text", async ({ hub }) => {
  for (const path of ["/", "/login", "/welcome", "/invitation", ...Object.values(places).map((place) => place.split("?")[0] as string)]) {
    const answer = await fetch(hub.url + path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get("content-security-policy"), path).toBe(policy);
    expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");
    await answer.body?.cancel();
  }
});

test("the policy is in force", async ({ open, expectComplaint }) => {
  expectComplaint(/Content Security Policy/);
  const page = await open("/login", { user: "nobody" });
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    return "ran" in globalThis;
  });
  expect(ran).toBe(false);
});
