// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { arrange, below, type Part, type Room } from "./columns";
import type { Tile } from "./layout";

let next = 0;
const card = (height = 3.75): Tile => ({ id: `sensor.c${next++}`, rank: 0, sortKey: "", height });
const room = (count: number, folded = false): Room => ({ tiles: Array.from({ length: count }, () => card()), folded });

// As the grid sets them: each below what stands in its columns.
function placed(parts: Part[], columns: number): { from: number; to: number; top: number; bottom: number }[] {
  const ends = Array.from({ length: columns }, () => 0);
  return parts.map(({ column, span, height }) => {
    const top = Math.max(...ends.slice(column, column + span));
    ends.fill(top + height + below, column, column + span);
    return { from: column, to: column + span, top, bottom: top + height };
  });
}

// The least share of columns that a screen uses, if something follows it.
function leastUse(rooms: Room[], columns: number): number {
  const screen = 45;
  const boxes = placed(arrange(rooms, columns, false).flat(), columns);
  const end = Math.max(...boxes.map(({ bottom }) => bottom));
  let least = 1;
  for (let top = 0; top + screen < end; top += 5) {
    const used = new Set(
      boxes
        .filter((box) => box.top < top + screen && box.bottom > top)
        .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
    );
    least = Math.min(least, used.size / columns);
  }
  return least;
}

test.each([2, 3, 4, 6])("with %i columns no screen is left empty beside a large room", (columns) => {
  for (const counts of [
    [13, 25],
    [13, 25, 4, 3],
    [13, 600],
    [600],
    [13, 600, 30, 2],
    [25, 25, 25],
    [18, 18],
    [12, 12, 12, 12],
    [5, 5, 5, 5, 5, 5, 20],
    [1, 300, 1, 300, 1],
    [40],
  ]) {
    expect(
      leastUse(
        counts.map((count) => room(count)),
        columns,
      ),
      `${counts.join(", ")}`,
    ).toBeGreaterThanOrEqual(0.7);
  }
});

test("of many homes hardly a screen is empty beside a room", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (let home = 0; home < 300; home++) {
    const rooms = Array.from({ length: 1 + random(12) }, () => room(1 + random(random(4) === 0 ? 120 : 20)));
    const columns = 2 + random(5);
    expect(leastUse(rooms, columns), `${rooms.map(({ tiles }) => tiles.length).join(", ")} in ${columns}`).toBeGreaterThanOrEqual(
      columns === 2 ? 0.5 : 0.66,
    );
  }
});

test("each card stands once, and a room without cards enough stays in its column", () => {
  const rooms = [room(13), room(25), room(4), room(3), room(30, true)];
  rooms[1]!.tiles.splice(3, 2, card(9), card(9));
  const parts = arrange(rooms, 3, false);
  rooms.forEach(({ tiles }, index) =>
    expect(parts[index]?.flatMap((part) => part.tiles.map(({ id }) => id)).sort()).toEqual(tiles.map(({ id }) => id).sort()),
  );
  expect(parts[0]).toMatchObject([{ column: 0, span: 1 }]);
  expect(parts[1]?.[0]).toMatchObject({ column: 1, span: 2 });
  expect(parts[4]).toHaveLength(1);
  expect(arrange(rooms, 1, false).every((own) => own.length === 1 && own[0]?.span === 1)).toBe(true);
});

test("an ordinary home stands in columns of one room each", () => {
  const parts = arrange(
    [13, 9, 8, 4, 6, 7, 5].map((count) => room(count)),
    3,
    false,
  ).flat();
  expect(parts).toHaveLength(7);
  expect(parts.every(({ span }) => span === 1)).toBe(true);
});
