// SPDX-License-Identifier: Apache-2.0
// Starts the page: what takes a trip to the hub begins here, at once and side by side.
import { beginOpening } from "./opening";
import { startPreferences } from "./preferences";
import { pageOf, startRouter } from "./router";
import { pages } from "./routes";

// Not awaited by the module itself: the others import from its file, and would wait for it as it waits for them.
async function start(): Promise<void> {
  startRouter(pages);
  const isKnown = beginOpening();
  const preferences = startPreferences();
  // The app waits for these where it needs them, and says what failed.
  const parts = isKnown ? [import("./shell"), pageOf(location.pathname)?.page.load()] : [];
  for (const part of parts) part?.catch(() => undefined);
  await Promise.all([preferences, import("./app")]);
  // Now its texts are there.
  document.body.prepend(document.createElement("hearth-app"));
}

void start();
