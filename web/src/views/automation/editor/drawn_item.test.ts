// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { allRows, drawnItem, hasRun, passesOf, recordsOf, wholeRun } from "./drawn_item";

const item = {
  trigger: { platform: "sun", event: "sunset" },
  condition: "{{ x }}",
  action: [
    { if: "{{ a }}", then: { event: "a" }, else: [{ event: "b" }] },
    { choose: { conditions: ["{{ c }}"], sequence: { delay: 1 } }, default: [{ stop: "" }] },
    { parallel: [{ sequence: [{ event: "c" }, { event: "d" }] }, { event: "e" }] },
    { repeat: { while: ["{{ r }}"], sequence: [{ delay: 1 }, { repeat: { count: 2, sequence: [{ event: "f" }] } }] } },
  ],
};

test("each row has the path that a trace has", () => {
  const { triggers, conditions, actions } = drawnItem(item);
  expect(triggers.rows.map(({ path }) => path)).toEqual(["trigger/0"]);
  expect(conditions.rows.map(({ path }) => path)).toEqual(["condition/0"]);
  expect([...allRows(actions)].map(({ path }) => path)).toEqual([
    "action/0",
    "action/0/if/0",
    "action/0/then/0",
    "action/0/else/0",
    "action/1",
    "action/1/choose/0/conditions/0",
    "action/1/choose/0/sequence/0",
    "action/1/default/0",
    "action/2",
    "action/2/parallel/0/sequence/0",
    "action/2/parallel/0/sequence/1",
    "action/2/parallel/1/sequence/0",
    "action/3",
    "action/3/repeat/sequence/while/0",
    "action/3/repeat/sequence/0",
    "action/3/repeat/sequence/1",
    "action/3/repeat/sequence/1/repeat/sequence/0",
  ]);
  expect(drawnItem({ sequence: [{ event: "a" }] }).actions.rows[0]?.path).toBe("sequence/0");
});

const at = (path: string, ...times: number[]) => ({
  [path]: times.map((time) => ({ path, timestamp: `2026-11-25T12:00:00.${String(time).padStart(3, "0")}+00:00` })),
});
const body = "action/3/repeat/sequence";

test("the passes of a loop begin with its condition, and those within it are of one pass", () => {
  const trace = {
    ...at(`${body}/while/0`, 1, 11, 21),
    ...at(`${body}/0`, 2, 12),
    ...at(`${body}/1`, 3, 13),
    ...at(`${body}/1/repeat/sequence/0`, 4, 5, 14, 15),
  };
  const passes = passesOf(trace, "action/3", wholeRun);
  expect(passes.length).toBe(2);
  expect(recordsOf(trace, `${body}/while/0`, passes[0]!).length).toBe(1);
  expect(recordsOf(trace, `${body}/while/0`, passes[1]!).length).toBe(2); // the last one ended it
  const inner = passesOf(trace, `${body}/1`, passes[1]!);
  expect(inner.map(({ from }) => from.slice(20, 23))).toEqual(["014", "015"]);
  expect(passesOf(trace, "action/9", wholeRun)).toEqual([]);
});

test("a list has run if a row of it has, within the span", () => {
  const trace = at(`${body}/0`, 2);
  expect(hasRun(trace, body, wholeRun)).toBe(true);
  expect(hasRun(trace, body, { from: "2026-11-25T12:00:00.003+00:00", to: undefined })).toBe(false);
  expect(hasRun(trace, "action/3/repeat/sequenc", wholeRun)).toBe(false);
});
