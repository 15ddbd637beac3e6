// SPDX-License-Identifier: Apache-2.0
import { loadWords } from "./i18n/catalogue";
import { base, type Page } from "./router";

// With the words that only these pages say.
const withWords = (module: Promise<unknown>) => Promise.all([module, loadWords("administration")]);

// In the order of the navigation.
export const pages: readonly Page[] = [
  { name: "overview", path: `${base}/overview`, load: () => import("./views/overview/overview") },
  { name: "history", path: `${base}/history`, load: () => import("./views/history/history") },
  {
    name: "energy",
    path: `${base}/energy`,
    load: () => Promise.all([import("./views/energy/energy"), loadWords("energy")]),
  },
  { name: "developer", path: `${base}/developer-tools`, isTool: true, load: () => withWords(import("./views/developer/developer")) },
  {
    name: "settings",
    path: `${base}/settings`,
    administratorsOnly: true,
    hasItems: true,
    load: () => withWords(import("./views/settings/settings")),
  },
  { name: "profile", path: `${base}/profile`, load: () => withWords(import("./views/profile/profile")) },
];
