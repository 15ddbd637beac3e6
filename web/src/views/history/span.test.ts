// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { limitsOf, parametersOf, spanOf } from "./span";

const of = (query: string) => spanOf(new URLSearchParams(query));

test("the address names a length, or two times, or what is usual", () => {
  expect(of("span=7d")).toEqual({ length: "7d" });
  expect(of("from=2026-11-24T10:00:00Z&to=2026-11-24T12:00:00Z")).toEqual({ from: 1795514400, to: 1795521600 });
  for (const query of ["", "span=2w", "span=constructor", "from=2026-11-24T12:00:00Z&to=2026-11-24T10:00:00Z", "from=soon&to=later"]) {
    expect(of(query), query).toEqual({ length: "24h" });
  }
  for (const query of ["span=1y", "from=2026-11-24T10:00:00.000Z&to=2026-11-24T12:00:00.000Z"]) {
    const parameters = Object.entries(parametersOf(of(query))).filter(([, value]) => value !== undefined);
    expect(new URLSearchParams(parameters as [string, string][]).toString()).toBe(new URLSearchParams(query).toString());
  }
  expect(limitsOf({ length: "1h" }, 10_000)).toEqual({ start: 6400, end: 10_000 });
});
