// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { objectIdOf } from "../api/automations";
import { isSameItem, ItemText, textOf } from "./item_text";

const words = { unread: (tag: string) => `no ${tag}`, expected: "keys and values" };

const text = `alias: Hall
triggers:
  - trigger: state
    platfrom: x
actions:
  - action: light.turn_on
  - choose:
      - conditions: "{{ 1 + }}"
        sequence: []
entities:
  light.hall: {statee: "on"}
  light: "off"
`;

function linesOf(message: string): [number | undefined, string, string][] {
  return new ItemText(text).refusals(message).map(({ line, from, to, message: said }) => [line, text.slice(from, to), said]);
}

test("what the hub refuses stands at its key", () => {
  expect(
    linesOf(".triggers[0].platfrom: unknown key, did you mean platform?\n.actions[1].choose[0].conditions[0]: does not compile: here"),
  ).toEqual([
    [4, "platfrom", "triggers[0].platfrom: unknown key, did you mean platform?"],
    [8, "conditions", "actions[1].choose[0].conditions[0]: does not compile: here"],
  ]);
});

test("what is missing stands at the innermost part that is there", () => {
  expect(linesOf(".triggers[0]: entity_id is missing\n.actions[0].target.area_id: unknown")).toEqual([
    [3, "trigger", "triggers[0]: entity_id is missing"],
    [6, "action", "actions[0].target.area_id: unknown"],
  ]);
});

test("keys may hold dots", () => {
  expect(linesOf(".entities.light.hall: state is missing\n.entities.light.hall.statee: unknown key\n.entities.light: what")).toEqual([
    [11, "light.hall", "entities.light.hall: state is missing"],
    [11, "statee", "entities.light.hall.statee: unknown key"],
    [12, "light", "entities.light: what"],
  ]);
});

test("a file and its line do not count, and what names no key stands at no line", () => {
  expect(linesOf("automations.yaml:23: triggers[0].platfrom: unknown key")).toEqual([[4, "platfrom", "triggers[0].platfrom: unknown key"]]);
  expect(linesOf("conditions is missing\nExpected a JSON object: the item.")).toEqual([
    [undefined, "", "conditions is missing"],
    [undefined, "", "Expected a JSON object: the item."],
  ]);
});

test("a text that is no YAML says where", () => {
  const problems = (written: string) => new ItemText(written).problems(words).map(({ line, message }) => [line, message]);
  expect(problems('alias: Hall\nmode: "single\n')[0]?.[0]).toBeGreaterThan(1);
  expect(problems("alias: a\nmode: single\nalias: b\n")).toEqual([[3, expect.stringContaining("unique")]]);
  expect(problems("alias: a\nmode: !secret mode\n")).toEqual([[2, "no !secret"]]);
  expect(problems("- alias: a\n")).toEqual([[1, "keys and values"]]);
  expect(problems("")).toEqual([[1, "keys and values"]]);
  expect(problems(text)).toEqual([]);
});

test("aliases that grow without end are refused", () => {
  const levels = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [name, of] of ["ba", "cb", "dc", "ed"]) levels.push(`${name}: &${name} [${Array(10).fill(`*${of}`).join(", ")}]`);
  expect(new ItemText(levels.join("\n")).problems(words)).toHaveLength(1);
});

test("an item becomes text and the same item again", () => {
  const item = { alias: "A: b", to: "on", from: true, at: "10:00:00", data: { n: 1.5, none: null, text: "a\nb\n" }, list: [] };
  expect(textOf(item)).toContain('to: "on"');
  expect(new ItemText(textOf(item)).item()).toEqual(item);
  expect(new ItemText("to: on\nat: 10:00:00").item()).toEqual({ to: "on", at: "10:00:00" });
});

test("the order of keys makes no other item, that of steps does", () => {
  expect(isSameItem({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toBe(true);
  expect(isSameItem({ b: [1, 2] }, { b: [2, 1] })).toBe(false);
});

test("a name becomes an object id", () => {
  expect(objectIdOf("Küche am Abend!")).toBe("kueche_am_abend");
  expect(objectIdOf(" Café – 2 ")).toBe("cafe_2");
  expect(objectIdOf("電気")).toBe("");
});

test("secrets are masked, and the text stays as it is", () => {
  const text = new ItemText("alias: A\ndata: {code: !secret door, other: secret}\n");
  expect(text.masked()).toEqual({ alias: "A", data: { code: "********", other: "secret" } });
  expect(text.item()).toEqual({ alias: "A", data: { code: "door", other: "secret" } });
});
