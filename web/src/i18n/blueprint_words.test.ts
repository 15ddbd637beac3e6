// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { spokenIn } from "./blueprint_words";

test("names, descriptions and labels have other words, values and keys do not", () => {
  const metadata = {
    name: "Light",
    author: "Light",
    input: {
      Light: { name: "Light", default: "Light", selector: { select: { options: [{ value: "Light", label: "Light" }, "Light"] } } },
      section: { name: "None", input: { inner: { description: "Light" } }, collapsed: true },
    },
  };
  expect(spokenIn(metadata, { Light: "Licht" })).toEqual({
    name: "Licht",
    author: "Light",
    input: {
      Light: { name: "Licht", default: "Light", selector: { select: { options: [{ value: "Light", label: "Licht" }, "Light"] } } },
      section: { name: "None", input: { inner: { description: "Licht" } }, collapsed: true },
    },
  });
});
