// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import { loadLanguage } from "../../../i18n/catalogue";
import { placedProblems, type Worded } from "./derived_problems";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: ["en"] });
vi.mock("../../../i18n/catalogue", async (original) => ({
  ...(await original<object>()),
  t: (key: string, { name }: { name?: string } = {}) => (key === "helpers.quoted" ? `“${name}”` : key),
}));

beforeAll(() => loadLanguage("en"));

const fields: Record<string, Worded> = {
  name: { label: "Name" },
  lower: { label: "On below" },
  upper: { label: "On above" },
  end: { label: "End" },
  mode: { label: "Mode", choices: { heat: "Heat", cool: "Cool", off: "Off" } },
  observations: {
    label: "Observations",
    rows: {
      fields: { above: { label: "Above" }, below: { label: "Below" }, prior: { label: "Probability" } },
      name: (at) => `Observation ${at + 1}`,
    },
  },
};
const placed = (message: string) => placedProblems(message, fields, (text) => text);

test("what is wrong with a field stands there, by the labels of all fields that it names", () => {
  expect(placed("upper: expected more than lower")).toEqual({ upper: "On above: expected more than “On below”" });
  expect(placed('mode: expected heat or off, found "cool"')).toEqual({ mode: "Mode: expected “Heat” or “Off”, found “Cool”" });
  expect(placed("upper: one\nupper: two\nlower: three")).toEqual({ upper: "On above: one", lower: "On below: three" });
});

test("what is wrong with several fields stands at the first", () => {
  expect(placed("expected lower, upper or both")).toEqual({ lower: "Expected “On below”, “On above” or both" });
});

test("of several of a kind it stands at the field of the one", () => {
  expect(placed("observations[1].prior: expected a number")).toEqual({ "observations[1].prior": "Probability: expected a number" });
  expect(placed("observations[0]: expected above, below or both")).toEqual({
    "observations[0].above": "Expected “Above”, “Below” or both",
  });
  expect(placed("observations[0]: below is missing")).toEqual({ "observations[0].below": "form.required" });
  expect(placed("observations[2]: is not good")).toEqual({ observations: "Observation 3: is not good" });
});

test("a template's own words and what is of no field are left as they are", () => {
  expect(placed("end: the template does not compile: unexpected end")).toEqual({
    end: "End: the template does not compile: unexpected end",
  });
  expect(placed("the disk is full")).toBeUndefined();
  expect(placed("constructor: is wrong")).toBeUndefined();
});
