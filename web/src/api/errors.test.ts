// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import { loadLanguage } from "../i18n/catalogue";
import { errorText, RestError } from "./errors";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });
beforeAll(() => loadLanguage("en"));

test("an error of the hub itself is in its log, and what another machine did not do is in the hub's words", () => {
  expect(errorText(new RestError(500, "Internal error."))).toBe("The hub could not do it. Its log says why.");
  expect(errorText(new RestError(503, "cannot connect to 10.0.0.7:8123: Connection refused"))).toBe(
    "It did not work: cannot connect to 10.0.0.7:8123: Connection refused",
  );
  expect(errorText(new RestError(502, "cabin says: not now"))).toBe("It did not work: cabin says: not now");
});

test("a proxy's page is none of the hub's words", () => {
  for (const words of ["", "Bad Gateway", "Service Unavailable"])
    expect(errorText(new RestError(502, words))).toBe("The hub could not do it. Its log says why.");
});
