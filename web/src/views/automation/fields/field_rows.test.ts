// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { fieldOf, freeKey, isKey, isUsed, kinds, rowOf, selectorOf, withKind, withOption, type FieldRow } from "./field_rows";

const begun = rowOf({}) as FieldRow;

test.each(kinds)("a field of the kind %s is written and read again as the same row", (kind) => {
  const row = { ...withKind(begun, kind), name: "Name", required: true };
  expect(rowOf(fieldOf(row, undefined))).toEqual(row);
});

test.each<[string, unknown]>([
  ["null", null],
  ["a name alone", { name: "Who" }],
  ["a number", { name: "Level", default: 40, selector: { number: { min: 1, max: 100, step: 5, unit_of_measurement: "%", mode: "box" } } }],
  ["a long text", { description: "What", example: "Good night", selector: { text: { multiline: true } } }],
  ["a choice", { required: true, selector: { select: { options: ["a", "b"], multiple: true } } }],
  ["a light", { selector: { entity: { domain: "light", multiple: true } } }],
  ["a selector without options", { selector: { boolean: null } }],
])("%s is a row", (_, field) => {
  expect(rowOf(field)).toBeDefined();
});

test.each<[string, unknown]>([
  ["a text", "text"],
  ["a list", []],
  ["an unknown key", { name: "Who", advanced: true }],
  ["a section of fields", { name: "More", fields: { a: {} } }],
  ["a name that is no text", { name: 5 }],
  ["required by a template", { required: "{{ true }}" }],
  ["an unknown selector", { selector: { qr_code: {} } }],
  ["two selectors", { selector: { text: {}, number: {} } }],
  ["an option that no row has", { selector: { entity: { filter: { domain: "light" } } } }],
  ["options with labels", { selector: { select: { options: [{ value: "a", label: "A" }] } } }],
  ["several domains", { selector: { entity: { domain: ["light", "switch"] } } }],
  ["options that are none", { selector: { number: 5 } }],
  ["a limit that is no number", { selector: { number: { min: "{{ 1 }}" } } }],
])("%s stays YAML", (_, field) => {
  expect(rowOf(field)).toBeUndefined();
});

test("a change keeps what is not shown, and the order of the keys", () => {
  const field = { selector: { number: { mode: "box", min: 1 } }, example: 7, name: "Level", default: 3 };
  const row = rowOf(field) as FieldRow;
  expect(JSON.stringify(fieldOf(row, field))).toBe(JSON.stringify(field));
  expect(JSON.stringify(fieldOf(withOption({ ...row, name: "" }, "max", 9), field))).toBe(
    JSON.stringify({ selector: { number: { mode: "box", min: 1, max: 9 } }, example: 7, default: 3 }),
  );
  expect(fieldOf({ ...begun, name: "Who" }, null)).toEqual({ name: "Who" });
});

test("another kind has neither the options nor the default of the former", () => {
  const row = rowOf({ default: 3, selector: { number: { min: 1 } } }) as FieldRow;
  expect(fieldOf(withKind(row, "boolean"), undefined)).toEqual({ selector: { boolean: {} } });
  const many = rowOf({ selector: { entity: { multiple: true } } }) as FieldRow;
  expect(selectorOf(withKind(many, "area"))).toEqual({ area: { multiple: true } });
  expect(selectorOf(withKind(many, "time"))).toEqual({ time: {} });
});

test("a variable is made of the name, and is another one's never", () => {
  expect(freeKey([], "Größe 2")).toBe("groesse_2");
  expect(freeKey([["light", {}]], "Light")).toBe("light_2");
  expect(freeKey([], "…")).toBe("field");
  expect(freeKey([], "2 lamps")).toBe("_2_lamps");
  expect(["a", "_1", "A_b"].every(isKey)).toBe(true);
  expect(["", "1", "a b", "ä"].some(isKey)).toBe(false);
});

test("a variable is used where a step says it as a whole word", () => {
  const item = { fields: { level: {} }, sequence: [{ data: { brightness: "{{ level | int }}" } }] };
  expect(isUsed(item, "level")).toBe(true);
  expect(isUsed(item, "lev")).toBe(false);
  expect(isUsed({ fields: { level: { name: "level" } }, sequence: [] }, "level")).toBe(false);
});
