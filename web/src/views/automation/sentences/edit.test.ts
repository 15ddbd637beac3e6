// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { kindOf } from "./classify";
import { isThere } from "./classify";
import { placeOf, shiftOf } from "../../../elements/fields/drag";
import { at, inserted, keyOf, keyPart, moved, pathOf, pathText, withAt, type Config } from "./edit";
import { problemsOf, problemsOfList } from "./editing";
import { History } from "./history";
import { withPiece } from "./row_changes";

const item = { alias: "A", actions: [{ delay: 1, alias: "first" }, { choose: [{ conditions: [{ x: 1 }], sequence: [] }] }] };

test("a part is changed, and the rest is shared", () => {
  const path = ["actions", 1, "choose", 0, "conditions", 0, "x"];
  const after = withAt(item, path, 2) as typeof item;
  expect(at(after, path)).toBe(2);
  expect(at(item, path)).toBe(1);
  expect(after.actions[0]).toBe(item.actions[0]);
  expect(pathText(path)).toBe("actions[1].choose[0].conditions[0].x");
});

test("a value is removed, and what is empty without it", () => {
  expect(withAt({ action: "a", data: { x: 1 } }, ["data", "x"], undefined)).toEqual({ action: "a" });
  expect(withAt({ action: "a", data: { x: 1, y: 2 } }, ["data", "x"], undefined)).toEqual({ action: "a", data: { y: 2 } });
  expect(withAt([1, 2, 3], [1], undefined)).toEqual([1, 3]);
  expect(withAt({}, ["repeat", "count"], 3)).toEqual({ repeat: { count: 3 } });
});

test("keys of slots name places, in lists too", () => {
  expect(pathOf("choose.0.conditions")).toEqual(["choose", 0, "conditions"]);
  expect(pathOf("")).toEqual([]);
});

test("rows move and keep who they are while they change", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(inserted(["a", "b"], 1, "x")).toEqual(["a", "x", "b"]);
  const row: Config = { delay: 1 };
  const key = keyOf(row, 0);
  expect(keyOf(withAt(row, ["delay"], 2), 0)).toBe(key);
  expect(keyOf({ delay: 1 }, 0)).not.toBe(key);
  const written = withAt({ actions: [row] }, ["actions", 0], { scene: "x" });
  expect(keyOf(at(written, ["actions", 0]), 0)).toBe(key);
});

test("what is wrong is said at the innermost row", () => {
  const problems = [
    { path: "actions[1]", message: "whole" },
    { path: "actions[1].choose[0].conditions[0].entity_id", message: "inner" },
    { path: "actions[1].choose[0].sequence", message: "list" },
    { path: "actions[10].delay", message: "another" },
    { path: "actions", message: "all" },
  ];
  const choose = { choose: [{ conditions: [{ condition: "sun" }], sequence: [] }] };
  expect(problemsOf(problems, ["actions", 1], kindOf("actions", choose), choose)).toEqual([
    { path: "actions[1]", within: "", message: "whole" },
    { path: "actions[1].choose[0].sequence", within: "choose[0].sequence", message: "list" },
  ]);
  const inner = { condition: "sun" };
  expect(problemsOf(problems, ["actions", 1, "choose", 0, "conditions", 0], kindOf("conditions", inner), inner)).toEqual([
    { path: "actions[1].choose[0].conditions[0].entity_id", within: "entity_id", message: "inner" },
  ]);
  expect(problemsOfList(problems, ["actions"], 11)).toEqual([{ path: "actions", message: "all" }]);
});

test("a dragged row lands where its middle is, and the others stand aside", () => {
  const places = [0, 1, 2, 3].map((row) => ({ top: row * 60, bottom: row * 60 + 50 }));
  expect(placeOf(places, 0, 20)).toBe(0);
  expect(placeOf(places, 0, 150)).toBe(2);
  expect(placeOf(places, 3, -10)).toBe(0);
  expect(placeOf(places, 1, 900)).toBe(3);
  expect([0, 1, 2, 3].map((row) => shiftOf(places, 0, 2, row))).toEqual([0, -60, -60, 0]);
  expect([0, 1, 2, 3].map((row) => shiftOf(places, 3, 1, row))).toEqual([0, 60, 60, 0]);
});

test("what is typed is undone as a whole, and done again", () => {
  const history = new History<string>();
  history.note("", "alias", 0);
  history.note("a", "alias", 500);
  history.note("ab", "triggers", 900);
  expect(history.undo("abc")).toBe("ab");
  expect(history.undo("ab")).toBe("");
  expect(history.canUndo).toBe(false);
  expect(history.redo("")).toBe("ab");
  history.note("ab", "alias", 9000);
  expect(history.canRedo).toBe(false);
});

test("a part of a sentence comes with its beginning, and goes with its keys", () => {
  const config = { trigger: "state", entity_id: "light.a" };
  const kind = kindOf("triggers", config);
  const piece = kind?.pieces.find(({ slots }) => "for" in slots);
  if (!piece) throw new Error("There is no such piece.");
  const more = withPiece(config, piece, true);
  expect(more).toEqual({ ...config, for: { minutes: 5 } });
  expect(isThere(piece, more)).toBe(true);
  expect(withPiece(more, piece, false)).toEqual(config);
});

test("a name with a dot is one part of a slot's key", () => {
  expect(pathOf(`data.${keyPart("a.b\\c")}.0`)).toEqual(["data", "a.b\\c", 0]);
  expect(pathOf("")).toEqual([]);
});
