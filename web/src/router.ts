// SPDX-License-Identifier: Apache-2.0
// The address bar and the pages. Links are plain `<a href="/history">`; the hub answers each of these paths with the same document.
import type { Place } from "./scroll";

// Where these pages are: at the root, or below /hearth if another frontend is there.
export const base = /^\/hearth(\/|$)/.test(globalThis.location?.pathname ?? "") ? "/hearth" : "";

export type PageName = "overview" | "energy" | "history" | "developer" | "profile" | "settings";

export interface Page {
  name: PageName;
  path: string;
  administratorsOnly?: boolean;
  // Its tabs have pages of single things: "/settings/devices/4f2a".
  hasItems?: boolean;
  // The profile leads to it, too: others than administrators, and phones, do not have it in the navigation.
  isTool?: boolean;
  // Each page is a module of its own, fetched when it is first shown.
  load: () => Promise<unknown>;
}

// The routes of routes.ts, from startRouter() on.
let pages: readonly Page[] = [];

// Before anything else of this file. `table` is passed, not imported: the pages import this file.
export function startRouter(table: readonly Page[]): void {
  pages = table;
  interceptLinks();
  rememberScrolling();
}

// The page of a path, and what follows it: "/developer-tools/events" → developer, "events"; "/settings/devices/4f2a" → settings,
// "devices", "4f2a".
export function pageOf(path: string): { page: Page; tab: string; item: string } | undefined {
  if (path === (base || "/") || path === `${base}/`) return { page: pages[0] as Page, tab: "", item: "" };
  for (const page of pages) {
    if (path === page.path) return { page, tab: "", item: "" };
    if (!path.startsWith(`${page.path}/`)) continue;
    const [tab = "", item, ...more] = path.slice(page.path.length + 1).split("/");
    if (tab && item === undefined) return { page, tab, item: "" };
    if (tab && item && more.length === 0 && page.hasItems) return { page, tab, item: decoded(item) };
  }
  return undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// "pop": the browser's Back or Forward.
export type Move = "push" | "replace" | "pop";
type Listener = (move: Move) => void;
const listeners = new Set<Listener>();
// The address that is shown, and what the page remembers of itself there.
let shown = { address: globalThis.location?.href, state: globalThis.history?.state as unknown };

function tell(move: Move): void {
  shown = { address: location.href, state: history.state };
  for (const listener of [...listeners]) listener(move);
}

// Where the page that is shown is scrolled to.
let placeNow = (): Place => ({ scroll: window.scrollY });

export function findPlaceBy(find: () => Place): void {
  placeNow = find;
}

interface Guard {
  // True if something would be lost.
  isNeeded: () => boolean;
  // True if the page may be left all the same.
  ask: () => Promise<boolean>;
}
let guard: Guard | undefined;

// Has links, Back and Forward ask before they lead to another path, and the browser before it closes the page. Ends with what it
// returns. Whoever calls navigate() asks first.
export function guardLeaving(wanted: Guard): () => void {
  const unload = (event: Event) => wanted.isNeeded() && event.preventDefault();
  guard = wanted;
  window.addEventListener("beforeunload", unload);
  return () => {
    if (guard === wanted) guard = undefined;
    window.removeEventListener("beforeunload", unload);
  };
}

// The memory of a page in the history entry on which it is shown, for when Back leads to that entry.
export interface PageState extends Place {
  // The text of the overview's search.
  search?: string;
}

export function pageState(): PageState {
  return (history.state as PageState | null) ?? {};
}

export function rememberPage(changes: PageState): void {
  try {
    history.replaceState({ ...pageState(), ...changes }, "");
  } catch {
    // Browsers allow so many writes in so many seconds.
  }
}

export function onNavigation(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Goes to a path of this site, with its query: "/history?entity=sensor.a". What the page remembers stays as long as the path does.
export function navigate(to: string, how: "push" | "replace" = "push"): void {
  const isSamePage = new URL(to, location.origin).pathname === location.pathname;
  const kept = isSamePage ? pageState() : null;
  if (how === "push") {
    rememberPage(placeNow());
    history.pushState(kept, "", to);
  } else history.replaceState(kept, "", to);
  tell(how);
}

// Where an address leads within this site, or undefined for one that leads elsewhere, as "//example.org" or "/\example.org" do.
export function ownPath(address: string | null): string | undefined {
  if (!address?.startsWith("/") || !URL.canParse(address, location.origin)) return undefined;
  const { origin, pathname, search } = new URL(address, location.origin);
  return origin === location.origin ? pathname + search : undefined;
}

// The query of the address bar.
export function query(): URLSearchParams {
  return new URLSearchParams(location.search);
}

// Sets or, with undefined, removes parameters of the address bar's query.
export function setQuery(values: Record<string, string | undefined>, how: "push" | "replace" = "push"): void {
  const parameters = query();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  navigate(location.pathname + (text ? `?${text}` : ""), how);
}

// How long the page has to stand still before its place is remembered, in milliseconds: browsers allow few such writes.
const rest = 150;

// Remembers how far each page is scrolled. Pages restore it themselves: the browser would try before their content is there.
function rememberScrolling(): void {
  history.scrollRestoration = "manual";
  let resting: ReturnType<typeof setTimeout> | undefined;
  const forget = () => clearTimeout(resting);
  listeners.add(forget);
  window.addEventListener("popstate", forget);
  window.addEventListener(
    "scroll",
    () => {
      clearTimeout(resting);
      resting = setTimeout(() => rememberPage(placeNow()), rest);
    },
    { passive: true },
  );
}

// Makes links within the site change the page without loading it anew.
function interceptLinks(): void {
  window.addEventListener("popstate", followBack);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((target): target is HTMLAnchorElement => target instanceof HTMLAnchorElement);
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!pageOf(link.pathname) || link.hash) return;
    event.preventDefault();
    const to = link.pathname + link.search;
    if (link.pathname === location.pathname || !guard?.isNeeded()) navigate(to);
    else void guard.ask().then((yes) => yes && navigate(to));
  });
}

// The browser has gone there already: the page returns to where it stood, until the answer is known.
function followBack(): void {
  if (new URL(shown.address).pathname === location.pathname || !guard?.isNeeded()) return tell("pop");
  history.pushState(shown.state, "", shown.address);
  void guard.ask().then((yes) => {
    if (!yes) return;
    guard = undefined;
    history.back();
  });
}
