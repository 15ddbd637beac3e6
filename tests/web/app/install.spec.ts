// SPDX-License-Identifier: Apache-2.0
// What a browser meets around the pages: plain http, addresses that nothing is at, icons, installing, printing.
import { password } from "../hub";
import { expect, test } from "../fixtures";
import { navigation, settled, showPage, toggle } from "../pages";

// Any complaint of the browser fails it; a browser trusts no page that comes by http from another machine.
test("over plain http a visit has no complaint either", async ({ open, hub }) => {
  const page = await open("/", { origin: `http://hearth.test:${hub.port}`, user: "nobody" });
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  const answer = await page.reload();
  expect(answer?.headers()["content-encoding"]).toBe("gzip"); // the best that browsers take over plain http
  await expect(toggle(page, "Kitchen light")).toBeVisible();
});

test("an address that nothing is at shows so, with the way back", async ({ open, expectComplaint }) => {
  expectComplaint(/status of 404/);
  const page = await open("/nonsense/deep");
  await expect(page.getByRole("heading", { level: 1, name: "This page does not exist" })).toBeVisible();
  await expect(page).toHaveTitle(/does not exist/);
  await showPage(page, "Overview");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
});

test("who is not logged in comes back to that address after the login", async ({ open, expectComplaint }) => {
  expectComplaint(/status of 404/);
  const page = await open("/nonsense", { user: "nobody" });
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "This page does not exist" })).toBeVisible();
});

test("the page can be installed, with icons that launchers take", async ({ open }) => {
  const page = await open("/login", { user: "nobody" });
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(new URL(url).pathname).toBe("/manifest.webmanifest");
  const manifest = JSON.parse(data ?? "") as {
    id: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest.id).toBe("/");
  const pictures = manifest.icons.filter(({ type }) => type === "image/png");
  expect(pictures.map(({ sizes, purpose }) => `${sizes} ${purpose ?? "any"}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "192x192 maskable",
    "512x512 maskable",
  ]);
  // The size that a browser finds in the picture, and the colour of its corner: clear, or filled to the edge.
  const look = (path: string) =>
    page.evaluate(async (src) => {
      const answer = await fetch(src);
      const bitmap = await createImageBitmap(await answer.blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d") as OffscreenCanvasRenderingContext2D;
      context.drawImage(bitmap, 0, 0);
      return {
        type: answer.headers.get("content-type"),
        sizes: `${bitmap.width}x${bitmap.height}`,
        corner: [...context.getImageData(0, 0, 1, 1).data],
      };
    }, path);
  const brand = [180, 67, 15, 255];
  const clear = [0, 0, 0, 0];
  for (const { src, sizes, type, purpose } of pictures) {
    expect(await look(src), src).toEqual({ type, sizes, corner: purpose ? brand : clear });
  }
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  expect(await look(apple ?? "")).toEqual({ type: "image/png", sizes: "180x180", corner: brand });
  expect(await look("/favicon.ico")).toEqual({ type: "image/x-icon", sizes: "48x48", corner: clear });
  for (const shortcut of manifest.shortcuts) expect((await page.request.get(shortcut.url)).status(), shortcut.url).toBe(200);
});

test("paper shows the page without what could be pressed, and light", async ({ open }) => {
  const page = await open("/overview", { theme: "dark" });
  await settled(page);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.evaluate(() => {
    window.addEventListener("beforeprint", () => {
      (window as { printed?: string }).printed = getComputedStyle(document.documentElement).backgroundColor;
    });
  });
  await page.pdf({ path: "../../build/screenshots/overview-dark.pdf" });
  const printed = await page.evaluate(() => (window as { printed?: string }).printed);
  expect(printed).toBe("rgb(246, 243, 238)");
  expect(await background()).toBe(dark);
  expect(dark).not.toBe(printed);

  await expect(navigation(page)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(navigation(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toBeHidden();
  await expect(page.getByRole("button").and(page.locator(":visible"))).toHaveCount(0);
  await expect(toggle(page, "Kitchen light")).toBeVisible(); // it shows what is on
});
