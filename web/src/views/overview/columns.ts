// SPDX-License-Identifier: Apache-2.0
// In which columns of the overview rooms stand. A room stands where the page is shortest; one that would stick out below the others is
// spread over the columns that are free beside them, and goes on below them over all, so that no screen is left empty beside it.
import { rowHeight } from "../../cards/domains";
import { floorName, flow, head, heightOfCards, heightOfSection } from "./flow";
import type { Tile } from "./layout";

// A part of a room that is in the same columns.
export interface Part {
  column: number;
  span: number;
  tiles: Tile[];
  // In rem.
  height: number;
}

export interface Room {
  tiles: Tile[];
  folded: boolean;
}

// The free space below a room, in rem.
export const below = 1.2;
// The name of a room above what goes on of it, in rem.
export const goesOn = 1.6;
// A room with more cards is spread, and so is one that would end further below the others, in rem; of many columns more would be empty.
const most = 20;
const slack = (columns: number) => (columns > 4 ? 14 : 20);
// Columns that differ by less are level, in rem.
const level = rowHeight;
// So few rows are not cut off.
const fewRows = 2;

class Columns {
  // How far down each is taken, in rem.
  private readonly ends: number[];

  constructor(private readonly count: number) {
    this.ends = Array.from({ length: count }, () => 0);
  }

  get mean(): number {
    return this.ends.reduce((sum, end) => sum + end, 0) / this.count;
  }

  get shortest(): number {
    return this.ends.indexOf(Math.min(...this.ends));
  }

  endOf(column: number): number {
    return this.ends[column] ?? Infinity;
  }

  // The columns around the shortest that are about level with it.
  free(): { from: number; to: number } {
    const lowest = this.shortest;
    const isFree = (column: number) => this.endOf(column) <= this.endOf(lowest) + level;
    let [from, to] = [lowest, lowest];
    while (from > 0 && isFree(from - 1)) from -= 1;
    while (to + 1 < this.count && isFree(to + 1)) to += 1;
    return { from, to };
  }

  topOf(from: number, to: number): number {
    return Math.max(...this.ends.slice(from, to + 1));
  }

  take(from: number, to: number, end: number): void {
    this.ends.fill(end, from, to + 1);
  }
}

// Over the free columns until one beside them ends, then over those, too.
function spread(columns: Columns, tiles: Tile[], above: number): Part[] {
  const parts: Part[] = [];
  for (let left = tiles; left.length > 0; ) {
    const { from, to } = columns.free();
    const beside = Math.min(from > 0 ? columns.endOf(from - 1) : Infinity, columns.endOf(to + 1));
    const span = Math.min(to - from + 1, left.length);
    const top = columns.topOf(from, to) + (parts.length === 0 ? above : goesOn);
    let count = flow(left, span, beside - top - below).places.length;
    if (left.length - count <= fewRows * span) count = left.length;
    if (count > 0) {
      const taken = left.slice(0, count);
      const height = heightOfCards(taken, span) + (parts.length === 0 ? above : goesOn);
      parts.push({ column: from, span, tiles: taken, height });
      columns.take(from, from + span - 1, columns.topOf(from, to) + height + below);
      left = left.slice(count);
    }
    if (left.length > 0) columns.take(from, to, beside);
  }
  return parts;
}

// The parts of each room, in the order of the rooms.
export function arrange(rooms: Room[], count: number, hasFloors: boolean): Part[][] {
  const columns = new Columns(count);
  const heights = rooms.map(({ tiles, folded }) => heightOfSection(tiles, 1, folded, hasFloors));
  let rest = heights.reduce((sum, height) => sum + height + below, 0);
  return rooms.map(({ tiles, folded }, index) => {
    const height = heights[index] ?? 0;
    const last = columns.mean + rest / count; // where all would end if they were level
    rest -= height + below;
    const column = columns.shortest;
    const end = columns.endOf(column) + height + below;
    if (count > 1 && !folded && (tiles.length > most || end > last + slack(count)))
      return spread(columns, tiles, head + (hasFloors ? floorName : 0));
    columns.take(column, column, end);
    return [{ column, span: 1, tiles, height }];
  });
}
