// SPDX-License-Identifier: Apache-2.0
// The thousands of Material Design icons come in 1024 modules of about 1 kB, fetched when the first icon of it is shown. This says in
// which one an icon is; the build asks it, too. `key` is as in @mdi/js, without its prefix: "CoffeeMaker".
export const shelves = 1024;

export function shelfOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % shelves;
}
