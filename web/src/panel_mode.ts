// SPDX-License-Identifier: Apache-2.0
// True if this browser is a wall panel: because the address says so, ?panel=kitchen, or because it was made one for good.
import { query } from "./router";

export interface KeptPanel {
  // As ?panel= names it: an area's id, or "page:" and the id of a page of one's own.
  shows: string;
  // Asked for before the panel is left. It keeps people at the wall from other pages; whoever has the browser's tools, or another
  // browser, needs no PIN.
  pin: string;
}

const key = "hearth.panel";

export function keptPanel(): KeptPanel | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<KeptPanel> | null;
    if (typeof kept?.shows !== "string" || typeof kept.pin !== "string") return undefined;
    return { shows: kept.shows, pin: kept.pin };
  } catch {
    return undefined;
  }
}

export function keepPanel(panel: KeptPanel): void {
  localStorage.setItem(key, JSON.stringify(panel));
}

// It is none any more: left, or nobody is logged in.
export function forgetPanel(): void {
  localStorage.removeItem(key);
}

// The content of the panel; "" if that is still to be chosen. Undefined if this is none.
export function panelShown(): string | undefined {
  return query().get("panel") ?? keptPanel()?.shows;
}
