// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { groupsOf } from "./missed_groups";

test("what one automation missed for one reason is one row, until it missed something for another", () => {
  const missed = (entity_id: string, why: string, at: string) => ({ entity_id, why, at, trigger: "0" });
  const list = [
    missed("automation.a", "down", "6"),
    missed("automation.b", "down", "5"),
    missed("automation.a", "down", "4"),
    missed("automation.b", "down", "3"),
    missed("automation.a", "dropped", "2"),
    missed("automation.a", "down", "1"),
  ];
  expect(groupsOf(list).map(({ entity_id, why, newest, oldest, count }) => [entity_id, why, newest, oldest, count])).toEqual([
    ["automation.a", "down", "6", "4", 2],
    ["automation.b", "down", "5", "3", 2],
    ["automation.a", "dropped", "2", "2", 1],
    ["automation.a", "down", "1", "1", 1],
  ]);
});
