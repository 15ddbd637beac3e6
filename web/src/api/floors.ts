// SPDX-License-Identifier: Apache-2.0
import type { Floor } from "./types";

// The order of floors: from the ground floor upwards, then what is below it, then what has no level.
export function byLevel(a: Floor, b: Floor): number {
  const place = ({ level }: Floor) => (level === null ? Infinity : level >= 0 ? level : 1_000_000 - level);
  const [first, second] = [place(a), place(b)];
  return first === second ? 0 : first - second;
}
