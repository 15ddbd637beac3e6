// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { lineChanges, shortened } from "./line_changes";

const written = (before: string, after: string) => lineChanges(before, after).map(({ how, text }) => `${{ same: " ", added: "+", removed: "-" }[how]}${text}`);

test("lines that came, went and stayed are told apart", () => {
  expect(written("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  expect(written("a\nb\nc\nd", "b\nc\ne\nd")).toEqual(["-a", " b", " c", "+e", " d"]);
  expect(written("a", "a")).toEqual([" a"]);
  expect(written("", "a")).toEqual(["-", "+a"]);
});

test("what is far from a change is left out", () => {
  const before = [..."abcdefghij"].join("\n");
  expect(shortened(lineChanges(before, before.replace("e", "E")), 1).map((line) => line?.text)).toEqual([undefined, "d", "e", "E", "f", undefined]);
  expect(shortened(lineChanges("a", "a"))).toEqual([undefined]);
});
