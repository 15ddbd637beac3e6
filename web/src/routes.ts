// SPDX-License-Identifier: Apache-2.0
import { base, type Page } from "./router";

// In the order of the navigation.
export const pages: readonly Page[] = [
  { name: "overview", path: `${base}/overview`, load: () => import("./views/overview/overview") },
  { name: "history", path: `${base}/history`, load: () => import("./views/history/history") },
  { name: "developer", path: `${base}/developer-tools`, isTool: true, load: () => import("./views/developer/developer") },
  { name: "settings", path: `${base}/settings`, administratorsOnly: true, hasItems: true, load: () => import("./views/settings/settings") },
  { name: "profile", path: `${base}/profile`, load: () => import("./views/profile/profile") },
];
