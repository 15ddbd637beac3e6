// SPDX-License-Identifier: Apache-2.0
// tests/web/pictures FOLDER: what the pages of automations look like.
import base from "./playwright.config";

export default { ...base, testMatch: "*.pictures.ts", retries: 0 };
