// SPDX-License-Identifier: Apache-2.0
// How the cards of a section are set, and how high they stand: known before they are drawn.
import { rowHeight } from "../../cards/domains";
import type { Tile } from "./layout";

// Cards that are drawn and dropped together.
export interface Block {
  tiles: Tile[];
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

function heightOfRows(tiles: Tile[], columns: number): number {
  let height = -gap;
  for (let from = 0; from < tiles.length; from += columns) {
    height += gap + Math.max(...tiles.slice(from, from + columns).map((tile) => tile.height));
  }
  return height;
}

// In one column cards stand in their order. Side by side, the high ones stand together before the others, so that no row has holes.
export function blocksOf(tiles: Tile[], columns: number): Block[] {
  const parts =
    columns === 1 ? [tiles] : [tiles.filter(({ height }) => height > rowHeight), tiles.filter(({ height }) => height <= rowHeight)];
  const size = columns * Math.max(1, Math.round(atOnce / columns));
  const blocks: Block[] = [];
  for (const part of parts) {
    for (let from = 0; from < part.length; from += size) {
      const within = part.slice(from, from + size);
      blocks.push({ tiles: within, columns, height: heightOfRows(within, columns) });
    }
  }
  return blocks;
}

// In rem, with its head; a folded one is its head alone.
export function heightOfSection(tiles: Tile[], columns: number, folded: boolean, hasFloors: boolean): number {
  const above = head + (hasFloors ? floorName : 0);
  if (folded) return above;
  return blocksOf(tiles, columns).reduce((sum, { height }) => sum + height + gap, above - gap);
}
