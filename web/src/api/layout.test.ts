// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { inOrder, orderAfterMove, readLayout, toggled, withFavorite, withPart, writeLayout, type Layout } from "./layout";

const layout: Layout = {
  view: "list",
  favorites: ["light.a", "lock.b"],
  rooms: ["kitchen", ""],
  hiddenRooms: ["cellar"],
  cards: { kitchen: ["light.b", "light.a"], "": [] },
  hidden: ["sensor.x"],
  wide: ["camera.door"],
};

test("a layout is read as it was written", () => {
  expect(readLayout(JSON.parse(JSON.stringify(writeLayout(layout))))).toEqual({ layout, isForeign: false });
  expect(writeLayout({})).toBeNull();
  expect(readLayout(null)).toEqual({ layout: {}, isForeign: false });
});

test("what is no layout changes nothing, and what is wrong in one is left out", () => {
  for (const other of [1, "rooms", [], { favorites: ["light.a"] }, { version: 2, favorites: ["light.a"] }, { version: "1" }])
    expect(readLayout(other)).toEqual({ layout: {}, isForeign: true });
  const odd = {
    version: 1,
    view: "tree",
    favorites: ["light.a", 7, null, "light.a", { id: "light.b" }],
    rooms: "kitchen",
    hidden: { "light.a": true },
    cards: { kitchen: ["light.a", 1], hall: "all", __proto__: ["light.b"] },
    more: "than this version knows",
  };
  expect(readLayout(odd).layout).toEqual({ favorites: ["light.a"], cards: { kitchen: ["light.a"] } });
  expect(readLayout({ version: 1, cards: ["light.a"] }).layout).toEqual({});
});

test("what is named comes first, what is gone is passed over, and the rest follows in its order", () => {
  const ids = ["a", "b", "c", "d"];
  const of = (first: string[] | undefined) => inOrder(ids, first, (id) => id).join("");
  expect(of(undefined)).toBe("abcd");
  expect(of([])).toBe("abcd");
  expect(of(["c", "gone", "a", "c"])).toBe("cabd");
});

test("an order is kept no longer than it has to be", () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `light.l${index}`);
  const order = orderAfterMove(ids, 3, 0);
  expect(order).toEqual(["light.l3", "light.l0", "light.l1", "light.l2"]);
  const shown = inOrder(ids, order, (id) => id);
  expect(shown.slice(0, 5)).toEqual(["light.l3", "light.l0", "light.l1", "light.l2", "light.l4"]);
  // A second move keeps the first.
  const again = orderAfterMove(shown, 1, 2, order);
  expect(inOrder(ids, again, (id) => id).slice(0, 4)).toEqual(["light.l3", "light.l1", "light.l0", "light.l2"]);
});

test("any moves, one after the other, end where they should, whatever is hidden or gone", () => {
  let seed = 5;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (let round = 0; round < 200; round++) {
    const ids = Array.from({ length: 2 + random(8) }, (_, index) => `e${index}`);
    let order: string[] = ["gone"];
    const expected = [...ids];
    for (let move = 0; move < 6; move++) {
      const [from, to] = [random(ids.length), random(ids.length)];
      expected.splice(to, 0, ...expected.splice(from, 1));
      order = orderAfterMove(
        inOrder(ids, order, (id) => id),
        from,
        to,
        order,
      );
      expect(inOrder(ids, order, (id) => id)).toEqual(expected);
    }
    expect(order.at(-1)).toBe("gone");
  }
});

test("a thing is a favourite or none, beside those that were suggested until then", () => {
  expect(withFavorite({}, ["a", "b"], "c", true).favorites).toEqual(["a", "b", "c"]);
  expect(withFavorite({}, ["a", "b"], "a", true).favorites).toEqual(["a", "b"]);
  expect(withFavorite({}, ["a", "b"], "a", false).favorites).toEqual(["b"]);
  expect(withFavorite({ favorites: ["x"], wide: ["x"] }, ["a"], "x", false)).toEqual({ favorites: [], wide: ["x"] });
  expect(withFavorite({ favorites: [] }, ["a"], "c", true).favorites).toEqual(["c"]);
});

test("parts are set, taken away and toggled without touching the former layout", () => {
  expect(withPart(layout, "view", undefined)).not.toHaveProperty("view");
  expect(withPart({}, "wide", ["a"])).toEqual({ wide: ["a"] });
  expect(layout.view).toBe("list");
  expect(toggled(undefined, "a")).toEqual(["a"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});
