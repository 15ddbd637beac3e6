// SPDX-License-Identifier: Apache-2.0
// Tests of the order of results and of the reading of commands, in both languages.
import { beforeAll, describe, expect, test, vi } from "vitest";

import type { Home } from "../../api/home";
import type { Page } from "../../router";
import { loadLanguage, loadWords, wordsOfAll } from "../../i18n/catalogue";
import { commandsOf, type Command } from "./commands";
import { Entries } from "./entries";
import { lexiconOf, type Lexicon } from "./lexicon";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });

const action = (service: string, value?: string, needs: string[] = []) => ({ service, name: service, fields: {}, needs, value });
const kind = (domain: string, ...actions: object[]) =>
  [domain, { domain, features: [{ name: "position", bit: 4 }], attributes: [], value: { selector: {} }, actions }] as const;
const switched = [action("turn_on", "on"), action("turn_off", "off"), action("toggle")];
const kinds = new Map([
  kind("light", ...switched),
  kind("switch", ...switched),
  kind("media_player", ...switched, action("media_pause")),
  kind(
    "cover",
    action("open_cover", "open"),
    action("close_cover", "closed"),
    action("stop_cover"),
    action("set_cover_position", undefined, ["position"]),
  ),
  kind("climate", action("set_temperature"), action("turn_off", "off")),
  kind("lock", action("lock", "locked"), action("unlock", "unlocked")),
  kind("vacuum", action("start"), action("return_to_base")),
  kind("scene", action("turn_on")),
  kind("button", action("press")),
]);

const pages = [
  { name: "overview", path: "/overview" },
  { name: "history", path: "/history" },
  { name: "developer", path: "/developer-tools", isTool: true },
  { name: "settings", path: "/settings", administratorsOnly: true },
  { name: "profile", path: "/profile" },
] as unknown as Page[];

type Thing = [id: string, name: string, state: string, area: string, attributes?: Record<string, unknown>];

const dimmable = { supported_color_modes: ["brightness"] };
const inEnglish: Thing[] = [
  ["light.kitchen_ceiling", "Kitchen ceiling", "on", "kitchen", dimmable],
  ["light.kitchen_counter", "Counter", "on", "kitchen", dimmable],
  ["light.kitchen_window", "Window lamp", "off", "kitchen", { supported_color_modes: ["onoff"] }],
  ["switch.coffee", "Coffee machine", "on", "kitchen"],
  ["media_player.radio", "Kitchen radio", "playing", "kitchen"],
  ["cover.kitchen", "Kitchen blind", "closed", "kitchen", { device_class: "blind", supported_features: 4 }],
  ["climate.bedroom", "Bedroom heating", "heat", "bedroom", { supported_features: 1, min_temp: 7, max_temp: 30 }],
  ["light.bedroom", "Bedroom light", "off", "bedroom", dimmable],
  ["light.lamp_2", "Lamp 2", "off", "bedroom", dimmable],
  ["light.lamp_10", "Lamp 10", "off", "bedroom", dimmable],
  ["cover.garage_door", "Garage door", "closed", "garage", { device_class: "garage" }],
  ["lock.front_door", "Front door lock", "unlocked", "hall"],
  ["lock.safe", "Safe", "locked", "hall", { code_format: "number" }],
  ["binary_sensor.bath_window", "Bath window", "on", "bath", { device_class: "window" }],
  ["sensor.hall_battery", "Kitchen sensor battery", "80", "kitchen", { unit_of_measurement: "%" }],
  ["vacuum.robot", "Robby", "docked", "hall"],
  ["scene.movie_night", "Movie night", "unknown", "living"],
  ["script.good_night", "Good night", "off", ""],
  ["automation.hall", "Hall light at night", "on", ""],
  ["input_boolean.guests", "Guests", "off", ""],
  ["person.ann", "Ann", "home", ""],
  ["button.restart", "Router restart", "unknown", ""],
];
const areas = { kitchen: "Kitchen", bedroom: "Bedroom", garage: "Garage", hall: "Hall", bath: "Bath", living: "Living room" };
const germanAreas = { kitchen: "Küche", bedroom: "Schlafzimmer", garage: "Garage", hall: "Flur", bath: "Bad", living: "Wohnzimmer" };
const inGerman: Thing[] = [
  ["light.kueche_decke", "Küche Decke", "on", "kitchen", dimmable],
  ["light.kueche_theke", "Theke", "on", "kitchen", dimmable],
  ["climate.schlafzimmer", "Heizung Schlafzimmer", "heat", "bedroom", { supported_features: 1, min_temp: 7, max_temp: 30 }],
  ["light.schlafzimmer", "Schlafzimmerlicht", "off", "bedroom", dimmable],
  ["cover.garage", "Garagentor", "closed", "garage", { device_class: "garage" }],
  ["cover.kueche", "Rollladen Küche", "open", "kitchen", { device_class: "shutter", supported_features: 4 }],
  ["scene.filmabend", "Filmabend", "unknown", "living"],
  ["lock.haustuer", "Haustür", "unlocked", "hall"],
];

function homeOf(things: Thing[], names: Record<string, string>, user = { is_admin: true, is_read_only: false }): Home {
  const entities = new Map(
    things.map(([id, friendly_name, state, , attributes]) => [id, { entity_id: id, state, attributes: { friendly_name, ...attributes } }]),
  );
  const area = new Map(
    Object.entries(names).map(([area_id, name]) => [area_id, { area_id, name, floor_id: area_id === "bath" ? "up" : null, icon: null }]),
  );
  const of = new Map(things.map(([id, , , where]) => [id, where]));
  return {
    entities,
    kinds,
    user,
    areas: area,
    floors: new Map([["up", { floor_id: "up", name: "Upstairs", level: 1 }]]),
    devices: new Map([["d1", { id: "d1", name: "Hue bridge", name_by_user: null, area_id: null, disabled_by: null, manufacturer: "Hue" }]]),
    registry: new Map([["sensor.hall_battery", { entity_category: "diagnostic", options: {} }]]),
    configuration: { unit_system: { temperature: "°C" }, time_zone: "Europe/Berlin" },
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => entities.get(id)?.attributes.friendly_name ?? id,
    areaOf: (id: string) => area.get(of.get(id) ?? ""),
  } as unknown as Home;
}

const places = { base: "", pages, isPortal: false };
let lexicon: Lexicon;
beforeAll(async () => {
  lexicon = lexiconOf(await wordsOfAll("palette"));
});

function firstOf(home: Home, text: string): string | undefined {
  const entries = new Entries(home, places);
  return [entries.find, entries.similar].map((find) => find(text)[0]?.item.id).find(Boolean);
}

function commands(home: Home, text: string): Command[] {
  const entries = new Entries(home, places);
  return commandsOf(home, text, lexicon, entries.find);
}

async function speak(language: string): Promise<void> {
  await loadLanguage(language);
  await loadWords("palette");
  await loadWords("administration");
}

describe("in English", () => {
  beforeAll(() => speak("en"));
  const home = homeOf(inEnglish, areas);

  test.each([
    ["light.kitchen_counter", "light.kitchen_counter"], // exact id
    ["kitchen_counter", "light.kitchen_counter"],
    ["counter", "light.kitchen_counter"], // exact name
    ["kitchen", "room:kitchen"],
    ["kit", "room:kitchen"], // beginning
    ["mov", "scene.movie_night"],
    ["movie", "scene.movie_night"],
    ["night", "scene.movie_night"], // word: a scene before a script
    ["kitchen light", "light.kitchen_counter"],
    ["lamp 2", "light.lamp_2"],
    ["lamp", "light.lamp_2"],
    ["kichen", "room:kitchen"], // typo
    ["bedrom heting", "climate.bedroom"],
    ["histroy", "page:history"],
    ["history", "page:history"],
    ["settings", "page:settings"],
    ["mqtt", "settings:mqtt"],
    ["backups", "settings:backups"],
    ["home assistant", "settings:import"],
    ["guests", "input_boolean.guests"],
    ["ann", "person.ann"],
    ["good night", "script.good_night"],
    ["hall light", "automation.hall"],
    ["hue", "device:d1"],
    ["battery", "sensor.hall_battery"],
    ["upstairs", "room:bath"],
    ["lamp 3", undefined],
    ["ünder", undefined],
  ])("“%s” finds %s first", (text, id) => {
    expect(firstOf(home, text)).toBe(id);
  });

  test("things are found by their states, where no name has the words", () => {
    const entries = new Entries(home, places);
    expect(entries.findByState("window open").map(({ item }) => item.id)).toEqual(["binary_sensor.bath_window"]);
  });

  test.each([
    ["kitchen off", "Turns off 2 lights in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["off kitchen", "Turns off 2 lights in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["turn off the kitchen lights", "Turns off 2 lights in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["kitchen on", "Turns on 1 light in Kitchen", "light.turn_on light.kitchen_window"],
    ["kichen off", "Turns off 2 lights in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["lights off", "Turns off 2 lights", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["everything off kitchen", "Turns off 4 things in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
    ["bedroom off", "Nothing to do for 3 lights in Bedroom", ""],
    ["counter off", "Turns off Counter", "light.turn_off light.kitchen_counter"],
    ["lamp 2 on", "Turns on Lamp 2", "light.turn_on light.lamp_2"],
    ["bedroom 19", "Sets Bedroom heating to 19\u00a0°C", 'climate.set_temperature climate.bedroom {"temperature":19}'],
    ["bedroom 19.5°", "Sets Bedroom heating to 19.5\u00a0°C", 'climate.set_temperature climate.bedroom {"temperature":19.5}'],
    ["set bedroom to 19 degrees", "Sets Bedroom heating to 19\u00a0°C", 'climate.set_temperature climate.bedroom {"temperature":19}'],
    ["bedroom 60 %", "Sets 3 lights in Bedroom to 60%", 'light.turn_on light.bedroom,light.lamp_2,light.lamp_10 {"brightness_pct":60}'],
    ["lamp 2 on 40%", "Sets Lamp 2 to 40%", 'light.turn_on light.lamp_2 {"brightness_pct":40}'],
    ["counter 30", "Sets Counter to 30%", 'light.turn_on light.kitchen_counter {"brightness_pct":30}'],
    ["kitchen blind 50", "Sets Kitchen blind to 50%", 'cover.set_cover_position cover.kitchen {"position":50}'],
    ["garage open", "Opens Garage door", "cover.open_cover cover.garage_door"],
    ["open garage", "Opens Garage door", "cover.open_cover cover.garage_door"],
    ["kitchen open", "Opens Kitchen blind", "cover.open_cover cover.kitchen"],
    ["lock front door", "Locks Front door lock", "lock.lock lock.front_door"],
    ["robby start", "Starts Robby", "vacuum.start vacuum.robot"],
    ["robby home", "Sends Robby home", "vacuum.return_to_base vacuum.robot"],
    ["press router restart", "Presses Router restart", "button.press button.restart"],
    ["pause kitchen radio", "Pauses Kitchen radio", "media_player.media_pause media_player.radio"],
    ["licht kitchen aus", "Turns off 2 lights in Kitchen", "light.turn_off light.kitchen_ceiling,light.kitchen_counter"],
  ])("“%s”: %s", (text, said, done) => {
    const [first] = commands(home, text);
    expect(first?.text).toBe(said);
    const [call] = first?.calls ?? [];
    const data = call && Object.keys(call.data).length > 0 ? ` ${JSON.stringify(call.data)}` : "";
    expect(call ? `${call.domain}.${call.service} ${call.ids.join(",")}${data}` : "").toBe(done);
  });

  test.each(["kitchen", "lamp 2", "off", "19", "zzz off", "safe unlock", "bedroom 900", "router 19", `${"a ".repeat(20)}off`])(
    "“%s” is no command",
    (text) => {
      expect(commands(home, text)).toEqual([]);
    },
  );

  test("who may only look has no commands, and others than administrators no settings", () => {
    const reader = homeOf(inEnglish, areas, { is_admin: false, is_read_only: true });
    expect(commands(reader, "kitchen off")).toEqual([]);
    const entries = new Entries(reader, places);
    expect(entries.find("settings")).toEqual([]);
    expect(entries.find("mqtt")).toEqual([]);
    expect(entries.find("hue")).toEqual([]);
    expect(entries.find("hall light")[0]?.item.link).toBeUndefined();
    expect(entries.find("history")[0]?.item.link).toBe("/history");
  });

  test("a change of the home is found, and what is gone is not", () => {
    const entries = new Entries(home, places);
    const changed = homeOf([["light.new", "Reading lamp", "off", "hall"]], { hall: "Entrance" });
    Object.assign(entries, { home: changed });
    entries.update();
    expect(entries.find("reading")[0]?.item.id).toBe("light.new");
    expect(entries.find("entrance").map(({ item }) => item.id)).toEqual(["room:hall", "light.new"]);
    expect(entries.find("counter")).toEqual([]);
  });

  test("a command is said with what it changes now", () => {
    expect(commands(home, "kitchen off")[0]?.note).toBe("Kitchen ceiling, Counter");
    expect(commands(home, "garage open")[0]?.note).toBe("Closed · Garage");
  });

  test("a name that is written from the right does not turn the sentence", () => {
    const strange = homeOf([["light.a", "مصباح", "on", ""]], {});
    expect(commands(strange, "مصباح off")[0]?.text).toBe("Turns off \u2068مصباح\u2069");
  });
});

describe("in German", () => {
  beforeAll(() => speak("de"));
  const home = homeOf(inGerman, germanAreas);

  test.each([
    ["küche", "room:kitchen"],
    ["kuche", "room:kitchen"],
    ["schlafzimer", "room:bedroom"],
    ["film", "scene.filmabend"],
    ["verlauf", "page:history"],
    ["einstellungen", "page:settings"],
    ["haustür", "lock.haustuer"],
    ["theke", "light.kueche_theke"],
  ])("“%s” finds %s first", (text, id) => {
    expect(firstOf(home, text)).toBe(id);
  });

  test.each([
    ["licht küche aus", "Schaltet 2 Lichter in Küche aus"],
    ["mach das Licht in der Küche aus", "Schaltet 2 Lichter in Küche aus"],
    ["Küche aus", "Schaltet 2 Lichter in Küche aus"],
    ["alle lichter aus", "Schaltet 2 Lichter aus"],
    ["schlafzimmer 19", "Stellt Heizung Schlafzimmer auf 19\u00a0°C"],
    ["stell schlafzimmer auf 19,5 grad", "Stellt Heizung Schlafzimmer auf 19,5\u00a0°C"],
    ["schlafzimmer licht an", "Schaltet Schlafzimmerlicht ein"],
    ["theke 30 prozent", "Stellt Theke auf 30\u00a0%"],
    ["garage auf", "Öffnet Garagentor"],
    ["garagentor öffnen", "Öffnet Garagentor"],
    ["rollladen küche runter", "Schließt Rollladen Küche"],
    ["küche off", "Schaltet 2 Lichter in Küche aus"],
    ["haustür absperren", "Sperrt Haustür ab"],
  ])("“%s”: %s", (text, said) => {
    expect(commands(home, text)[0]?.text).toBe(said);
  });
});
