// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { groupsOf } from "./missed_groups";

test("what one automation missed for one reason is one row, until something else was missed", () => {
  const missed = (entity_id: string, why: string, at: string) => ({ entity_id, why, at, trigger: "0" });
  const at = (second: number) => `2026-11-27T20:00:0${second}+00:00`;
  const list = [missed("automation.a", "down", at(5)), missed("automation.a", "down", at(4)), missed("automation.b", "down", at(3)), missed("automation.a", "dropped", at(2)), missed("automation.a", "down", at(1))];
  expect(groupsOf(list).map(({ entity_id, why, newest, oldest, count }) => [entity_id, why, newest, oldest, count])).toEqual([
    ["automation.a", "down", at(5), at(4), 2],
    ["automation.b", "down", at(3), at(3), 1],
    ["automation.a", "dropped", at(2), at(2), 1],
    ["automation.a", "down", at(1), at(1), 1],
  ]);
});

test("what automations missed one after the other is in the order of its times, of which the last counts", () => {
  const missed = (entity_id: string, at: string) => ({ entity_id, why: "down", at: `2026-11-27T${at}`, trigger: "0" });
  const list = [missed("automation.c", "21:30:00+00:00"), missed("automation.b", "20:00:00+00:00"), missed("automation.a", "23:00:00+01:00"), missed("automation.a", "18:00:00+00:00")];
  expect(groupsOf(list).map(({ entity_id }) => entity_id)).toEqual(["automation.a", "automation.c", "automation.b"]);
});
