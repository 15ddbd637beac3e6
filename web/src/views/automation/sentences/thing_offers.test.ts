// SPDX-License-Identifier: Apache-2.0
// Things of the home as rows to add, found by typing.
import { beforeAll, describe, expect, test, vi } from "vitest";

import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import type { Editing } from "./editing";
import type { Section } from "./kinds";
import { thingFinder } from "./thing_offers";
import { sentenceText } from "./words";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });

const named: [id: string, name: string, area: string, attributes?: Record<string, unknown>][] = [
  ["light.kitchen", "Kitchen light", "kitchen"],
  ["light.counter", "Counter", "kitchen"],
  ["light.hall", "Hall light", "hall"],
  ["binary_sensor.hall_motion", "Hall motion", "hall", { device_class: "motion" }],
  ["sensor.outside", "Outside", "", { device_class: "temperature", unit_of_measurement: "°C", state_class: "measurement" }],
  ["sensor.big_5", "Value five", ""],
  ["sensor.big_50", "Big 5", ""],
  ["sensor.hidden", "Hidden thing", "hall"],
  ["scene.movie", "Movie night", ""],
];

function homeOf(list: typeof named): Editing {
  const entities = new Map(
    list.map(([entity_id, name, , attributes]) => [
      entity_id,
      { entity_id, state: "on", attributes: { friendly_name: name, ...attributes } },
    ]),
  );
  const areas = new Map([
    ["kitchen", { area_id: "kitchen", name: "Kitchen" }],
    ["hall", { area_id: "hall", name: "Hall" }],
    ["attic", { area_id: "attic", name: "Attic" }],
  ]);
  const places = new Map(list.map(([id, , area]) => [id, areas.get(area)]));
  const onOff = { selector: { select: { options: ["on", "off"] } } };
  const call = { description: "", fields: {}, target: {} };
  return {
    home: {
      entities,
      entity: (id: string) => entities.get(id),
      nameOf: (id: string) => String(entities.get(id)?.attributes.friendly_name ?? id),
      areaOf: (id: string) => places.get(id),
      kinds: new Map<string, unknown>([
        ["binary_sensor", { domain: "binary_sensor", value: onOff, actions: [] }],
        [
          "light",
          {
            domain: "light",
            value: onOff,
            features: {},
            actions: [{ service: "turn_on" }, { service: "turn_off" }, { service: "toggle" }],
          },
        ],
      ]),
      registry: new Map<string, unknown>([
        ["sensor.hidden", { hidden_by: "user" }],
        ["light.counter", { device_id: "strip" }],
      ]),
      devices: new Map([["strip", { id: "strip", name: "LED strip" }]]),
      floors: new Map(),
      areas,
      configuration: { time_zone: "UTC", unit_system: { temperature: "°C" } },
    },
    services: {
      light: {
        turn_on: { name: "Turn on", ...call },
        turn_off: { name: "Turn off", ...call },
        toggle: { name: "Toggle", ...call },
      },
    },
    labels: [],
    triggers: [],
  } as unknown as Editing;
}

const home = homeOf(named);
const found = (section: Section, text: string) => thingFinder(home, section)(text);
const names = (section: Section, text: string) => found(section, text).map(({ name }) => name);

beforeAll(async () => {
  await loadLanguage("en");
  await loadWords("automations");
});

describe("a thing is offered with what it can do, and the row says so wholly", () => {
  test("hall motion", () => {
    expect(names("triggers", "hall motion").slice(0, 4)).toEqual([
      "Hall motion: Detected",
      "Hall motion: Clear",
      "Hall motion: Detected for a while",
      "Hall motion: Clear for a while",
    ]);
    const [detected, , lasting] = found("triggers", "hall motion");
    expect(sentenceText(home, "triggers", detected?.row)).toBe("Hall motion changes to Detected");
    expect(sentenceText(home, "triggers", lasting?.row)).toBe("Hall motion changes to Detected and stays so for 5 minutes");
    expect(found("conditions", "hall motion detected")[0]?.row).toEqual({
      condition: "state",
      entity_id: "binary_sensor.hall_motion",
      state: "on",
    });
  });

  test("kitchen light", () => {
    expect(names("actions", "kitchen light").slice(0, 3)).toEqual([
      "Turn on Kitchen light",
      "Turn off Kitchen light",
      "Toggle Kitchen light",
    ]);
    expect(found("actions", "kitchen light off")[0]?.row).toEqual({ action: "light.turn_off", target: { entity_id: "light.kitchen" } });
    expect(found("actions", "movie")[0]?.row).toEqual({ scene: "scene.movie" });
  });
});

describe("a room is offered with what its things can do", () => {
  test("triggers and conditions of what is there", () => {
    const rows = found("triggers", "kitchen turns on").map(({ row }) => row);
    expect(rows).toContainEqual({ trigger: "light.turned_on", target: { area_id: "kitchen" } });
    expect(names("triggers", "hall").some((name) => /motion.*in Hall/i.test(name))).toBe(true);
    expect(names("triggers", "kitchen").some((name) => /motion/i.test(name))).toBe(false);
    expect(names("triggers", "attic")).toEqual([]); // nothing is there
    expect(found("conditions", "kitchen").map(({ row }) => row)).toContainEqual({
      condition: "light.is_on",
      target: { area_id: "kitchen" },
    });
  });

  test("steps", () => {
    expect(found("actions", "kitchen turn off").map(({ row }) => row)).toContainEqual({
      action: "light.turn_off",
      target: { area_id: "kitchen" },
    });
    expect(names("actions", "kitchen")).toContain("Turn off: Light in Kitchen");
  });
});

test("an exact id comes first, then an exact name, what begins so, and what has the words", () => {
  const first = (text: string) => found("triggers", text)[0]?.id.split(" ")[0];
  expect(first("sensor.big_5")).toBe("sensor.big_5");
  expect(first("big_5")).toBe("sensor.big_5");
  expect(first("big 5")).toBe("sensor.big_50");
  expect(first("counter")).toBe("light.counter");
  expect(found("actions", "led strip")[0]?.row).toMatchObject({ target: { entity_id: "light.counter" } });
  expect(first("light.hall")).toBe("light.hall");
});

test("a slip of the finger is forgiven, and what is nowhere is not found", () => {
  expect(names("actions", "kichen lihgt")[0]).toBe("Turn on Kitchen light");
  expect(names("triggers", "hall motion detcted")[0]).toBe("Hall motion: Detected");
  expect(names("actions", "kitchen tunr off")[0]).toMatch(/^Turn off.*Kitchen/);
  expect(names("triggers", "greenhouse")).toEqual([]);
  expect(names("triggers", "hidden")).toEqual([]);
  expect(names("triggers", " ")).toEqual([]);
});

test("every offer is a row that has a sentence", () => {
  for (const section of ["triggers", "conditions", "actions"] as const)
    for (const text of ["hall", "kitchen", "outside", "big", "movie"])
      for (const { row, name } of found(section, text)) {
        const said = sentenceText(home, section, row);
        expect(said, `${name}: ${JSON.stringify(row)}`).not.toBe("");
        expect(said).not.toContain("{");
      }
});

test("in a home of 10,000 things the best is found", () => {
  const many = Array.from({ length: 10_000 }, (_, number): (typeof named)[0] => [`light.n${number}`, `Lamp ${number}`, "hall"]);
  const finder = thingFinder(homeOf([...many, ...named]), "actions");
  expect(finder("lamp 9999")[0]?.row).toEqual({ action: "light.turn_on", target: { entity_id: "light.n9999" } });
  expect(finder("kitchen light")[0]?.name).toBe("Turn on Kitchen light");
  expect(finder("lamb 77")[0]?.row).toMatchObject({ target: { entity_id: "light.n77" } });
});
