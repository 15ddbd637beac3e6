// SPDX-License-Identifier: Apache-2.0
// Where the focus is, and where it goes when the element that had it is gone.

function deepActive(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

const isNowhere = (element: Element | null): boolean =>
  element === null || element === document.body || element === document.documentElement;
const canBeSeen = (element: Element): boolean => element.isConnected && element.getClientRects().length > 0;

// The element that has the focus, and all in which it stands, through shadow trees, from the inside out. Empty if nothing has it.
export function focusPath(): HTMLElement[] {
  const path: HTMLElement[] = [];
  let element = deepActive();
  if (isNowhere(element)) return path;
  while (element) {
    if (element instanceof HTMLElement) path.push(element);
    const root = element.getRootNode();
    element = element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return path;
}

// The first heading in the page's order that can be seen, in shadow trees, too.
export function headingIn(root: ParentNode, level: string): HTMLElement | undefined {
  for (const element of root.querySelectorAll<HTMLElement>("*")) {
    if (element.matches(level) && canBeSeen(element)) return element;
    const inner = element.shadowRoot && headingIn(element.shadowRoot, level);
    if (inner) return inner;
  }
  return undefined;
}

const takesFocus = "a[href], button, input, select, textarea, [tabindex]";

// The first place of the tab order, in shadow trees, too.
export function firstFocusable(root: ParentNode): HTMLElement | undefined {
  for (const element of root.querySelectorAll<HTMLElement>("*")) {
    const isPlace = element.matches(takesFocus) && element.tabIndex >= 0 && !element.matches(":disabled");
    if (isPlace && canBeSeen(element)) return element;
    const inner = element.shadowRoot && firstFocusable(element.shadowRoot);
    if (inner) return inner;
  }
  return undefined;
}

// A heading is no place of the tab order, but is read where the focus goes to it.
export function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// A row that was deleted goes when the hub has said so.
const patience = 3000;

// Gives the focus back to the first of the path. If that is gone, or goes soon, the heading of the nearest that is still there has it.
export function giveBack(path: HTMLElement[]): void {
  path[0]?.focus();
  const end = performance.now() + patience;
  const look = () => {
    const active = deepActive();
    if (!isNowhere(active)) {
      if (active === path[0] && performance.now() < end) setTimeout(look, 100);
      return;
    }
    for (const place of [...path.filter(canBeSeen), document.body]) {
      const heading = headingIn(place.shadowRoot ?? place, "h1, h2, h3") ?? (place.shadowRoot && headingIn(place, "h1, h2, h3"));
      if (heading) return focusHeading(heading);
    }
  };
  // Another dialog may open in the place of this one.
  setTimeout(look);
}
