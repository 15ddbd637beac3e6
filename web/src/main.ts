// SPDX-License-Identifier: Apache-2.0
import { startPreferences } from "./preferences";
import { interceptLinks } from "./router";

interceptLinks();
// The element is defined when its texts are there.
await startPreferences();
await import("./app");
