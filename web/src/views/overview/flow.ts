// SPDX-License-Identifier: Apache-2.0
// How the cards of a section are set, and how high they stand: known before they are drawn. The order is the same at every width: each
// card stands where the columns end first, so that there are no holes, whatever height the cards have.
import type { Tile } from "./layout";

export interface Place {
  tile: Tile;
  // The first of the columns it stands in, and how many they are.
  column: number;
  span: number;
}

// Cards that are drawn and dropped together.
export interface Block {
  places: Place[];
  columns: number;
  // In rem.
  height: number;
}

// Between cards, in rem, and the head of a room with and without the name of its floor.
export const gap = 0.5;
export const head = 3.4;
export const floorName = 1.4;
// About so many cards are a block.
const atOnce = 24;
// Columns that differ by less are level, in rem.
const level = 0.1;

// Sets cards in their order, until one would end below `most` (rem).
export function flow(tiles: readonly Tile[], columns: number, most = Infinity): Block {
  const ends = Array.from({ length: columns }, () => 0);
  const topOf = (column: number, span: number) => Math.max(...ends.slice(column, column + span));
  const places: Place[] = [];
  for (const tile of tiles) {
    const span = tile.isWide && columns > 1 ? 2 : 1;
    let column = 0;
    for (let other = 1; other + span <= columns; other++) if (topOf(other, span) < topOf(column, span) - level) column = other;
    const end = topOf(column, span) + tile.height;
    if (end > most) break;
    places.push({ tile, column, span });
    ends.fill(end + gap, column, column + span);
  }
  return { places, columns, height: Math.max(...ends) - gap };
}

export function blocksOf(tiles: readonly Tile[], columns: number): Block[] {
  const size = columns * Math.max(1, Math.round(atOnce / columns));
  const blocks: Block[] = [];
  for (let from = 0; from < tiles.length; from += size) blocks.push(flow(tiles.slice(from, from + size), columns));
  return blocks;
}

export function heightOfCards(tiles: readonly Tile[], columns: number): number {
  return blocksOf(tiles, columns).reduce((sum, { height }) => sum + height + gap, -gap);
}

// In rem, with its head; a folded one is its head alone.
export function heightOfSection(tiles: readonly Tile[], columns: number, folded: boolean, hasFloors: boolean): number {
  const above = head + (hasFloors ? floorName : 0);
  return folded || tiles.length === 0 ? above : above + heightOfCards(tiles, columns);
}
