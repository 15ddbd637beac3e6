// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";

import { beforeAll, expect, test, vi } from "vitest";

import { loadLanguage, loadWords } from "../../../../i18n/catalogue";
import { kindOf, kindsOf } from "../classify";
import type { Config } from "../edit";
import type { Knowledge } from "../home_words";
import type { Section } from "../kinds";
import { piecesOf, sentenceText } from "../words";
import { conditionTypes, deviceSteps, meaningOf } from "./device_forms";
import { ableDevices, deviceOffersOf, withDevice, withOffer } from "./device_offers";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });

const states: Record<string, [device: string, Config]> = {
  "light.lamp": ["lamp", { friendly_name: "Lamp", supported_color_modes: ["brightness"], supported_features: 0 }],
  "switch.washer_power": ["washer", { friendly_name: "Washer Power" }],
  "sensor.washer_signal": ["washer", { friendly_name: "Washer Signal", device_class: "signal_strength", unit_of_measurement: "dBm" }],
  "binary_sensor.washer_door": ["washer", { friendly_name: "Washer Door", device_class: "door" }],
  "select.washer_program": ["washer", { friendly_name: "Washer Program", options: ["cotton", "wool"] }],
  "cover.blind": ["blind", { friendly_name: "Blind", supported_features: 4, current_position: 30 }],
  "cover.other": ["other", { friendly_name: "Other", supported_features: 0 }],
  "sensor.text": ["text", { friendly_name: "Text" }],
};
const entities = new Map(Object.entries(states).map(([entity_id, [, attributes]]) => [entity_id, { entity_id, state: "on", attributes }]));
const names = ["Lamp", "Washer", "Blind", "Other", "Text", "Remote"];
const action = (service: string, fields: object = {}, needs: string[] = []) => ({ service, name: service, fields, needs });
const position = { position: { name: "Position", description: "", required: true, selector: { number: { min: 0, max: 100 } } } };
const option = { option: { name: "Option", description: "", required: true, selector: { text: {} }, from: { options: "options" } } };
const brightness = {
  brightness_pct: {
    name: "Brightness",
    description: "",
    example: 40,
    selector: { number: { min: 0, max: 100, unit_of_measurement: "%" } },
  },
};
const kind = (domain: string, actions: object[], features: object[] = []) => [
  domain,
  { domain, value: { selector: {} }, features, actions },
];
const service = (name: string, fields: object = {}) => ({ name, description: "", target: {}, fields });

const know = {
  home: {
    entities,
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => String(states[id]?.[1].friendly_name ?? id),
    kinds: new Map([
      kind(
        "light",
        [action("turn_on", { flash: { needs: ["flash"] } }), action("turn_off"), action("toggle")],
        [{ name: "flash", bit: 8 }],
      ),
      kind("switch", [action("turn_on"), action("turn_off"), action("toggle")]),
      kind("cover", [action("open_cover"), action("set_cover_position", {}, ["set_position"])], [{ name: "set_position", bit: 4 }]),
      kind("select", [action("select_option", option)]),
    ] as [string, unknown][]),
    registry: new Map(
      Object.entries(states).map(([entity_id, [device_id]], index) => [
        entity_id,
        { id: String(index).repeat(32), entity_id, device_id, entity_category: entity_id.endsWith("signal") ? "diagnostic" : null },
      ]),
    ),
    devices: new Map(names.map((name) => [name.toLowerCase(), { id: name.toLowerCase(), name, name_by_user: null }])),
    configuration: { time_zone: "UTC", unit_system: {} },
  },
  services: {
    light: { turn_on: service("Turn on", brightness), turn_off: service("Turn off"), toggle: service("Toggle") },
    switch: { turn_on: service("Turn on"), turn_off: service("Turn off"), toggle: service("Toggle") },
    cover: { open_cover: service("Open"), set_cover_position: service("Set position", position) },
    select: { select_option: service("Select option", option) },
  },
  labels: [],
  triggers: [],
} as unknown as Knowledge;

const say = async (language: string) => {
  await loadLanguage(language);
  await loadWords("automations");
};
beforeAll(() => say("en"));

const device = (section: Section, config: Config): Config => ({
  ...(section === "triggers" ? { trigger: "device" } : section === "conditions" && { condition: "device" }),
  ...config,
});
const lamp = { device_id: "lamp", domain: "light", entity_id: "light.lamp" };
const power = { device_id: "washer", domain: "switch", entity_id: "switch.washer_power" };
const door = { device_id: "washer", domain: "binary_sensor", entity_id: "binary_sensor.washer_door" };
const signal = { device_id: "washer", domain: "sensor", entity_id: "sensor.washer_signal" };
const program = { device_id: "washer", domain: "select", entity_id: "select.washer_program" };
const blind = { device_id: "blind", domain: "cover", entity_id: "cover.blind" };
const press = (type: string, subtype: string) => ({ device_id: "remote", domain: "mqtt", type, subtype });

const cases: [Section, Config, english: string, german: string][] = [
  ["conditions", { ...lamp, type: "is_on" }, "Lamp is On", "Lamp ist An"],
  [
    "conditions",
    { ...power, type: "is_off", for: { minutes: 5 } },
    "Washer: Power is Off for at least 5 minutes",
    "Washer: Power ist Aus seit mindestens 5 Minuten",
  ],
  ["conditions", { ...door, type: "is_not_open" }, "Washer: Door is Closed", "Washer: Door ist Geschlossen"],
  ["conditions", { ...lamp, entity_id: "0".repeat(32), type: "is_on" }, "Lamp is On", "Lamp ist An"],
  [
    "conditions",
    { ...signal, type: "is_signal_strength", above: -70, below: -50 },
    "Washer: Value of Signal is above -70 dBm and below -50 dBm",
    "Washer: Wert von Signal ist über -70 dBm und unter -50 dBm",
  ],
  [
    "conditions",
    { ...program, type: "selected_option", option: "wool" },
    "Washer: Option of Program is wool",
    "Washer: Auswahl von Program ist wool",
  ],
  ["conditions", { ...blind, type: "is_position", above: 20 }, "Blind: Position is above 20", "Blind: Position ist über 20"],
  [
    "conditions",
    { device_id: "gone", domain: "lock", entity_id: "lock.gone", type: "is_locked" },
    "unknown device gone: lock.gone is Locked",
    "unbekanntes Gerät gone: lock.gone ist Verriegelt",
  ],
  ["conditions", { ...lamp, type: "is_odd" }, "Lamp: “is odd”, which is unknown here", "Lamp: „is odd“, das hier unbekannt ist"],
  ["actions", { ...lamp, type: "turn_on", brightness_pct: 40 }, "Lamp: Turn on Brightness: 40%", "Lamp: Turn on Brightness: 40 %"],
  ["actions", { ...lamp, type: "brightness_increase" }, "Lamp: Brighter", "Lamp: Heller"],
  ["actions", { ...power, type: "toggle" }, "Washer: Toggle – Power", "Washer: Toggle – Power"],
  ["actions", { ...blind, type: "set_position", position: 70 }, "Blind: Set position Position: 70%", "Blind: Set position Position: 70 %"],
  [
    "actions",
    { ...program, type: "select_option", option: "wool" },
    "Washer: Select option – Program Option: wool",
    "Washer: Select option – Program Option: wool",
  ],
  [
    "actions",
    { ...power, type: "warn", brightness_pct: 5 },
    "Washer: “warn”, which is unknown here Brightness: 5",
    "Washer: „warn“, das hier unbekannt ist Helligkeit: 5",
  ],
  [
    "actions",
    { device_id: "gone", domain: "mobile_app", type: "notify", message: "Hi" },
    "unknown device gone: Send a message Message: Hi",
    "unbekanntes Gerät gone: Nachricht senden Nachricht: Hi",
  ],
  ["triggers", { ...lamp, type: "turned_on" }, "Lamp tells: it is On", "Lamp meldet: es ist An"],
  ["triggers", { ...door, type: "opened" }, "Washer tells: Door is Open", "Washer meldet: Door ist Offen"],
  [
    "triggers",
    { device_id: "gone", domain: "binary_sensor", entity_id: "binary_sensor.gone", type: "no_motion" },
    "unknown device gone tells: Motion is Clear",
    "unbekanntes Gerät gone meldet: Bewegung ist Ruhig",
  ],
  [
    "triggers",
    { ...signal, type: "signal_strength", below: -80 },
    "Washer tells: Value of Signal is below -80 dBm",
    "Washer meldet: Wert von Signal ist unter -80 dBm",
  ],
  ["triggers", { ...power, type: "changed_states" }, "Washer tells: Power changes", "Washer meldet: Power ändert sich"],
  [
    "triggers",
    { ...program, type: "current_option_changed", to: "wool", from: "cotton" },
    "Washer tells: Option of Program changes to wool and was cotton before",
    "Washer meldet: Auswahl von Program ändert sich zu wool und war vorher cotton",
  ],
  [
    "triggers",
    { device_id: "lamp", domain: "device_tracker", entity_id: "device_tracker.a", type: "enters", zone: "zone.home" },
    "Lamp tells: device_tracker.a comes to zone.home",
    "Lamp meldet: device_tracker.a kommt an in zone.home",
  ],
  ["triggers", press("button_short_press", "button_2"), "Remote tells: Button 2 pressed briefly", "Remote meldet: Taste 2 kurz gedrückt"],
  ["triggers", press("button_long_press", "turn_on"), "Remote tells: On pressed long", "Remote meldet: Ein lang gedrückt"],
  ["triggers", press("action", "single"), "Remote tells: pressed once", "Remote meldet: einmal gedrückt"],
  ["triggers", press("shaken_hard", "left_side"), "Remote tells: left side · shaken hard", "Remote meldet: left side · shaken hard"],
];

test.each(cases)("%s %j is said", (section, config, english) => {
  expect(sentenceText(know, section, device(section, config))).toBe(english);
});

test("all of it is said in German, too", async () => {
  await say("de");
  expect(cases.map(([section, config]) => sentenceText(know, section, device(section, config)))).toEqual(
    cases.map(([, , , german]) => german),
  );
  await say("en");
});

test("what a step or a condition has beside what is known stays YAML", () => {
  expect(kindOf("actions", { ...lamp, type: "turn_on", odd: 1 })).toBeUndefined();
  expect(kindOf("actions", { device_id: "lamp" })).toBeUndefined();
  expect(kindOf("conditions", { condition: "device", ...lamp, type: "is_on", odd: 1 })).toBeUndefined();
  expect(kindOf("actions", { condition: "device", ...lamp, type: "is_on" })?.section).toBe("conditions");
});

const types = (config: Config, id: string) =>
  deviceOffersOf(know, config, id).map(({ entity_id, type }) => `${String(entity_id)} ${String(type)}`);

test("a device offers what its entities can, the useful before the diagnostic", () => {
  expect(types({}, "lamp")).toEqual(
    ["turn_on", "turn_off", "toggle", "brightness_increase", "brightness_decrease"].map((type) => `light.lamp ${type}`),
  );
  expect(types({}, "blind")).toEqual(["cover.blind open", "cover.blind set_position"]);
  expect(types({}, "other")).toEqual(["cover.other open"]);
  expect(types({ condition: "device" }, "lamp")).toEqual(["light.lamp is_on", "light.lamp is_off"]);
  expect(types({ condition: "device" }, "washer")).toEqual([
    "switch.washer_power is_on",
    "switch.washer_power is_off",
    "binary_sensor.washer_door is_open",
    "binary_sensor.washer_door is_not_open",
    "select.washer_program selected_option",
    "sensor.washer_signal is_signal_strength",
  ]);
  expect(types({ trigger: "device" }, "lamp")).toEqual(["light.lamp turned_on", "light.lamp turned_off", "light.lamp changed_states"]);
  expect(types({ trigger: "device" }, "washer")).toEqual([
    "switch.washer_power turned_on",
    "switch.washer_power turned_off",
    "switch.washer_power changed_states",
    "binary_sensor.washer_door opened",
    "binary_sensor.washer_door not_opened",
    "select.washer_program current_option_changed",
    "sensor.washer_signal signal_strength",
  ]);
  expect([...ableDevices(know, { condition: "device" })]).toEqual(["lamp", "washer", "blind", "other"]);
  expect([...ableDevices(know, {})]).toEqual(["lamp", "washer", "blind", "other"]);
});

test("what is chosen begins with what it cannot do without, and keeps what it takes, too", () => {
  const begun = (config: Config, offer: Config) => withOffer(know, config, offer);
  expect(begun({ condition: "device", device_id: "washer", for: 5 }, { ...signal, type: "is_signal_strength" })).toEqual({
    condition: "device",
    ...signal,
    type: "is_signal_strength",
    above: null,
  });
  expect(begun({ condition: "device", ...signal, type: "is_signal_strength", below: 5, alias: "A" }, { ...power, type: "is_on" })).toEqual({
    condition: "device",
    alias: "A",
    ...power,
    type: "is_on",
  });
  expect(begun({ condition: "device" }, { ...program, type: "selected_option" })).toMatchObject({ option: "" });
  expect(begun({ device_id: "blind", type: "" }, { ...blind, type: "set_position" })).toEqual({
    ...blind,
    type: "set_position",
    position: null,
  });
  expect(begun({ ...blind, type: "set_position", position: 5 }, { ...blind, type: "open" })).toEqual({ ...blind, type: "open" });
  expect(begun({}, { ...lamp, type: "flash" })).toEqual({ ...lamp, type: "flash", flash: "short" });
  for (const offer of [...deviceOffersOf(know, {}, "washer"), ...deviceOffersOf(know, {}, "blind")])
    expect(kindOf("actions", begun({}, offer))?.name).toBe("device");
});

test("another device is told the same if it can, otherwise nothing yet", () => {
  expect(withDevice(know, { ...blind, type: "open", enabled: false }, "other")).toEqual({
    enabled: false,
    device_id: "other",
    domain: "cover",
    entity_id: "cover.other",
    type: "open",
  });
  expect(withDevice(know, { ...blind, type: "set_position", position: 5 }, "other")).toEqual({ device_id: "other", domain: "", type: "" });
  expect(withDevice(know, { trigger: "device", ...lamp, type: "turned_on", id: "A" }, "other")).toEqual({
    trigger: "device",
    id: "A",
    device_id: "other",
  });
  expect(withDevice(know, { condition: "device", ...lamp, type: "is_on" }, "washer")).toEqual({ condition: "device", device_id: "washer" });
});

test("a step has a line for each thing that its type takes, and for what it was given besides", () => {
  const step = kindsOf.actions.find(({ name, section }) => name === "device" && section === "actions");
  if (!step) throw new Error("There is no such kind.");
  const slots = (config: Config) =>
    piecesOf(know, step, config).flatMap(({ slots, offer }) =>
      Object.values(slots).map(({ key, type }) => `${key} ${type}${offer ? "?" : ""}`),
    );
  const own = ["device_id device", "type device_event"];
  expect(slots({ ...blind, type: "set_position", position: null })).toEqual([...own, "position number"]);
  expect(slots({ ...blind, type: "open", position: 5 })).toEqual([...own, "position number?"]);
  expect(slots({ ...program, type: "select_option", option: "" })).toEqual([...own, "option select"]);
  expect(slots({ ...lamp, type: "turn_on" })[2]).toBe("brightness_pct number?");
});

test("a trigger may have what the hub takes", () => {
  const told = kindsOf.triggers.find(({ name }) => name === "device");
  if (!told) throw new Error("There is no such kind.");
  const offered = (config: Config) =>
    piecesOf(know, told, { trigger: "device", ...config }).flatMap(({ slots, offer }) =>
      offer ? Object.values(slots).map(({ key }) => key) : [],
    );
  expect(offered(press("button_short_press", "button_2"))).toEqual([]);
  expect(offered({ ...lamp, type: "turned_on" })).toEqual(["for"]);
  expect(offered({ ...signal, type: "signal_strength" })).toEqual(["above", "above", "below", "below", "for"]);
  expect(offered({ ...program, type: "current_option_changed" })).toEqual(["to", "from", "for"]);
  expect(offered({ ...press("button_short_press", "button_2"), for: 5 })).toEqual(["for"]);
});

// The tables of the hub are the truth: what it names, the page names, too.
test("the page knows each type that the hub knows", () => {
  const source = readFileSync(new URL("../../../../../../src/automation/config/device_forms.cpp", import.meta.url), "utf8");
  const rows = (name: string) =>
    [...(source.split(`${name}[] = {\n`)[1]?.split("\n};")[0] ?? "").matchAll(/\{"(\w+)", "(\w+)", "([\w.]*)"/g)].map(
      ([, domain = "", type = "", third = ""]) => ({ domain, type, third }),
    );
  expect(rows("kStates").length).toBeGreaterThan(30);
  for (const { domain, type } of rows("kStates")) {
    expect(meaningOf({ trigger: "device", domain, type })?.state, `${domain} ${type}`).toBeDefined();
    if (type !== "opened") expect(conditionTypes(domain, {}), `${domain} ${type}`).toContain(`is_${type}`);
  }
  expect(rows("kNumbers").length).toBeGreaterThan(5);
  for (const { domain, type } of rows("kNumbers"))
    expect(meaningOf({ trigger: "device", domain, type })?.limits, `${domain} ${type}`).toBe(true);
  expect(rows("kActions").length).toBeGreaterThan(35);
  for (const { domain, type, third } of rows("kActions")) {
    const step = deviceSteps(domain).find((one) => one.type === type);
    expect(step?.service, `${domain} ${type}`).toBe(third || "notify.notify");
  }
});
