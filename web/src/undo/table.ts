// SPDX-License-Identifier: Apache-2.0
// How each service of each domain is taken back: by a call that brings an entity to the state before. A service that is
// not here cannot be taken back: a button stays pressed, a message is sent, a scene does not know what was before, and a
// door that was unlocked may have been opened.
import { numberOf } from "../api/samples";
import type { Attributes, Entity } from "../api/types";
import { shineOf } from "./shine";

// A service call for an entity. Without `ids` the entity itself is meant.
export interface Step {
  service: string;
  data?: Attributes;
  ids?: string[];
}

// The aim of a call: the values that an attribute, or "state", then has.
export type Aim = Record<string, unknown[]>;

export interface Row {
  // Undefined if the state before does not tell enough.
  back: (before: Entity, data: Attributes) => Step | Step[] | undefined;
  aim: (before: Entity, data: Attributes) => Aim;
}

type Rows = Record<string, Row>;

const isKnown = (value: unknown) => value !== undefined && value !== null;
const can = ({ attributes }: Entity, feature: number) => (Number(attributes.supported_features) & feature) !== 0;
const noAim = (): Aim => ({});

// A service with a field that becomes an attribute, or "state", is taken back by itself.
function value(service: string, field: string, attribute = field, read: (text: string) => unknown = String): Rows {
  const was = (before: Entity) => (attribute === "state" ? read(before.state) : before.attributes[attribute]);
  return {
    [service]: {
      back: (before) => (isKnown(was(before)) ? { service, data: { [field]: was(before) } } : undefined),
      aim: (_, data) => (isKnown(data[field]) ? { [attribute]: [data[field]] } : {}),
    },
  };
}

// Services that change the state, each with what it leads to, and the service that leads back to a state.
function states(services: Record<string, string[] | undefined>, back: (before: Entity) => Step | undefined): Rows {
  return Object.fromEntries(
    Object.entries(services).map(([service, aims]) => [service, { back, aim: () => (aims ? { state: aims } : {}) }]),
  );
}

// Something that is on or off.
function power(back: (before: Entity) => Step = ({ state }) => ({ service: state === "off" ? "turn_off" : "turn_on" })): Rows {
  return {
    turn_on: { back, aim: () => ({ state: ["on"] }) },
    turn_off: { back, aim: () => ({ state: ["off"] }) },
    toggle: { back, aim: ({ state }) => ({ state: [state === "off" ? "on" : "off"] }) },
  };
}

const number = (service: string, field: string): Rows => value(service, field, "state", numberOf);

// A number, or one of some options, that several services move.
const moved = (set: Rows, service: string, ...by: string[]): Rows => {
  const { back } = set[service] as Row;
  return { ...set, ...Object.fromEntries(by.map((other) => [other, { back, aim: noAim }])) };
};

const steps = ["select_next", "select_previous", "select_first", "select_last"];

// Things that a motor moves: their position is where they go back to; without one only their ends are.
function travel(open: string, close: string, set: string, positioned: number, attribute: string, field: string, isSlats = false): Rows {
  const back = (before: Entity): Step | undefined => {
    const position = before.attributes[attribute];
    if (typeof position === "number" && can(before, positioned)) return { service: set, data: { [field]: position } };
    const end =
      typeof position === "number" ? { 0: close, 100: open }[position] : isSlats ? undefined : { open, closed: close }[before.state];
    return end === undefined ? undefined : { service: end };
  };
  const ends = (isOpen: boolean): Aim => {
    if (isSlats) return { [attribute]: [isOpen ? 100 : 0] };
    return { state: isOpen ? ["open", "opening"] : ["closed", "closing"] };
  };
  const isOpen = ({ state, attributes }: Entity) => (isSlats ? attributes[attribute] !== 0 : state === "open" || state === "opening");
  return {
    [open]: { back, aim: () => ends(true) },
    [close]: { back, aim: () => ends(false) },
    [isSlats ? "toggle_cover_tilt" : "toggle"]: { back, aim: (before) => ends(!isOpen(before)) },
    [set]: { back, aim: (_, data) => ({ [attribute]: [data[field]] }) },
  };
}

const targets = ["temperature", "target_temp_low", "target_temp_high"];

// The temperatures that a thermostat held.
function held({ attributes }: Entity): Attributes {
  return Object.fromEntries(targets.filter((name) => isKnown(attributes[name])).map((name) => [name, attributes[name]]));
}

const isPreset = (preset: unknown) => typeof preset === "string" && preset !== "none";
const some = (data: Attributes): Attributes | undefined => (Object.keys(data).length > 0 ? data : undefined);

function climate(): Rows {
  const mode = ({ state }: Entity): Step => ({ service: "set_hvac_mode", data: { hvac_mode: state } });
  return {
    turn_on: { back: mode, aim: noAim },
    turn_off: { back: mode, aim: () => ({ state: ["off"] }) },
    toggle: { back: mode, aim: noAim },
    set_hvac_mode: { back: mode, aim: (_, data) => ({ state: [data.hvac_mode] }) },
    set_temperature: {
      // A preset has its own temperature, which it brings back.
      back: (before, data) => {
        const changesMode = isKnown(data.hvac_mode) && data.hvac_mode !== before.state;
        const preset = before.attributes.preset_mode;
        if (isPreset(preset) && !changesMode) return { service: "set_preset_mode", data: { preset_mode: preset } };
        const was = before.state === "off" ? {} : held(before);
        if (changesMode && !some(was)) return mode(before);
        return some(was) && { service: "set_temperature", data: { ...was, ...(changesMode && { hvac_mode: before.state }) } };
      },
      aim: (_, data) => ({
        ...Object.fromEntries(targets.filter((name) => isKnown(data[name])).map((name) => [name, [data[name]]])),
        ...(isKnown(data.hvac_mode) && { state: [data.hvac_mode] }),
      }),
    },
    set_preset_mode: {
      back: (before) => {
        const preset = before.attributes.preset_mode;
        if (!isKnown(preset)) return undefined;
        const was = before.state === "off" || isPreset(preset) ? undefined : some(held(before));
        const step = { service: "set_preset_mode", data: { preset_mode: preset } };
        return was ? [step, { service: "set_temperature", data: was }] : step;
      },
      aim: (_, data) => ({ preset_mode: [data.preset_mode] }),
    },
    ...value("set_humidity", "humidity"),
    ...value("set_fan_mode", "fan_mode"),
    ...value("set_swing_mode", "swing_mode"),
    ...value("set_swing_horizontal_mode", "swing_horizontal_mode"),
  };
}

function fan(): Rows {
  const back = ({ state, attributes: { percentage, preset_mode } }: Entity): Step => {
    if (state === "off") return { service: "turn_off" };
    if (isPreset(preset_mode)) return { service: "turn_on", data: { preset_mode } };
    return { service: "turn_on", ...(typeof percentage === "number" && percentage > 0 && { data: { percentage } }) };
  };
  return {
    ...power(back),
    set_percentage: { back, aim: (_, data) => ({ state: [data.percentage === 0 ? "off" : "on"], percentage: [data.percentage] }) },
    set_preset_mode: { back, aim: (_, data) => ({ preset_mode: [data.preset_mode] }) },
    increase_speed: { back, aim: noAim },
    decrease_speed: { back, aim: noAim },
    ...value("oscillate", "oscillating"),
    ...value("set_direction", "direction"),
  };
}

function light(): Rows {
  const back = (before: Entity): Step => (before.state === "off" ? { service: "turn_off" } : { service: "turn_on", data: shineOf(before) });
  const level = ({ brightness, brightness_pct: percent, white }: Attributes) =>
    typeof percent === "number" ? Math.round(percent * 2.55) : (brightness ?? white);
  const turnOn = (_: Entity, data: Attributes): Aim => {
    const wanted = level(data);
    if (wanted === 0) return { state: ["off"] };
    const { transition: _t, brightness: _b, brightness_pct: _p, white: _w, ...colour } = data;
    const colours = Object.entries(colour).map(([name, each]) => [name, [each]]);
    return { state: ["on"], ...(isKnown(wanted) && { brightness: [wanted] }), ...(Object.fromEntries(colours) as Aim) };
  };
  const flashes = ({ back, aim }: Row): Row => ({ aim, back: (before, data) => (isKnown(data.flash) ? undefined : back(before, data)) });
  const { turn_off, toggle } = power(back) as Record<"turn_off" | "toggle", Row>;
  return { turn_on: flashes({ back, aim: turnOn }), turn_off: flashes(turn_off), toggle: flashes(toggle) };
}

const asleep = new Set(["off", "standby"]);

function mediaPlayer(): Rows {
  const isOn = ({ state }: Entity) => !asleep.has(state);
  const switched = (before: Entity): Step => ({ service: isOn(before) ? "turn_on" : "turn_off" });
  const playing = ({ state }: Entity): Step | undefined => {
    const service = { playing: "media_play", buffering: "media_play", paused: "media_pause", idle: "media_stop" }[state];
    return service === undefined ? undefined : { service };
  };
  const volume = value("volume_set", "volume_level");
  const louder = (other: string): Row => ({
    back: (before, data) => (can(before, 4) ? (volume.volume_set as Row).back(before, data) : { service: other }),
    aim: noAim,
  });
  return {
    turn_on: { back: switched, aim: noAim },
    turn_off: { back: switched, aim: () => ({ state: [...asleep] }) },
    toggle: { back: switched, aim: noAim },
    ...volume,
    volume_up: louder("volume_down"),
    volume_down: louder("volume_up"),
    ...value("volume_mute", "is_volume_muted"),
    ...value("select_source", "source"),
    ...value("select_sound_mode", "sound_mode"),
    ...value("shuffle_set", "shuffle"),
    ...value("repeat_set", "repeat"),
    ...states({ media_play: ["playing", "buffering"], media_pause: ["paused"], media_play_pause: undefined }, playing),
    join: {
      back: (before, data) => {
        const were = Array.isArray(before.attributes.group_members) ? before.attributes.group_members : [];
        const members = Array.isArray(data.group_members) ? (data.group_members as string[]) : [];
        const ids = members.filter((id) => id !== before.entity_id && !were.includes(id));
        return ids.length > 0 ? { service: "unjoin", ids } : undefined;
      },
      aim: noAim,
    },
    unjoin: {
      back: ({ entity_id, attributes: { group_members: members } }) => {
        const others = Array.isArray(members) ? members.filter((id): id is string => typeof id === "string" && id !== entity_id) : [];
        const [first] = others;
        return first === undefined ? undefined : { service: "join", ids: [first], data: { group_members: [entity_id] } };
      },
      aim: noAim,
    },
  };
}

// Robots go on with what they did.
const robot = (services: Record<string, string[] | undefined>, by: Record<string, string>): Rows =>
  states(services, ({ state }) => (Object.hasOwn(by, state) ? { service: by[state] as string } : undefined));

function waterHeater(): Rows {
  const mode = ({ state }: Entity): Step =>
    state === "off" ? { service: "turn_off" } : { service: "set_operation_mode", data: { operation_mode: state } };
  return {
    turn_on: { back: mode, aim: noAim },
    turn_off: { back: mode, aim: () => ({ state: ["off"] }) },
    set_operation_mode: { back: mode, aim: (_, data) => ({ state: [data.operation_mode] }) },
    ...value("set_temperature", "temperature"),
    ...value("set_away_mode", "away_mode"),
  };
}

const motion = ({ attributes: { motion_detection: on } }: Entity): Step | undefined =>
  typeof on === "boolean" ? { service: on ? "enable_motion_detection" : "disable_motion_detection" } : undefined;
const dateTime = ({ state, attributes: { has_date: date, has_time: time } }: Entity): Step => ({
  service: "set_datetime",
  data: date && time ? { datetime: state } : date ? { date: state } : { time: state },
});

const table: Record<string, Rows> = {
  automation: power(),
  camera: {
    enable_motion_detection: { back: motion, aim: () => ({ motion_detection: [true] }) },
    disable_motion_detection: { back: motion, aim: () => ({ motion_detection: [false] }) },
  },
  climate: climate(),
  counter: moved(number("set_value", "value"), "set_value", "increment", "decrement", "reset"),
  cover: {
    ...travel("open_cover", "close_cover", "set_cover_position", 4, "current_position", "position"),
    ...travel("open_cover_tilt", "close_cover_tilt", "set_cover_tilt_position", 128, "current_tilt_position", "tilt_position", true),
  },
  date: value("set_value", "date", "state"),
  datetime: value("set_value", "datetime", "state"),
  fan: fan(),
  humidifier: { ...power(), ...value("set_humidity", "humidity"), ...value("set_mode", "mode") },
  input_boolean: power(),
  input_datetime: { set_datetime: { back: dateTime, aim: noAim } },
  input_number: moved(number("set_value", "value"), "set_value", "increment", "decrement"),
  input_select: moved(value("select_option", "option", "state"), "select_option", ...steps),
  input_text: value("set_value", "value", "state"),
  lawn_mower: robot(
    { start_mowing: ["mowing"], pause: ["paused"], dock: ["returning", "docked"] },
    { mowing: "start_mowing", paused: "pause", docked: "dock", returning: "dock" },
  ),
  light: light(),
  media_player: mediaPlayer(),
  number: number("set_value", "value"),
  remote: power(),
  select: moved(value("select_option", "option", "state"), "select_option", ...steps),
  siren: power(),
  switch: power(),
  text: value("set_value", "value", "state"),
  time: value("set_value", "time", "state"),
  vacuum: {
    ...robot(
      { start: ["cleaning"], pause: ["paused"], stop: ["idle"], return_to_base: ["returning", "docked"], clean_spot: ["cleaning"] },
      { cleaning: "start", paused: "pause", idle: "stop", docked: "return_to_base", returning: "return_to_base" },
    ),
    ...value("set_fan_speed", "fan_speed"),
  },
  valve: travel("open_valve", "close_valve", "set_valve_position", 4, "current_position", "position"),
  water_heater: waterHeater(),
};

// The names of that in other domains.
const names: Record<string, Record<string, string>> = {
  cover: { turn_on: "open_cover", turn_off: "close_cover" },
  valve: { turn_on: "open_valve", turn_off: "close_valve" },
};

// By the domain of the entity: a call may be for entities of any, as those of `homeassistant` are.
export function rowOf(domain: string, service: string): Row | undefined {
  const rows = Object.hasOwn(table, domain) ? (table[domain] as Rows) : {};
  const own = names[domain]?.[service] ?? service;
  return Object.hasOwn(rows, own) ? rows[own] : undefined;
}

// All of it, for tests.
export const undoable = Object.entries(table).flatMap(([domain, rows]) => Object.keys(rows).map((service) => `${domain}.${service}`));
