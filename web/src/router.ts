// SPDX-License-Identifier: Apache-2.0
// The address bar and the pages. Links are plain `<a href="/history">`; the hub answers each of these paths with the same document.

export type PageName = "overview" | "history" | "developer" | "profile" | "settings";

export interface Page {
  name: PageName;
  path: string;
  administratorsOnly?: boolean;
}

// In the order of the navigation.
export const pages: Page[] = [
  { name: "overview", path: "/overview" },
  { name: "history", path: "/history" },
  { name: "developer", path: "/developer-tools" },
  { name: "settings", path: "/settings", administratorsOnly: true },
  { name: "profile", path: "/profile" },
];

// The page of a path, and what follows it: "/developer-tools/events" → developer, "events".
export function pageOf(path: string): { page: Page; tab: string } | undefined {
  if (path === "/") return { page: pages[0] as Page, tab: "" };
  for (const page of pages) {
    if (path === page.path) return { page, tab: "" };
    if (path.startsWith(`${page.path}/`)) return { page, tab: path.slice(page.path.length + 1) };
  }
  return undefined;
}

type Listener = () => void;
const listeners = new Set<Listener>();

export function onNavigation(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Goes to a path of this site, with its query: "/history?entity=sensor.a".
export function navigate(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  for (const listener of [...listeners]) listener();
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

// Makes links within the site change the page without loading it anew.
export function interceptLinks(): void {
  window.addEventListener("popstate", () => {
    for (const listener of [...listeners]) listener();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((target): target is HTMLAnchorElement => target instanceof HTMLAnchorElement);
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!pageOf(link.pathname) || link.hash) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
