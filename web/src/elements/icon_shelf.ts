// SPDX-License-Identifier: Apache-2.0
// The thousands of Material Design icons come in 1024 files of about 1 kB, each fetched when its first icon is shown.
// This tells the file of an icon; the build uses it, too. `key` is as in @mdi/js, without its prefix: "CoffeeMaker".
export const shelves = 1024;

export function shelfOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % shelves;
}

// `edition` stands for the content of all of them, so that a browser may keep each for good.
export function shelfPath(shelf: number, edition: string): string {
  return `assets/icons-${shelf}-${edition}.json`;
}
