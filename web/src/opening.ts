// SPDX-License-Identifier: Apache-2.0
// The home of the session that the browser remembers, on its way while the scripts that draw it are being fetched.
import type { Auth } from "home-assistant-js-websocket";

import { Home } from "./api/home";
import { storedSession } from "./api/session";
import { loadPreferences } from "./preferences";

let opening: Promise<Home> | undefined;

// Connects, reads the home, and adopts what its user prefers and how they have arranged it; the pages work without that.
export function openHome(session: Auth): Promise<Home> {
  return Home.open(session, (home) => Promise.allSettled([loadPreferences(home), home.layouts.follow()]));
}

// Returns whether there is a session.
export function beginOpening(): boolean {
  const session = storedSession();
  opening = session && openHome(session);
  opening?.catch(() => undefined); // who takes it, hears of it
  return opening !== undefined;
}

// The home that is being opened, begun anew if it was taken before; undefined without a session.
export function takeOpening(): Promise<Home> | undefined {
  if (!opening) beginOpening();
  const taken = opening;
  opening = undefined;
  return taken;
}
