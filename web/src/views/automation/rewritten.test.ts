// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { rewritten } from "./rewritten";

const text = `# The hall.
alias: Hall # by the door
trigger:
  platform: state # old words
  entity_id: "light.hall"
actions:
  # first
  - event: one
  # second
  - event: two
    event_data: {code: !secret x}
`;

test("what stays keeps its comments, quotes and tags", () => {
  const item = { alias: "Hallway", triggers: [{ trigger: "state", entity_id: "light.hall" }], actions: [{ event: "two", event_data: { code: "x" } }, { event: "new" }] };
  const made = rewritten(text, item);
  expect(made).toContain("# The hall.\nalias: Hallway # by the door\n");
  expect(made).toContain("trigger: state # old words\n");
  expect(made).toContain('entity_id: "light.hall"');
  expect(made).toContain("code: !secret x");
  expect(made).not.toContain("event: one");
  expect(made.trimEnd().endsWith("- event: new")).toBe(true);
});

test("words that older YAML takes for true or false are quoted", () => {
  expect(rewritten("alias: a\n", { alias: "a", to: "on" })).toBe('alias: a\nto: "on"\n');
  expect(rewritten("- a\n", { alias: "a" })).toBe("alias: a\n");
});
