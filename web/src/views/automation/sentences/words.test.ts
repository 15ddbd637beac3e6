// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import { fits, kindOf, kindsOf, unknownKeys } from "./classify";
import type { Config } from "./edit";
import { statesOf, type Knowledge } from "./home_words";
import type { Section } from "./kinds";
import { missingIn } from "./missing";
import { modernItem } from "./modern";
import { sideOf, withSide } from "./slots/slots";
import { partsOf, piecesOf, sentenceText } from "./words";

const root = vi.hoisted(() => ({ lang: "en" }));
vi.stubGlobal("document", { documentElement: root });
vi.stubGlobal("navigator", { languages: ["en-GB"] });

const states: Record<string, Config> = {
  "binary_sensor.hall": { friendly_name: "Hall motion", device_class: "motion" },
  "light.hall": { friendly_name: "Hall light" },
  "sensor.outside": { friendly_name: "Outside", unit_of_measurement: "°C" },
  "select.washer": { friendly_name: "Washer", options: ["cotton", "wool"] },
  "person.ann": { friendly_name: "Ann" },
  "zone.work": { friendly_name: "Work" },
};
const entities = new Map(Object.entries(states).map(([entity_id, attributes]) => [entity_id, { entity_id, state: "on", attributes }]));

const know = {
  home: {
    entities,
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => String(states[id]?.friendly_name ?? id),
    kinds: new Map([
      ["binary_sensor", { domain: "binary_sensor", value: { selector: { select: { options: ["on", "off"] } } } }],
      ["select", { domain: "select", value: { selector: { text: {} }, from: { options: "options" } } }],
    ]),
    registry: new Map(),
    devices: new Map(),
    floors: new Map(),
    areas: new Map([["hall", { area_id: "hall", name: "Hall" }]]),
    configuration: { time_zone: "UTC", unit_system: {} },
  },
  services: {
    light: {
      turn_on: {
        name: "Turn on",
        description: "",
        target: {},
        fields: {
          brightness_pct: {
            name: "Brightness",
            description: "",
            example: 40,
            selector: { number: { min: 0, max: 100, unit_of_measurement: "%" } },
          },
        },
      },
    },
  },
  labels: [],
  triggers: [["0", "The sun sets"]],
} as unknown as Knowledge;

beforeAll(async () => {
  await loadLanguage("en");
  await loadWords("automations");
});

const cases: [Section, Config, string][] = [
  ["triggers", { trigger: "state", entity_id: "binary_sensor.hall", to: "on" }, "Hall motion changes to Detected"],
  [
    "triggers",
    { trigger: "state", entity_id: ["binary_sensor.hall", "light.hall"], to: ["on", "off"], for: "00:05:00" },
    "Hall motion or Hall light changes to Detected or Clear and stays so for 5 minutes",
  ],
  ["triggers", { trigger: "numeric_state", entity_id: "sensor.outside", above: 20.5 }, "The value of Outside goes above 20.5 °C"],
  [
    "triggers",
    { trigger: "numeric_state", entity_id: "sensor.outside", above: "sensor.inside", below: 30 },
    "The value of Outside goes between sensor.inside and 30 °C",
  ],
  ["triggers", { trigger: "numeric_state", entity_id: "sensor.outside", below: -3 }, "The value of Outside goes below -3 °C"],
  ["triggers", { trigger: "numeric_state", entity_id: "sensor.outside" }, "The value of Outside goes …"],
  ["conditions", { condition: "numeric_state", entity_id: "sensor.outside", below: 5 }, "The value of Outside is below 5 °C"],
  [
    "triggers",
    { trigger: "time", at: ["07:00:00", "input_datetime.alarm"], weekday: ["mon", "fri"] },
    "It is 07:00 or input_datetime.alarm on Monday and Friday",
  ],
  [
    "triggers",
    { trigger: "time", at: ["07:00", { entity_id: "input_datetime.alarm", offset: "-00:30:00" }] },
    "It is 07:00 or input_datetime.alarm – 30 minutes before",
  ],
  [
    "triggers",
    { trigger: "state", entity_id: "light.hall", skip_unavailable: true, gap: 300, variables: { a: 1 } },
    "Hall light changes to anything else and gaps of up to 5 minutes do not count with these variables: a = 1",
  ],
  [
    "triggers",
    { trigger: "persistent_notification", update_type: "removed", notification_id: "x" },
    "A notification of the hub changes called x – it is removed",
  ],
  ["triggers", { trigger: "sun", event: "sunset", offset: "-00:30:00" }, "The sun sets – 30 minutes before"],
  ["triggers", { trigger: "tag", tag_id: ["a", "b"] }, "The tag a or b is scanned"],
  ["triggers", { trigger: "event", event_type: ["a", "b"] }, "The event a or b happens"],
  ["triggers", { trigger: "conversation", command: ["lights on", "lights, please"] }, "Somebody says lights on or lights, please"],
  ["triggers", { trigger: "time_pattern", minutes: "/5" }, "The clock shows minutes: every 5"],
  ["conditions", { condition: "state", entity_id: "light.hall", state: "off", alias: "Dark" }, "Dark"],
  ["conditions", { condition: "time", after: "07:00", before: "22:30:15" }, "It is after 07:00 and before 22:30:15"],
  ["conditions", { condition: "time", after: "22:00", weekday: "fri" }, "It is after 22:00 on Friday, until midnight"],
  ["conditions", { condition: "sun", after: "sunset", before: "sunrise" }, "It is dark, from sunset to sunrise"],
  [
    "conditions",
    { condition: "sun", after: "sunset", before: "sunrise", after_offset: "-00:30:00" },
    "It is dark, from sunset (30 minutes before) to sunrise",
  ],
  ["conditions", { condition: "sun", after: "sunrise", before: "sunset" }, "It is light, from sunrise to sunset"],
  ["conditions", { condition: "sun", after: "sunset" }, "It is after the sunset, until midnight"],
  ["conditions", { condition: "sun", before: "sunrise" }, "It is before the sunrise, from midnight on"],
  ["conditions", { condition: "sun", after: "sunrise", before: "sunrise" }, "It is after the sunrise and before the sunrise"],
  ["conditions", { condition: "trigger", id: "0" }, "It was begun by The sun sets"],
  [
    "actions",
    { action: "light.turn_on", target: { entity_id: "light.hall", area_id: ["hall"] }, data: { brightness_pct: 40 } },
    "Turn on Hall light and Hall Brightness: 40%",
  ],
  ["actions", { delay: { minutes: 2 } }, "Wait for 2 minutes"],
  ["actions", { repeat: { count: 3, sequence: [] } }, "Repeat 3 times"],
  ["actions", { variables: { a: 1, b: [2] } }, "Set variables: a = 1, b = …"],
];

test.each(cases)("%s %j is said", (section, config, text) => {
  expect(sentenceText(know, section, config)).toBe(text);
});

const unsaid: [string, Section, unknown][] = [
  ["an unknown key", "triggers", { trigger: "state", entity_id: "light.a", odd: 1 }],
  ["an unknown key inside", "actions", { repeat: { count: 3, sequence: [], odd: 1 } }],
  ["an unknown kind", "triggers", { trigger: "geo_location" }],
  ["a text in place of a row", "conditions", "{{ x }}"],
  ["a time with an odd key", "triggers", { trigger: "time", at: { entity_id: "input_datetime.a", offset: 5, odd: 1 } }],
  ["a condition's time with an offset", "conditions", { condition: "time", after: { entity_id: "input_datetime.a", offset: 5 } }],
  ["a template as entity", "conditions", { condition: "state", entity_id: "{{ x }}", state: "on" }],
  ["a template that enables", "actions", { delay: 5, enabled: "{{ x }}" }],
  ["a target with an odd key", "actions", { choose: [{ conditions: [], sequence: [], odd: 1 }] }],
  ["a block that is none", "actions", { if: "{{ x }}", then: [] }],
];

test.each(unsaid)("%s stays YAML", (_, section, config) => {
  expect(kindOf(section, config)).toBeUndefined();
  expect(sentenceText(know, section, config)).toMatch(/^YAML: /);
});

test("each sentence can show what it begins with, and all that its menu adds", () => {
  for (const section of ["triggers", "conditions", "actions"] as const) {
    for (const kind of kindsOf[section]) {
      const begun = kind.begin();
      expect(kindOf(section, begun)?.name, JSON.stringify(begun)).toBe(kind.name);
      for (const piece of kind.pieces) {
        const config = { ...begun, ...piece.offer?.begin };
        expect(unknownKeys(kind, config), JSON.stringify(config)).toEqual([]);
        // After the sunset, and before the sunrise: that it is dark.
        expect(kindOf(section, config)?.name, JSON.stringify(config)).toBe(kind.name === "sun" && "before" in config ? "dark" : kind.name);
      }
    }
  }
});

test("above becomes below in its place, and back, and a second limit leaves the first", () => {
  const above = { trigger: "numeric_state", entity_id: "sensor.a", above: 5, for: 3 };
  const below = withSide(above, "below");
  expect(Object.entries(below)).toEqual([
    ["trigger", "numeric_state"],
    ["entity_id", "sensor.a"],
    ["below", 5],
    ["for", 3],
  ]);
  expect(withSide(below, "above")).toEqual(above);
  expect(withSide(below, "between")).toEqual({ ...below, above: null });
  expect(withSide(above, "between")).toEqual({ ...above, below: null });
  expect(withSide({ ...above, below: 9 }, "below")).toMatchObject({ below: 9 });
  expect(withSide({ trigger: "numeric_state" }, "below")).toEqual({ trigger: "numeric_state", below: null });
  expect([{}, above, below, { ...above, below: 9 }].map(sideOf)).toEqual([undefined, "above", "below", "between"]);
});

test("that it is dark holds over midnight", () => {
  const begun = (name: string) => kindsOf.conditions.find((kind) => kind.name === name)?.begin();
  expect(begun("dark")).toEqual({ condition: "sun", after: "sunset", before: "sunrise" });
  expect(begun("light")).toEqual({ condition: "sun", after: "sunrise", before: "sunset" });
});

test("each slot of a sentence is named by its words", () => {
  for (const section of ["triggers", "conditions", "actions"] as const) {
    for (const kind of kindsOf[section]) {
      for (const piece of kind.pieces) {
        const parts = partsOf(piece, {});
        expect(parts.filter((part) => typeof part !== "string").length).toBe(Object.keys(piece.slots).length);
        expect(
          parts.filter((part) => typeof part === "string" && part.includes("{")),
          piece.text({}),
        ).toEqual([]);
        for (const name of Object.keys(piece.slots)) expect(piece.text({}), kind.name).toContain(`{${name}}`);
      }
    }
  }
});

test("triggers begin looking through gaps", () => {
  const steady = kindsOf.triggers.filter(({ name }) => ["state", "numeric_state", "template"].includes(name));
  expect(steady.map((kind) => kind.begin().skip_unavailable)).toEqual([true, true, true]);
});

test("an item of the older spelling is said, too", () => {
  const { triggers } = modernItem({ trigger: { platform: "sun", event: "sunset" } });
  expect(sentenceText(know, "triggers", (triggers as unknown[])[0])).toBe("The sun sets");
});

test("states are those of the kind, of the entity, and zones of persons", () => {
  expect(statesOf(know.home, ["binary_sensor.hall"])).toEqual(["on", "off", "unavailable", "unknown"]);
  expect(statesOf(know.home, ["select.washer"])).toEqual(["cotton", "wool", "unavailable", "unknown"]);
  expect(statesOf(know.home, ["person.ann"])).toContain("Work");
  expect(statesOf(know.home, ["sensor.outside"])).toEqual([]);
});

test("a call has a line for each field that it is given or may have", () => {
  const call = kindsOf.actions.find(({ name }) => name === "action");
  if (!call) throw new Error("There is no such kind.");
  const slots = (config: Config) =>
    piecesOf(know, call, config).flatMap((piece) => Object.values(piece.slots).map(({ key, type }) => `${key} ${type}`));
  expect(slots({ action: "light.turn_on", target: {}, data: { brightness_pct: 5, odd: [1] } })).toEqual([
    "action call",
    "target target",
    "data.brightness_pct number",
    "data.odd yaml",
    "response_variable text",
  ]);
  expect(slots({ action: "light.turn_on", target: "{{ x }}", data: "{{ y }}" })).toEqual([
    "action call",
    "target template",
    "data template",
    "response_variable text",
  ]);
  expect(slots({ action: "a.b", data: { "a.b": 1 } })).toEqual(["action call", "data.a\\.b text", "response_variable text"]);
  expect(slots({ action: "a.b", data: { brightness_pct: "{{ 5 }}" } })).toEqual([
    "action call",
    "data.brightness_pct text",
    "response_variable text",
  ]);
});

test("a slot takes the values that it can show", () => {
  const label = () => "";
  expect(fits({ key: "a", type: "limit", label }, "sensor.b")).toBe(true);
  expect(fits({ key: "a", type: "limit", label }, "{{ 5 }}")).toBe(false);
  expect(fits({ key: "a", type: "pattern", label }, "/15")).toBe(true);
  expect(fits({ key: "a", type: "pattern", label }, "5-10")).toBe(false);
  expect(fits({ key: "a", type: "weekday", label }, ["mon", "someday"])).toBe(false);
});

test("a row says what it names and the home does not have", () => {
  const missing = (section: Section, config: Config) => {
    const kind = kindOf(section, config);
    const slots = kind ? piecesOf(know, kind, config).flatMap((piece) => Object.values(piece.slots)) : [];
    return missingIn(know, slots, config);
  };
  expect(
    missing("actions", { action: "light.turn_onn", target: { entity_id: ["light.hall", "light.does_not_exist"], area_id: "nowhere" } }),
  ).toEqual(["There is no service light.turn_onn now.", "There is no light.does_not_exist now.", "There is no room nowhere now."]);
  expect(missing("actions", { action: "light.turn_on", target: { entity_id: "light.hall", area_id: "hall" } })).toEqual([]);
  expect(missing("actions", { action: "{{ x }}", target: { entity_id: "all" } })).toEqual([]);
  expect(missing("actions", { action: "nothing.at_all" })).toEqual(["There is no service nothing.at_all now."]);
  expect(missing("triggers", { trigger: "state", entity_id: ["light.gone"] })).toEqual(["There is no light.gone now."]);
  expect(missing("triggers", { trigger: "numeric_state", entity_id: "sensor.outside", above: "sensor.gone" })).toEqual([
    "There is no sensor.gone now.",
  ]);
  expect(missing("triggers", { trigger: "time", at: ["07:00", { entity_id: "input_datetime.gone", offset: 5 }] })).toEqual([
    "There is no input_datetime.gone now.",
  ]);
  expect(missing("conditions", { condition: "zone", entity_id: "person.ann", zone: "zone.moon" })).toEqual(["There is no zone.moon now."]);
});
