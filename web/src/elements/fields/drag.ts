// SPDX-License-Identifier: Apache-2.0
// Dragging one of several rows to another place among them, or into another list.

// A list that rows of another may be dropped into.
export interface DropList {
  getBoundingClientRect(): DOMRect;
  // Shows where a row at that height would land; returns its place.
  showDrop(y: number): number;
  hideDrop(): void;
}

export interface Place {
  top: number;
  bottom: number;
}

// Where the row that was at `from` is now, when its middle is at `y`: among the others, which stand where they stood.
export function placeOf(places: readonly Place[], from: number, y: number): number {
  let index = 0;
  places.forEach(({ top, bottom }, place) => {
    if (place !== from && y > (top + bottom) / 2) index += 1;
  });
  return index;
}

// How far each row stands aside, so that the gap is where the dragged one would land.
export function shiftOf(places: readonly Place[], from: number, to: number, row: number): number {
  const own = places[from];
  if (!own || row === from) return 0;
  const next = places[from + 1] ?? places[from - 1];
  const gap = next ? Math.max(0, next.top > own.top ? next.top - own.bottom : own.top - next.bottom) : 0;
  const height = own.bottom - own.top + gap;
  if (row > from && row <= to) return -height;
  return row < from && row >= to ? height : 0;
}

interface Drag<List extends DropList> {
  event: PointerEvent;
  // The rows of the list, and which of them is dragged.
  items: HTMLElement[];
  from: number;
  own: List;
  // Where else it may land.
  others: List[];
  // Called once, without a list if nothing is to move.
  done: (list: List | undefined, index: number) => void;
}

// The innermost list at that point.
function listAt<List extends DropList>(lists: List[], x: number, y: number): List | undefined {
  let best: { list: List; size: number } | undefined;
  for (const list of lists) {
    const { left, right, top, bottom, width, height } = list.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom || (best && best.size <= width * height)) continue;
    best = { list, size: width * height };
  }
  return best?.list;
}

// Until the pointer is let go; Escape leaves all as it was. Returns what ends it.
export function drag<List extends DropList>({ event, items, from, own, others, done }: Drag<List>): () => void {
  const places: Place[] = items.map((item) => item.getBoundingClientRect());
  const handle = event.currentTarget as HTMLElement;
  const list = items[from]?.parentElement;
  const start = event.clientY;
  const scrolled = window.scrollY;
  let to = from;
  let other: List | undefined;
  let begun = false;
  handle.setPointerCapture(event.pointerId);
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    const far = clientY - start + window.scrollY - scrolled;
    if (!begun && Math.abs(far) < 5) return;
    begun = true;
    list?.classList.add("dragging");
    items[from]?.classList.add("dragged");
    const place = places[from] as Place;
    const found = listAt([own, ...others], clientX, clientY);
    if (other && other !== found) other.hideDrop();
    other = found === own ? undefined : found;
    to = other ? other.showDrop(clientY) : placeOf(places, from, (place.top + place.bottom) / 2 + far);
    items.forEach((item, index) => (item.style.translate = `0 ${index === from ? far : other ? 0 : shiftOf(places, from, to, index)}px`));
    if (clientY < 60) window.scrollBy(0, -12);
    else if (clientY > innerHeight - 60) window.scrollBy(0, 12);
  };
  const end = (): void => {
    for (const [type, listener] of Object.entries(listeners)) handle.removeEventListener(type, listener as EventListener);
    window.removeEventListener("keydown", pressed, true);
    list?.classList.remove("dragging");
    other?.hideDrop();
    for (const item of items) {
      item.classList.remove("dragged");
      item.style.translate = "";
    }
  };
  const cancel = (): void => {
    end();
    done(undefined, from);
  };
  const drop = (): void => {
    end();
    done(begun ? (other ?? own) : undefined, to);
  };
  const pressed = (key: KeyboardEvent): void => {
    if (key.key === "Escape") cancel();
  };
  const listeners = { pointermove: follow, pointerup: drop, pointercancel: cancel };
  for (const [type, listener] of Object.entries(listeners)) handle.addEventListener(type, listener as EventListener);
  window.addEventListener("keydown", pressed, true);
  return end;
}
