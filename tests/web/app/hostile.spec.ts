// SPDX-License-Identifier: Apache-2.0
// What others have written into the home is text, whatever it looks like.
import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { dialog, settled, textsOf } from "../pages";

const markup = `<img src=x onerror="globalThis.ran=1"><b>Bold</b>`;
const ending = `</script><script>globalThis.ran=1</script>`;
const emoji = "🔥".repeat(255);

async function isHarmless(page: Page): Promise<void> {
  await settled(page);
  expect(await page.evaluate(() => "ran" in globalThis)).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

test.beforeEach(async ({ hub }) => {
  await hub.setState("sensor.hostile", emoji, { friendly_name: markup, note: ending, "<i>key</i>": "value", icon: ending });
  await hub.setState("light.hostile", "on", {
    friendly_name: `${"wide".repeat(60)}`,
    supported_color_modes: "nonsense",
    brightness: "much",
    rgb_color: [ending],
    entity_picture: "javascript:globalThis.ran=1",
  });
});

test.afterEach(async ({ hub }) => {
  for (const id of ["sensor.hostile", "light.hostile"]) await hub.rest("DELETE", `/api/states/${id}`);
});

for (const width of [360, 1024]) {
  test(`the dashboard shows it as text at ${width} pixels`, async ({ open }) => {
    const page = await open("/overview?view=list", { width });
    await page.getByRole("searchbox").fill("hostile");
    await expect(page.getByText(markup).first()).toBeVisible();
    await expect(page.getByText(emoji).first()).toBeVisible();
    await isHarmless(page);
    expect(await textsOf(page)).toContain(markup);
  });

  test(`the entity's dialog shows it as text at ${width} pixels`, async ({ open }) => {
    const page = await open("/overview?entity=sensor.hostile", { width });
    const opened = dialog(page);
    await expect(opened.getByRole("heading", { name: markup })).toBeVisible();
    await expect(opened.getByText(emoji).first()).toBeVisible();
    await opened.getByText("Attributes").click();
    await expect(opened.getByText(ending).first()).toBeVisible();
    await expect(opened.getByText("<i>key</i>").first()).toBeVisible();
    await isHarmless(page);
    await page.goto("/overview?entity=light.hostile");
    await dialog(page).getByText("Attributes").click();
    await expect(dialog(page).getByText("much", { exact: true })).toBeVisible();
    await isHarmless(page);
  });

  test(`the list of states shows it as text at ${width} pixels`, async ({ open }) => {
    const page = await open("/developer-tools", { width });
    await page.getByRole("searchbox").first().fill("sensor.hostile");
    await expect(page.getByText("sensor.hostile").first()).toBeVisible();
    await isHarmless(page);
  });
}

test("the history lists it as text", async ({ open }) => {
  const page = await open("/history?entity=sensor.hostile");
  await isHarmless(page);
  expect((await textsOf(page)).join("\n")).toContain(markup);
});

test("a name of the home is text in the title and in the navigation", async ({ open, startHub }) => {
  const hub = await startHub({ name: ending + markup });
  const page = await open("/overview?view=list", { hub, width: 360 });
  await isHarmless(page);
  await expect(page).toHaveTitle(new RegExp("</script><script>"));
  await expect(page.getByRole("navigation")).toContainText(ending + markup);
});

test("an address that names nothing says so", async ({ open, hub }) => {
  for (const path of [
    `/overview?entity=${encodeURIComponent(ending)}`,
    "/history?entity=sensor.nothing&entity=%3Cb%3E",
    "/developer-tools/nothing",
  ]) {
    const page = await open(path);
    await isHarmless(page);
    await page.context().close();
  }
  expect((await fetch(`${hub.url}/nothing`)).status).toBe(404);
});
