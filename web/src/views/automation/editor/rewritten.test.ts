// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { parse } from "yaml";

import type { Item } from "../../../api/automations";
import { withAt, type Path } from "../sentences/edit";
import { modernItem } from "../sentences/modern";
import { rewritten } from "./rewritten";

const text = `# The hall.
id: hall
alias: Hall   # by the door
trigger: # one
  platform: state # old words
  entity_id: 'light.hall'
condition: "{{ true }}"   # short
actions:
  # first
  - event: one  # of two
  # second
  - event: two
    event_data: {code: !secret x}

  # a choice
  - choose:
      conditions: [ "{{ false }}" ]   # never
      sequence:
      - &wait
        delay: 00:00:05 # five
      # again
      - *wait
    default:
    - if: "{{ true }}"
      then:
        service: light.turn_on   # single
        data: { transition: 1.50 }
  # night
  - or:
    - condition: sun
      after: sunset   # dark
    - "{{ true }}"  # bare
mode: single   # for now
`;

const { id: _, ...before } = parse(text, { logLevel: "silent" }) as Item;
const item = modernItem(before);

function changed(...changes: [path: Path, value: unknown][]): string | undefined {
  return rewritten(
    text,
    before,
    changes.reduce((made, [path, value]) => withAt(made, path, value) as Item, item),
  );
}

test.each<[Path, unknown, string, string]>([
  [["alias"], "Hallway", "alias: Hall   #", "alias: Hallway   #"],
  [["triggers", 0, "entity_id"], "light.kitchen", "'light.hall'", "'light.kitchen'"],
  [["triggers", 0, "to"], "on", "'light.hall'\n", "'light.hall'\n  to: \"on\"\n"],
  [["actions", 0, "event"], "1", "event: one  #", 'event: "1"  #'],
  [["actions", 0, "event_data"], { a: 1 }, "of two\n", "of two\n    event_data:\n      a: 1\n"],
  [["actions", 2, "default", 0, "then", 0, "data", "transition"], 2, "{ transition: 1.50 }", "{ transition: 2 }"],
  [["actions", 2, "default", 0, "then", 0, "action"], "light.toggle", "service: light.turn_on ", "service: light.toggle "],
  [
    ["conditions", 0, "value_template"],
    "{{ false }}",
    'condition: "{{ true }}"   # short\n',
    'condition:\n  - condition: template\n    value_template: "{{ false }}"\n',
  ],
  [["triggers", 0, "entity_id"], ["light.a", "light.b"], "'light.hall'", "[ light.a, light.b ]"],
  [["actions", 3, "conditions", 0, "after"], "sunrise", "after: sunset   #", "after: sunrise   #"],
  [["mode"], undefined, "mode: single   # for now\n", ""],
  [["actions", 2, "default"], undefined, text.slice(text.indexOf("    default:"), text.indexOf("  # night")), ""],
])("a change at %j is all that changes", (path, value, from, to) => {
  expect(changed([path, value])).toBe(text.replace(from, to));
});

test("rows come, go and move with their comments", () => {
  const [one, two, choice, night] = item.actions as Item[];
  const first = "  # first\n  - event: one  # of two\n";
  const inner = "- event: one  # of two\n";
  const second = "  # second\n  - event: two\n    event_data: {code: !secret x}\n";
  expect(changed([["actions"], [one, two, choice, night, { delay: 1 }]])).toBe(text.replace("mode:", "  - delay: 1\nmode:"));
  expect(changed([["actions"], [two, choice, night]])).toBe(text.replace(`  ${inner}${second}`, second));
  expect(changed([["actions"], [two, one, choice, night]])).toBe(text.replace(`  ${inner}${second}`, `${second}  ${inner}`));
  expect(changed([["actions"], [{ stop: "x" }, one, two, choice, night]])).toBe(text.replace(first, `  # first\n  - stop: x\n  ${inner}`));
  expect(changed([["actions"], [one, { ...two, event: "three" }, choice, night]])).toBe(text.replace("event: two", "event: three"));
  const off = [{ trigger: "sun", event: "sunset" }];
  expect(changed([["triggers"], [...(item.triggers as Item[]), ...off]])).toContain(
    "trigger:\n  - trigger: state\n    entity_id: light.hall\n  - trigger: sun\n    event: sunset\n",
  );
});

test("what stands behind an anchor that others name is not changed", () => {
  expect(changed([["actions", 2, "choose", 0, "sequence", 0, "delay"], 7])).toBeUndefined();
  expect(changed([["actions", 2, "choose", 0, "sequence", 1, "delay"], 7])).toBe(text.replace("- *wait\n", "- delay: 7\n"));
});

test("nothing changes where nothing has", () => {
  expect(changed()).toBe(text);
  expect(rewritten("alias: a", { alias: "a" }, { alias: "a", mode: "single" })).toBe("alias: a\nmode: single\n");
  expect(rewritten("- a\n", {}, { alias: "a" })).toBeUndefined();
});

test("parallel steps that are bare lists stay so, with their comments", () => {
  const lists = "actions:\n- parallel:\n  # left\n  - - event: a # one\n    - delay: 1\n  - - event: b # two\n";
  const was = parse(lists) as Item;
  const change = (path: Path, value: unknown) => rewritten(lists, was, withAt(modernItem(was), path, value) as Item);
  expect(change(["alias"], "x")).toBe(`${lists}alias: x\n`);
  expect(change(["actions", 0, "parallel", 0, "sequence", 1, "delay"], 2)).toBe(lists.replace("delay: 1", "delay: 2"));
  expect(change(["actions", 0, "parallel", 1, "sequence", 1], { delay: 3 })).toBe(`${lists}    - delay: 3\n`);
  expect(change(["actions", 0, "parallel", 1], undefined)).toBe(lists.replace("  - - event: b # two\n", ""));
});
