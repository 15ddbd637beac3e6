// SPDX-License-Identifier: Apache-2.0
// Triggers and conditions by purpose: each row of their table is a sentence that can be edited.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { parse, stringify } from "yaml";

import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import { isThere, kindOf } from "./classify";
import { pathOf, withAt, type Config } from "./edit";
import type { Knowledge } from "./home_words";
import type { Section } from "./kinds";
import { missingIn } from "./missing";
import { modernItem } from "./modern";
import { purposeKindOf, purposeKinds, withPurpose } from "./purpose_pieces";
import { findPurpose, purposes, type Purpose } from "./purpose_table";
import { withPiece } from "./row_changes";
import { openSlots } from "./slots/open_slots";
import { withEntities, withType } from "./threshold";
import { partsOf, piecesOf, sentenceText } from "./words";

const root = vi.hoisted(() => ({ lang: "en" }));
vi.stubGlobal("document", { documentElement: root });
vi.stubGlobal("navigator", { languages: ["en-GB", "de-DE"] });

const states: Record<string, Config> = {
  "light.hall": { friendly_name: "Hall light" },
  "light.bed": { friendly_name: "Bed light" },
  "climate.living": { friendly_name: "Living room", hvac_modes: ["heat", "off"] },
  "sensor.outside": { friendly_name: "Outside", device_class: "temperature", unit_of_measurement: "°C" },
  "input_number.limit": { friendly_name: "Limit" },
  "zone.work": { friendly_name: "Work" },
  "person.ann": { friendly_name: "Ann" },
};
const entities = new Map(Object.entries(states).map(([entity_id, attributes]) => [entity_id, { entity_id, state: "on", attributes }]));
const know = {
  home: {
    entities,
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => String(states[id]?.friendly_name ?? id),
    kinds: new Map(),
    registry: new Map(),
    devices: new Map(),
    floors: new Map([["attic", { floor_id: "attic", name: "Attic" }]]),
    areas: new Map([
      ["kitchen", { area_id: "kitchen", name: "Kitchen" }],
      ["hall", { area_id: "hall", name: "Hall" }],
    ]),
    configuration: { time_zone: "UTC", unit_system: { temperature: "°C" } },
  },
  services: {},
  labels: [{ label_id: "down", name: "Downstairs" }],
  triggers: [],
} as unknown as Knowledge;

async function speak(language: string): Promise<void> {
  await loadLanguage(language);
  await loadWords("automations");
}

beforeAll(() => speak("en"));

const keyOf = ({ section }: Purpose) => (section === "triggers" ? "trigger" : "condition");

// As people write one, with all that it may have.
function written(purpose: Purpose, target: Config = { area_id: "kitchen", exclude: { entity_id: "light.hall" } }): Config {
  const { about, number, option, lasts, isSunTime, section } = purpose;
  const options: Config = {
    ...(number && { threshold: { type: "between", value_min: { number: 5 }, value_max: { entity: "input_number.limit" } } }),
    ...(option !== undefined && { [option]: option === "zone" ? "zone.work" : ["heat", "off"] }),
    ...(isSunTime && { offset: "00:10:00", offset_type: "before" }),
    ...(lasts && about !== "sun" && { behavior: section === "triggers" ? "first" : "all" }),
    ...(lasts && { for: { minutes: 2 } }),
  };
  return {
    [keyOf(purpose)]: purpose.name,
    ...(about === "target" && { target }),
    ...(Object.keys(options).length > 0 && { options }),
    alias: "",
  };
}

test.each(["en", "de"])("each row of the table is a sentence in %s, and no two that are offered are called the same", async (language) => {
  await speak(language);
  expect(purposes.length).toBeGreaterThan(330);
  for (const purpose of purposes) {
    const config = written(purpose);
    const kind = kindOf(purpose.section, config);
    expect(kind?.name, purpose.name).toBe("purpose");
    const text = sentenceText(know, purpose.section, config);
    expect(text, purpose.name).not.toMatch(/purpose\.|[{}…]|YAML|undefined|\s[,.]|^[a-zäöü]/);
    if (purpose.about === "target") expect(text).toContain(language === "de" ? "außer für Hall light" : "except for Hall light");
    if (purpose.lasts) expect(text).toMatch(/2 (minutes|Minuten)/);
    if (purpose.number) expect(text).toMatch(/ 5.*Limit/);
    for (const piece of piecesOf(know, kind!, config))
      expect(partsOf(piece, config).filter((part) => typeof part !== "string")).toHaveLength(Object.keys(piece.slots).length);
  }
  for (const section of ["triggers", "conditions"] as const) {
    const names = purposeKinds(section).map(({ title }) => title());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => /purpose\./.test(name))).toEqual([]);
  }
  await speak("en");
});

test("each piece of each row comes and goes without a trace, and what is edited stays a sentence and keeps all keys", () => {
  for (const purpose of purposes) {
    const text = stringify({
      ...written(purpose),
      enabled: false,
      ...(purpose.section === "triggers" && { id: "mine", variables: { a: 1 } }),
    });
    const config = parse(text) as Config;
    const kind = kindOf(purpose.section, config)!;
    for (const piece of piecesOf(know, kind, config).filter(({ offer }) => offer)) {
      const without = withPiece(config, piece, false);
      expect(isThere(piece, without), `${purpose.name}: ${piece.offer!.label()}`).toBe(false);
      const again = withPiece(without, piece, true);
      expect(isThere(piece, again), `${purpose.name}: ${piece.offer!.label()}`).toBe(true);
      for (const one of [without, again])
        expect(kindOf(purpose.section, one) === kind, `${purpose.name}: ${piece.offer!.label()}`).toBe(true);
      for (const slot of Object.values(piece.slots)) {
        const edited = withAt(without, pathOf(slot.key), slot.type === "duration" ? { seconds: 9 } : (slot.options?.[0]?.value ?? {}));
        expect(kindOf(purpose.section, edited) === kind, `${purpose.name}: ${slot.key}`).toBe(true);
        expect(Object.keys(without).filter((key) => !(key in (edited as Config)))).toEqual([]);
      }
    }
    expect(stringify(config)).toBe(text);
  }
});

test("each row begins as a sentence to which nothing is unknown", () => {
  for (const section of ["triggers", "conditions", "actions"] as const) {
    for (const kind of purposeKinds(section)) expect(kindOf(section, kind.begin()), kind.title()).toBe(kind);
  }
});

const temperature = { type: "above", value: { number: 77, unit_of_measurement: "°F" } };
const cases: [Section, Config, string, string][] = [
  [
    "triggers",
    { trigger: "light.turned_on", target: { area_id: "kitchen" } },
    "A light in Kitchen turns on",
    "Ein Licht in Kitchen geht an",
  ],
  [
    "triggers",
    { trigger: "light.turned_on", target: { area_id: ["kitchen", "hall"], floor_id: "attic" } },
    "A light in Kitchen, Hall, or Attic turns on",
    "Ein Licht in Kitchen, Hall oder Attic geht an",
  ],
  [
    "triggers",
    { trigger: "light.turned_off", target: { entity_id: ["light.hall", "light.bed"] } },
    "Hall light or Bed light turns off",
    "Hall light oder Bed light geht aus",
  ],
  [
    "triggers",
    { trigger: "light.turned_on", target: { label_id: "down" }, options: { behavior: "first", for: "00:00:10" } },
    "A light of Downstairs turns on and stays so for 10 seconds, and only the first counts",
    "Ein Licht von Downstairs geht an und bleibt so für 10 Sekunden, und nur das erste zählt",
  ],
  ["triggers", { trigger: "light.turned_on" }, "A light of … turns on", "Ein Licht von … geht an"],
  [
    "triggers",
    { trigger: "temperature.crossed_threshold", target: { floor_id: "attic" }, options: { threshold: temperature } },
    "A temperature in Attic goes above 77 °F",
    "Eine Temperatur in Attic geht über 77 °F",
  ],
  [
    "triggers",
    { trigger: "temperature.changed", target: { entity_id: "sensor.outside" } },
    "The temperature of Outside changes to any value",
    "Die Temperatur von Outside ändert sich auf irgendeinen Wert",
  ],
  [
    "triggers",
    {
      trigger: "temperature.crossed_threshold",
      target: { entity_id: "sensor.outside" },
      options: { threshold: { type: "outside", value_min: { number: 5 }, value_max: { entity: "input_number.limit" } } },
    },
    "The temperature of Outside goes outside of 5 °C to Limit",
    "Die Temperatur von Outside geht außerhalb von 5 °C bis Limit",
  ],
  [
    "triggers",
    { trigger: "climate.hvac_mode_changed", target: { entity_id: "climate.living" }, options: { hvac_mode: ["heat", "off"] } },
    "Living room changes to the mode Heat or Off",
    "Living room wechselt in den Modus Heizen oder Aus",
  ],
  [
    "triggers",
    { trigger: "zone.entered", target: { entity_id: "person.ann" }, options: { zone: "zone.work" } },
    "Ann enters Work",
    "Ann betritt Work",
  ],
  ["triggers", { trigger: "zone.occupancy_cleared", options: { zone: "zone.work" } }, "Work becomes empty", "Work wird leer"],
  [
    "triggers",
    { trigger: "sun.sunset", options: { offset: "00:30:00", offset_type: "before" } },
    "The sun sets – 30 minutes before",
    "Die Sonne geht unter – 30 Minuten vorher",
  ],
  [
    "triggers",
    { trigger: "sun.elevation_crossed_threshold", options: { threshold: { type: "below", value: { number: -6 } } } },
    "The elevation of the sun goes below -6°",
    "Der Sonnenstand geht unter -6°",
  ],
  [
    "conditions",
    { condition: "light.is_on", target: { entity_id: ["light.hall", "light.bed"] } },
    "Hall light or Bed light is on",
    "Hall light oder Bed light ist an",
  ],
  [
    "conditions",
    { condition: "light.is_on", target: { entity_id: ["light.hall", "light.bed"] }, options: { behavior: "all" } },
    "Hall light and Bed light is on, and that holds for all",
    "Hall light und Bed light ist an, und das gilt für alle",
  ],
  [
    "conditions",
    { condition: "window.is_closed", target: { area_id: "kitchen" }, options: { for: { minutes: 5 } } },
    "A window in Kitchen is closed for at least 5 minutes",
    "Ein Fenster in Kitchen ist geschlossen seit mindestens 5 Minuten",
  ],
  [
    "conditions",
    { condition: "light.is_brightness", target: { area_id: "hall" }, options: { threshold: { type: "below", value: { number: 50 } } } },
    "The brightness of a light in Hall is below 50%",
    "Die Helligkeit eines Lichts in Hall liegt unter 50 %",
  ],
  ["conditions", { condition: "sun.is_up" }, "The sun is up", "Die Sonne ist aufgegangen"],
  ["actions", { condition: "light.is_off", target: { area_id: "hall" } }, "A light in Hall is off", "Ein Licht in Hall ist aus"],
];

describe.each([
  ["en", 2],
  ["de", 3],
] as const)("in %s", (language, column) => {
  beforeAll(() => speak(language));
  test.each(cases)("%s %j is said", (...row) => {
    expect(sentenceText(know, row[0], row[1])).toBe(row[column]);
  });
});

const light = { trigger: "light.turned_on", target: { area_id: "kitchen" } };
const warm = { trigger: "temperature.crossed_threshold", target: { area_id: "kitchen" } };
const unsaid: [string, Section, Config][] = [
  ["no such purpose", "triggers", { ...light, trigger: "light.exploded" }],
  ["a condition's name in a trigger", "triggers", { ...light, trigger: "light.is_on" }],
  ["an unknown key", "triggers", { ...light, odd: 1 }],
  ["an unknown option", "triggers", { ...light, options: { odd: 1 } }],
  ["an option of another purpose", "triggers", { ...light, options: { threshold: { type: "any" } } }],
  ["a time where nothing lasts", "triggers", { trigger: "scene.activated", target: {}, options: { for: 5 } }],
  ["an unknown behavior", "triggers", { ...light, options: { behavior: "some" } }],
  ["an odd target", "triggers", { ...light, target: { area: "kitchen" } }],
  ["a template as target", "triggers", { ...light, target: { area_id: "{{ x }}" } }],
  ["an odd part of what is left out", "triggers", { ...light, target: { area_id: "kitchen", exclude: { odd: 1 } } }],
  ["any value of a crossing", "triggers", { ...warm, options: { threshold: { type: "any" } } }],
  ["a limit too many", "triggers", { ...warm, options: { threshold: { type: "above", value: { number: 5 }, value_max: { number: 6 } } } }],
  ["a limit that is two", "triggers", { ...warm, options: { threshold: { type: "above", value: { number: 5, entity: "sensor.a" } } } }],
  ["an odd limit", "triggers", { ...warm, options: { threshold: { type: "above", value: { number: 5, odd: 1 } } } }],
  ["a template as limit", "triggers", { ...warm, options: { threshold: { type: "above", value: { number: "{{ 5 }}" } } } }],
];

test.each(unsaid)("%s stays YAML", (_, section, config) => {
  expect(kindOf(section, config)).toBeUndefined();
});

const modernTrigger = (trigger: Config) => (modernItem({ triggers: [trigger] }).triggers as unknown[])[0];

test("what was written otherwise is written as today, and what says something else is left", () => {
  const options = (given: Config, trigger = "temperature.crossed_threshold") =>
    (modernTrigger({ trigger, options: given }) as Config).options;
  expect(options({ behavior: "any" }, "light.turned_on")).toEqual({ behavior: "each" });
  expect(options({ behavior: "last", for: 5 }, "light.turned_on")).toEqual({ behavior: "all", for: 5 });
  expect(options({ above: 5 }, "temperature.changed")).toEqual({ threshold: { type: "above", value: { number: 5 } } });
  expect(options({ above: 5, below: "input_number.limit" }, "temperature.changed")).toEqual({
    threshold: { type: "between", value_min: { number: 5 }, value_max: { entity: "input_number.limit" } },
  });
  expect(options({ threshold_type: "below", upper_limit: 5, behavior: "last" })).toEqual({
    threshold: { type: "below", value: { number: 5 } },
    behavior: "all",
  });
  expect(options({ threshold_type: "outside", lower_limit: 1, upper_limit: 5 })).toEqual({
    threshold: { type: "outside", value_min: { number: 1 }, value_max: { number: 5 } },
  });
  for (const odd of [
    { threshold_type: "above", lower_limit: 1, upper_limit: 5 },
    { threshold_type: "above", upper_limit: 5 },
    { lower_limit: 5 },
    { threshold_type: "odd", lower_limit: 5 },
    { threshold: { type: "above" }, lower_limit: 5 },
  ])
    expect(options(odd)).toEqual(odd);
  expect(options({ offset: "-00:30:00" }, "sun.sunset")).toEqual({ offset: "00:30:00", offset_type: "before" });
  expect(options({ offset: "00:30:00" }, "sun.sunset")).toEqual({ offset: "00:30:00", offset_type: "after" });
  expect(modernTrigger({ platform: "sun.sunset", offset: 60, offset_type: "before" })).toEqual({
    trigger: "sun.sunset",
    options: { offset: 60, offset_type: "before" },
  });
  const still = { trigger: "light.turned_on", target: {}, options: { behavior: "first" } };
  expect(modernTrigger(still)).toBe(still);
});

test("the keys of other kinds may stand under their options", () => {
  expect(modernTrigger({ trigger: "state", options: { entity_id: "light.hall", to: "on" }, id: "a" })).toEqual({
    trigger: "state",
    entity_id: "light.hall",
    to: "on",
    id: "a",
  });
  const twice = { trigger: "state", entity_id: "light.bed", options: { entity_id: "light.hall" } };
  expect(modernTrigger(twice)).toBe(twice);
  const unknown = { trigger: "other.kind", options: { a: 1 } };
  expect(modernTrigger(unknown)).toBe(unknown);
  const { conditions } = modernItem({
    conditions: [
      { condition: "or", options: { conditions: ["{{ x }}"] } },
      { condition: "light.is_on", options: { behavior: "all" } },
    ],
  });
  expect(conditions).toEqual([
    { condition: "or", conditions: [{ condition: "template", value_template: "{{ x }}" }] },
    { condition: "light.is_on", options: { behavior: "all" } },
  ]);
});

test("limits stay with another kind of threshold as far as it has them", () => {
  const [five, nine] = [{ number: 5 }, { number: 9 }];
  expect(withType({ type: "above", value: five }, "below", "")).toEqual({ type: "below", value: five });
  expect(withType({ type: "above", value: five }, "between", "W")).toEqual({
    type: "between",
    value_min: five,
    value_max: { number: null, unit_of_measurement: "W" },
  });
  expect(withType({ type: "below", value: five }, "outside", "")).toEqual({
    type: "outside",
    value_min: { number: null },
    value_max: five,
  });
  expect(withType({ type: "between", value_min: five, value_max: nine }, "outside", "")).toEqual({
    type: "outside",
    value_min: five,
    value_max: nine,
  });
  expect(withType({ type: "between", value_min: five, value_max: nine }, "above", "")).toEqual({ type: "above", value: five });
  expect(withType({ type: "between", value_min: five, value_max: nine }, "below", "")).toEqual({ type: "below", value: nine });
  expect(withType({ type: "any" }, "above", "")).toEqual({ type: "above", value: { number: null } });
  expect(withType({ type: "above", value: five }, "any", "")).toEqual({ type: "any" });
  expect(withEntities({ type: "above", value: { number: 5, active_choice: "number" } }, true, "")).toEqual({
    type: "above",
    value: { active_choice: "entity", entity: "" },
  });
});

test("another purpose keeps what it knows, too", () => {
  const to = (config: Config, section: "triggers" | "conditions", name: string) => withPurpose(know, config, findPurpose(section, name)!);
  const begun = { ...light, id: "a", options: { for: 5, behavior: "first" } };
  expect(to(begun, "triggers", "light.turned_off")).toEqual({ ...begun, trigger: "light.turned_off" });
  expect(to(begun, "triggers", "scene.activated")).toEqual({ trigger: "scene.activated", id: "a", target: light.target });
  expect(to(begun, "triggers", "sun.sunset")).toEqual({ trigger: "sun.sunset", id: "a" });
  expect(to(begun, "triggers", "temperature.crossed_threshold")).toEqual({
    ...begun,
    trigger: "temperature.crossed_threshold",
    options: { threshold: { type: "above", value: { number: null, unit_of_measurement: "°C" } }, for: 5, behavior: "first" },
  });
  const crossed = { ...warm, options: { threshold: { type: "above", value: { number: 5 } }, for: 5 } };
  expect(to(crossed, "triggers", "temperature.changed").options).toEqual({ threshold: crossed.options.threshold });
  expect(to({ ...warm, options: { threshold: { type: "any" } } }, "triggers", "humidity.crossed_threshold").options).toEqual({
    threshold: { type: "above", value: { number: null } },
  });
});

test("a row says what it names and the home does not have", async () => {
  await speak("en");
  const config = {
    ...warm,
    target: { area_id: "nowhere", exclude: { entity_id: "light.gone" } },
    options: { threshold: { type: "above", value: { entity: "input_number.gone" } } },
  };
  const slots = piecesOf(know, purposeKindOf("triggers", config)!, config).flatMap((piece) => Object.values(piece.slots));
  expect(missingIn(know, slots, config)).toEqual([
    "There is no room nowhere now.",
    "There is no input_number.gone now.",
    "There is no light.gone now.",
  ]);
});

test("what a row leaves open is asked for in its words", async () => {
  await speak("en");
  const open = (trigger: Config) => openSlots(know, { triggers: [trigger] }, {}).map(({ said }) => said);
  for (const purpose of purposes.filter(({ section }) => section === "triggers")) {
    expect(open(written(purpose)), purpose.name).toEqual([]);
    const asked =
      (purpose.about === "target" ? 1 : 0) +
      (purpose.number === "within" || (purpose.option !== undefined && purpose.option !== "zone") ? 1 : 0);
    expect(open(purposeKindOf("triggers", { trigger: purpose.name })!.begin()), purpose.name).toHaveLength(asked);
  }
  const range = { type: "between", value_min: { number: 0 }, value_max: { entity: "" } };
  expect(open({ ...warm, options: { threshold: range } })).toHaveLength(1);
  expect(open({ ...warm, options: { threshold: { ...range, value_max: { number: 9 } } } })).toEqual([]);
  expect(open({ ...light, target: { exclude: { entity_id: "light.hall" } } })).toHaveLength(1);
  expect(open({ ...light, target: { area_id: "kitchen", exclude: {} } })).toHaveLength(1);
});
