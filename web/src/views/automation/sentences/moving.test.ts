// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { mayStand, withMove } from "./moving";

const item = { actions: [{ event: "a" }, { if: [], then: [{ event: "b" }] }, { event: "c" }] };

test("a row goes into a block behind it, which has moved up then", () => {
  const { item: after, path } = withMove(item, { from: ["actions", 0], list: ["actions", 1, "then"], index: 1 });
  expect(after).toEqual({ actions: [{ if: [], then: [{ event: "b" }, { event: "a" }] }, { event: "c" }] });
  expect(path).toEqual(["actions", 0, "then", 1]);
});

test("a row comes out of its block, and into a list that is not there yet", () => {
  expect(withMove(item, { from: ["actions", 1, "then", 0], list: ["actions"], index: 1 })).toEqual({
    item: { actions: [{ event: "a" }, { event: "b" }, { if: [], then: [] }, { event: "c" }] },
    path: ["actions", 1],
  });
  expect(withMove(item, { from: ["actions", 2], list: ["actions", 1, "else"], index: 0 }).item).toEqual({
    actions: [{ event: "a" }, { if: [], then: [{ event: "b" }], else: [{ event: "c" }] }],
  });
});

test("within its list it takes the place before a row", () => {
  expect(withMove(item, { from: ["actions", 0], list: ["actions"], index: 3 })).toMatchObject({ path: ["actions", 2] });
  expect(withMove(item, { from: ["actions", 2], list: ["actions"], index: 0 }).item.actions).toMatchObject([
    { event: "c" },
    { event: "a" },
    { if: [] },
  ]);
});

test("conditions stand among steps, but only those steps that are conditions among conditions", () => {
  expect(mayStand({ condition: "state" }, "conditions", "actions")).toBe(true);
  expect(mayStand({ condition: "state" }, "actions", "conditions")).toBe(true);
  expect(mayStand({ event: "a" }, "actions", "conditions")).toBe(false);
  expect(mayStand({ trigger: "sun" }, "triggers", "actions")).toBe(false);
});
