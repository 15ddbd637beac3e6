// SPDX-License-Identifier: Apache-2.0
import type { Home } from "./home";
import type { Area, Floor } from "./types";

// The order of floors: from the ground floor upwards, then what is below it, then what has no level.
export function byLevel(a: Floor, b: Floor): number {
  const place = ({ level }: Floor) => (level === null ? Infinity : level >= 0 ? level : 1_000_000 - level);
  const [first, second] = [place(a), place(b)];
  return first === second ? 0 : first - second;
}

// Rooms as people walk through the home: floor by floor, each in their order in the settings; last those that are on no floor.
export function orderedAreas({ areas, floors }: Pick<Home, "areas" | "floors">): Area[] {
  const all = [...areas.values()];
  const levels = [...floors.values()].sort(byLevel);
  const rest = all.filter(({ floor_id }) => floor_id === null || !floors.has(floor_id));
  return [...levels.flatMap((floor) => all.filter(({ floor_id }) => floor_id === floor.floor_id)), ...rest];
}
