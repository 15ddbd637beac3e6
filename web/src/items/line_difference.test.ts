// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { lineDifference } from "./line_difference";

const signs = { same: " ", added: "+", removed: "-", gap: "…" };
const shown = (before: string, after: string) => lineDifference(before, after).map(({ kind, text }) => signs[kind] + text);

test("a line that changed stands between those that stayed", () => {
  expect(shown("a\nb\nc\n", "a\nB\nc\n")).toEqual([" a", "-b", "+B", " c"]);
});

test("what moved between is found", () => {
  expect(shown("a\nb\nc\n", "a\nx\nb\nc\n")).toEqual([" a", "+x", " b", " c"]);
  expect(shown("a\nx\nb\ny\n", "a\nb\ny\nz\n")).toEqual([" a", "-x", " b", " y", "+z"]);
});

test("what is far from a change is folded, a single line is not", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `l${index}`);
  const after = lines.map((line, index) => (index === 10 ? "new" : line));
  expect(shown(lines.join("\n"), after.join("\n"))).toEqual(["…7", " l7", " l8", " l9", "-l10", "+new", " l11", " l12", " l13", "…6"]);
  expect(shown("a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")).toEqual([" a", " b", " c", " d", "-e", "+E"]);
});

test("very long texts take each other's place", () => {
  const long = (mark: string) => Array.from({ length: 3000 }, (_, index) => `${mark}${index % 7}`).join("\n");
  expect(lineDifference(long("a"), long("b"))).toHaveLength(6000);
});
