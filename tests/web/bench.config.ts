// SPDX-License-Identifier: Apache-2.0
// tests/web/run -c bench.config.ts: prints how long pages take. Nothing else should be running.
import base from "./playwright.config";

export default { ...base, testMatch: "*.bench.ts", workers: 1, retries: 0, timeout: 600_000 };
