// SPDX-License-Identifier: Apache-2.0
// Dragging one of several rows to another place among them.

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
