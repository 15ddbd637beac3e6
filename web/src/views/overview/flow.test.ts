// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { blocksOf, flow, gap, heightOfCards } from "./flow";
import type { Tile } from "./layout";

const cards = (...heights: number[]): Tile[] => heights.map((height, index) => ({ id: `sensor.c${index}`, rank: 0, sortKey: "", height }));
const ids = (tiles: Tile[]) => tiles.map(({ id }) => id);

// The rows that each column uses, from above.
function ends(tiles: Tile[], columns: number): number[] {
  const down = Array.from({ length: columns }, () => 0);
  for (const { tile, column, span } of flow(tiles, columns).places) {
    const top = Math.max(...down.slice(column, column + span));
    down.fill(top + tile.height + gap, column, column + span);
  }
  return down;
}

test("cards keep their order at every width, whatever height they have", () => {
  const tiles = cards(9, 3.75, 3.75, 15, 3.75, 3.75, 7.5, 3.75);
  for (const columns of [1, 2, 3, 5, 9]) {
    const drawn = blocksOf(tiles, columns).flatMap(({ places }) => places.map(({ tile }) => tile));
    expect(ids(drawn)).toEqual(ids(tiles));
  }
});

test("cards of one height stand in rows, and a high one leaves no hole beside it", () => {
  expect(flow(cards(4, 4, 4, 4, 4), 3).places.map(({ column }) => column)).toEqual([0, 1, 2, 0, 1]);
  expect(flow(cards(8.5, 4, 4, 4), 2).places.map(({ column }) => column)).toEqual([0, 1, 1, 0]);
  const down = ends(cards(15, ...Array.from({ length: 30 }, () => 3.75), 9), 4);
  expect(Math.max(...down) - Math.min(...down)).toBeLessThanOrEqual(9 + gap);
});

test("a wide card takes two columns, and one where there is one", () => {
  const [wide, ...rest] = cards(4, 4, 4, 4);
  const tiles = [rest[0]!, { ...wide!, isWide: true }, rest[1]!, rest[2]!];
  expect(flow(tiles, 3).places.map(({ column, span }) => [column, span])).toEqual([
    [0, 1],
    [1, 2],
    [0, 1],
    [1, 1],
  ]);
  expect(flow(tiles, 2).places.map(({ column, span }) => [column, span])).toEqual([
    [0, 1],
    [0, 2],
    [0, 1],
    [1, 1],
  ]);
  expect(flow(tiles, 1).places.every(({ column, span }) => column === 0 && span === 1)).toBe(true);
});

test("the height is known before the cards are drawn", () => {
  expect(flow(cards(4, 4, 4), 1).height).toBe(12 + 2 * gap);
  expect(heightOfCards(cards(4, 4, 4), 3)).toBe(4);
  expect(flow(cards(4, 4, 4), 1, 8.5).places).toHaveLength(2);
  expect(flow(cards(4, 4, 4), 1, 8.4).places).toHaveLength(1);
});
