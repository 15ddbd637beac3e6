// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

import { ownPath, pageOf, startRouter } from "./router";
import { pages } from "./routes";

vi.stubGlobal("location", { origin: "http://hub.local:8123" });
vi.stubGlobal("window", new EventTarget());
vi.stubGlobal("document", new EventTarget());
vi.stubGlobal("history", {});
startRouter(pages);

test.each([
  ["/", "overview", "", ""],
  ["/overview", "overview", "", ""],
  ["/developer-tools", "developer", "", ""],
  ["/developer-tools/events", "developer", "events", ""],
  ["/settings/users", "settings", "users", ""],
  ["/settings/devices/demo.hall_light", "settings", "devices", "demo.hall_light"],
  ["/settings/devices/a%2Fb%20c", "settings", "devices", "a/b c"],
  ["/settings/devices/50%", "settings", "devices", "50%"],
])("%s is the page %s %s %s", (path, name, tab, item) => {
  const found = pageOf(path);
  expect([found?.page.name, found?.tab, found?.item]).toEqual([name, tab, item]);
});

// The hub answers these with 404.
test.each([
  "/nonsense",
  "/overview/",
  "/settings/",
  "/settings/devices/",
  "/settings/devices/a/b",
  "/developer-tools/events/a",
  "/Overview",
  "/settingsx",
  "//",
  "",
])("%j is no page", (path) => {
  expect(pageOf(path)).toBeUndefined();
});

test("only addresses of this site are gone to after the login", () => {
  expect(ownPath("/history?entity=sensor.a")).toBe("/history?entity=sensor.a");
  for (const address of [
    null,
    "",
    "history",
    "//example.org",
    "/\\example.org",
    "https://example.org/",
    "javascript:alert(1)",
    "/\t/example.org",
  ]) {
    expect(ownPath(address), String(address)).toBeUndefined();
  }
});
