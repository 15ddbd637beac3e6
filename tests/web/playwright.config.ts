// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

import { repository } from "./hub";

// The first one has no windows, and is twice as fast.
const browsers = ["chromium-headless-shell", "chromium", "google-chrome"].map((name) => join("/usr/bin", name));
const executablePath = browsers.find((path) => existsSync(path));
if (!executablePath) throw new Error("chromium is missing: tools/bootstrap --test");

export default defineConfig({
  testDir: ".",
  outputDir: join(repository, "build/web-tests"),
  workers: 3, // they wait about a third of the time
  fullyParallel: true,
  reporter: [["list"], ["./second_try.ts"]],
  forbidOnly: true,
  // The machine may be busy with other tests. What a person would wait for has its own bound, where it is asserted.
  timeout: 90_000,
  // Such a machine may starve one test: see second_try.ts.
  retries: 1,
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: {
      executablePath,
      // No name is looked up. The one that a test uses is this machine's.
      args: ["--host-resolver-rules=MAP hearth.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    },
  },
});
