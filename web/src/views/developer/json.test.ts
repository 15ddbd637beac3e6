// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import { loadLanguage, loadWords, t } from "../../i18n/catalogue";
import { parseJson, parseJsonObject } from "./json";
import { TextError, type Reason } from "./text_error";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: [] });
beforeAll(async () => {
  await loadLanguage("en");
  await loadWords("administration");
});

function problem(text: string, parse: (text: string) => unknown = parseJson): TextError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TextError) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}

test("what is JSON is read", () => {
  for (const text of ['{"a": [1, -2.5e3, "\\u00e4", true, null]}', " 7 ", '""', "[]", '{"a":{}}']) {
    expect(parseJson(text), text).toEqual(JSON.parse(text));
  }
});

test.each([
  ['{"a": 1,}', 1, 9, "developer.json.name"],
  ["{a: 1}", 1, 2, "developer.json.name"],
  ['{"a" 1}', 1, 6, "developer.json.colon"],
  ['{"a": 1 "b"}', 1, 9, "developer.json.objectEnd"],
  ["[1 2]", 1, 4, "developer.json.arrayEnd"],
  ["['x']", 1, 2, "developer.json.singleQuote"],
  ['{\n  "a": yes\n}', 2, 8, "developer.json.value"],
  ["012", 1, 1, "developer.json.value"],
  ["[NaN]", 1, 2, "developer.json.value"],
  ['"abc', 1, 1, "developer.json.unclosed"],
  ['"a\\x"', 1, 3, "developer.json.escape"],
  ["{} {}", 1, 4, "developer.json.trailing"],
  ["", 1, 1, "developer.json.value"],
] as [string, number, number, Reason][])("%j says where and why it is not", (text, line, column, reason) => {
  expect(problem(text)).toMatchObject({ line, column });
  expect(problem(text).message).toContain(t(reason));
});

test("data is an object, and nothing is an empty one", () => {
  expect(parseJsonObject("  ")).toEqual({});
  expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ["[]", "1", "null", '"a"'])
    expect(problem(text, parseJsonObject).message, text).toContain(t("developer.json.notObject"));
});
