// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

vi.stubGlobal("window", globalThis);

import { sortKeyOf } from "../../elements/fields/finder";
import { arranged, favoritesOf, type Section, type Tile } from "./layout";

const tile = (id: string, rank = 0, height = 3.75): Tile => ({ id, rank, sortKey: id, height });
const room = (key: string, tiles: Tile[], floor?: string): Section => ({
  key,
  ...(floor && { floor }),
  isFirst: false,
  heading: key,
  icon: null,
  tiles,
  others: [],
});
const shown = (sections: Section[]) => sections.map(({ key, tiles }) => `${key}: ${tiles.map(({ id }) => id).join(" ")}`);

const home = [
  room("hall", [tile("light.hall"), tile("lock.door")], "Ground"),
  room("kitchen", [tile("light.kitchen"), tile("switch.kettle"), tile("sensor.fridge", 90)], "Ground"),
  room("bed", [tile("light.bed"), tile("climate.bed", 0, 10)], "Upper"),
];

test("a home that nobody has arranged stands as it is", () => {
  expect(shown(arranged(home, {}))).toEqual(shown(home));
  expect(arranged(home, {}).map(({ isFirst }) => isFirst)).toEqual([true, false, true]);
});

test("rooms and cards stand as they were arranged, and what is gone or named twice changes nothing", () => {
  const layout = {
    rooms: ["gone", "bed", "bed", "hall"],
    cards: { kitchen: ["sensor.fridge", "light.gone", "light.bed"], gone: ["light.hall"], toString: ["light.hall"] },
    hidden: ["lock.door", "light.gone"],
    wide: ["light.bed"],
  };
  const result = arranged(home, layout);
  expect(shown(result)).toEqual(["bed: light.bed climate.bed", "hall: light.hall", "kitchen: sensor.fridge light.kitchen switch.kettle"]);
  expect(result[0]?.tiles[0]?.isWide).toBe(true);
  expect(result[1]?.others.map(({ id }) => id)).toEqual(["lock.door"]); // the search finds it
  expect(result.map(({ isFirst }) => isFirst)).toEqual([true, true, false]);
});

test("a room that is hidden, or of which all is hidden, is left out", () => {
  expect(shown(arranged(home, { hiddenRooms: ["kitchen"], hidden: ["light.bed", "climate.bed"] }))).toEqual(["hall: light.hall lock.door"]);
});

test("without favourites one thing of each room is at hand, then a second one; nothing high, nothing that is only looked at", () => {
  expect(favoritesOf(home, {}, 2).map(({ id }) => id)).toEqual(["light.hall", "light.kitchen", "light.bed", "lock.door", "switch.kettle"]);
  const large = Array.from({ length: 40 }, (_, index) => room(`r${index}`, [tile(`light.l${index}`)]));
  for (const [columns, count] of [
    [1, 4],
    [2, 8],
    [3, 9],
    [5, 10],
    [7, 14],
  ] as const)
    expect(favoritesOf(large, {}, columns)).toHaveLength(count);
});

test("a device that has only an address for a name is at hand after those with names", () => {
  const address = { ...tile("light.l1"), sortKey: sortKeyOf("0x00158d0001A2B3C4") };
  const rooms = [room("hall", [address, tile("light.hall")]), room("bath", [{ ...address, id: "light.l2" }])];
  expect(favoritesOf(rooms, {}, 1).map(({ id }) => id)).toEqual(["light.hall", "light.l2", "light.l1"]);
});

test("favourites keep their order, and one that is gone or may not be seen is left out", () => {
  expect(favoritesOf(home, { favorites: ["climate.bed", "light.gone", "light.hall"] }, 1).map(({ id }) => id)).toEqual([
    "climate.bed",
    "light.hall",
  ]);
  expect(favoritesOf(home, { favorites: [] }, 1)).toEqual([]);
  // An entity that is hidden in its room may be a favourite.
  const layout = { favorites: ["lock.door"], hidden: ["lock.door"] };
  expect(favoritesOf(home, { ...layout, hiddenRooms: ["hall"] }, 1).map(({ id }) => id)).toEqual(["lock.door"]);
});
