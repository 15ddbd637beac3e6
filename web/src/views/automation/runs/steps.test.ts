// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import type { Home } from "../../../api/home";
import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import { compared, holds } from "./step_facts";
import { partAt, stepsOf, valueText } from "./steps";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });

beforeAll(async () => {
  await loadLanguage("en");
  await loadWords("automations");
});

const config = {
  triggers: [{ trigger: "state", entity_id: "switch.pump" }],
  condition: "{{ x }}",
  actions: [
    { variables: { x: 1 } },
    { choose: [{ conditions: "{{ x == 1 }}", sequence: [{ alias: "Wait", delay: 1 }] }] },
    { parallel: [{ sequence: [{ event: "a" }] }, { action: "light.turn_on" }] },
  ],
};

test("steps are in the order in which they began", () => {
  const at = (path: string, second: number) => ({ path, timestamp: `2026-11-25T12:00:0${second}+00:00` });
  const trace = {
    "trigger/0": [at("trigger/0", 0)],
    "action/0": [at("action/0", 1), at("action/0", 4)],
    "action/1/choose/0/sequence/0": [at("action/1/choose/0/sequence/0", 2)],
  };
  expect(stepsOf({ trace, config }).map(({ title, depth, part, timestamp }) => [title, depth, part, timestamp.slice(18, 19)])).toEqual([
    ["state", 0, "trigger", "0"],
    ["variables", 0, "action", "1"],
    ["Wait", 2, "action", "2"],
    ["variables", 0, "action", "4"],
  ]);
});

test("a step that checks something is a condition, wherever it stands", () => {
  const trace = {
    "action/0": [{ path: "action/0", timestamp: "2026", result: { result: false } }],
    "action/1": [{ path: "action/1", timestamp: "2026", result: { delay: 1 } }],
  };
  expect(stepsOf({ trace, config }).map(({ part }) => part)).toEqual(["condition", "action"]);
});

test("a path leads to its part, in short forms too", () => {
  expect(partAt(config, "condition/0")).toBe("{{ x }}");
  expect(partAt(config, "action/1/choose/0/conditions/0")).toBe("{{ x == 1 }}");
  expect(partAt(config, "action/2/parallel/0/sequence/0")).toEqual({ event: "a" });
  expect(partAt(config, "action/9/choose/0")).toBeUndefined();
  expect(partAt(null, "action/0")).toBeUndefined();
});

test("values are texts, short ones on one line", () => {
  expect(valueText("a")).toBe("a");
  expect(valueText({ a: 1 })).toBe('{"a":1}');
  expect(valueText(undefined)).toBe("");
  expect(valueText({ a: "x".repeat(200) })).toContain("\n");
});

test("a condition of the sun or the time says what was compared", () => {
  const home = { configuration: { time_zone: "Europe/Berlin" }, nameOf: () => "Alarm" } as unknown as Home;
  const step = {
    timestamp: "2026-11-28T12:46:20+00:00",
    result: { result: false, wanted_time_after: "2026-11-28T14:56:10+00:00", wanted_time_before: null },
  };
  expect(holds(step)).toBe(false);
  expect(compared(home, step, { after: "sunset", before: "sunrise" })).toBe("now 13:46, sunset 15:56, sunrise not today");
  expect(compared(home, step, { after: "sunset", after_offset: "00:30:00", before: "sunrise" })).toContain(
    "sunset 15:56 (30 minutes after)",
  );
  expect(
    compared(
      home,
      { ...step, result: { result: true, wanted_time_after: "07:30:00", wanted_time_before: "22:00:15" } },
      { after: "input_datetime.alarm", before: "22:00:15" },
    ),
  ).toBe("now 13:46, Alarm 07:30, 22:00:15");
  expect(compared(home, { ...step, result: { result: true } }, { condition: "state" })).toBe("");
  expect(holds({ result: { result: true, limit: 5 } })).toBeUndefined();
});
