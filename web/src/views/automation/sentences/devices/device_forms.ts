// SPDX-License-Identifier: Apache-2.0
// The forms of devices that the hub knows, by `domain` and `type`, as src/automation/config/device_forms.cpp has it.
import type { Key } from "../../../../i18n/catalogue";
import type { Config } from "../edit";

// The meaning of a trigger or a condition for an entity.
export interface Meaning {
  text: Key;
  // That its state is this, of such a class.
  state?: string;
  deviceClass?: string;
  // A part of it: of a number that is within limits, or of a choice.
  part?: Key;
  limits?: boolean;
  // The key that says which choice or zone it is.
  key?: string;
}

const onOff = [
  "light",
  "switch",
  "fan",
  "humidifier",
  "remote",
  "siren",
  "update",
  "media_player",
  "input_boolean",
  "group",
  "water_heater",
];

const positions = ["open", "closed", "opening", "closing"];
const states: Record<string, string[]> = {
  cover: positions,
  valve: positions,
  lock: ["locked", "unlocked", "locking", "unlocking", "jammed", "open", "opening"],
  vacuum: ["cleaning", "docked"],
  lawn_mower: ["mowing", "docked"],
  alarm_control_panel: [
    "disarmed",
    "triggered",
    "arming",
    "armed_home",
    "armed_away",
    "armed_night",
    "armed_vacation",
    "armed_custom_bypass",
  ],
  media_player: ["idle", "paused", "playing", "buffering"],
  device_tracker: ["home", "not_home"],
  person: ["home", "not_home"],
};

// Of a binary sensor by its class: what it is called while it is on, and while it is off.
const opening: [string, string] = ["open", "not_open"];
const binary: Record<string, [on: string, off: string]> = {
  battery: ["bat_low", "not_bat_low"],
  battery_charging: ["charging", "not_charging"],
  carbon_monoxide: ["co", "no_co"],
  cold: ["cold", "not_cold"],
  connectivity: ["connected", "not_connected"],
  door: opening,
  garage_door: opening,
  gas: ["gas", "no_gas"],
  heat: ["hot", "not_hot"],
  light: ["light", "no_light"],
  lock: ["not_locked", "locked"],
  moisture: ["moist", "not_moist"],
  motion: ["motion", "no_motion"],
  moving: ["moving", "not_moving"],
  occupancy: ["occupied", "not_occupied"],
  opening,
  plug: ["plugged_in", "not_plugged_in"],
  power: ["powered", "not_powered"],
  presence: ["present", "not_present"],
  problem: ["problem", "no_problem"],
  running: ["running", "not_running"],
  safety: ["unsafe", "not_unsafe"],
  smoke: ["smoke", "no_smoke"],
  sound: ["sound", "no_sound"],
  tamper: ["tampered", "not_tampered"],
  update: ["update", "no_update"],
  vibration: ["vibration", "no_vibration"],
  window: opening,
};

// Names that triggers have otherwise.
const triggerWords: Record<string, string> = { turned_on: "on", turned_off: "off", opened: "open", not_opened: "not_open" };
const triggerMeanings: Record<string, Meaning> = {
  changed_states: { text: "device.changes" },
  toggled: { text: "device.changes" },
  value_changed: { text: "device.changes" },
  pressed: { text: "device.pressed" },
  hvac_mode_changed: { text: "device.partChanges", part: "data.hvac_mode", key: "to" },
  current_option_changed: { text: "device.partChanges", part: "data.option", key: "to" },
  enters: { text: "device.enters", key: "zone" },
  leaves: { text: "device.leaves", key: "zone" },
  current_temperature_changed: { text: "device.part", part: "device.measuredTemperature", limits: true },
  current_humidity_changed: { text: "device.part", part: "device.measuredHumidity", limits: true },
  target_humidity_changed: { text: "device.part", part: "data.humidity", limits: true },
};
const choices: Record<string, Meaning> = {
  is_hvac_mode: { text: "device.part", part: "data.hvac_mode", key: "hvac_mode" },
  is_preset_mode: { text: "device.part", part: "data.preset_mode", key: "preset_mode" },
  is_mode: { text: "device.part", part: "data.mode", key: "mode" },
  selected_option: { text: "device.part", part: "data.option", key: "option" },
};
// Further keys that a trigger or a condition of this meaning may have.
export function keysOfMeaning({ trigger }: Config, { limits, key }: Meaning): string[] {
  if (key === "zone") return [key];
  return [
    ...(limits ? ["above", "below"] : []),
    ...(key ? [key] : []),
    ...(key === "to" ? ["from"] : []),
    ...(limits && trigger === undefined ? [] : ["for"]),
  ];
}

// The attribute that has what can be chosen.
export const choicesIn: Record<string, string> = {
  hvac_mode: "hvac_modes",
  preset_mode: "preset_modes",
  mode: "available_modes",
  option: "options",
};

const is = (state: string, deviceClass?: string): Meaning => ({
  text: "device.is",
  state,
  ...(deviceClass !== undefined && { deviceClass }),
});

// `word` as conditions have it after "is_".
function wordMeaning(domain: string, word: string): Meaning | undefined {
  const isOnOff = word === "on" || word === "off";
  if (states[domain]?.includes(word) || (isOnOff && (onOff.includes(domain) || domain === "binary_sensor"))) return is(word);
  if (domain === "sensor") return { text: "device.part", part: "data.value", limits: true };
  if ((domain === "cover" || domain === "valve") && word === "position")
    return { text: "device.part", part: "data.position", limits: true };
  if (domain === "cover" && word === "tilt_position") return { text: "device.part", part: "data.tilt_position", limits: true };
  if (domain !== "binary_sensor") return undefined;
  const found = Object.entries(binary).find(([, words]) => words.includes(word));
  return found && is(found[1][0] === word ? "on" : "off", found[0]);
}

// Undefined if there is no such type.
export function meaningOf({ trigger, domain, type }: Config): Meaning | undefined {
  if (typeof domain !== "string" || typeof type !== "string") return undefined;
  if (trigger === undefined) return choices[type] ?? (type.startsWith("is_") ? wordMeaning(domain, type.slice(3)) : undefined);
  return triggerMeanings[type] ?? wordMeaning(domain, triggerWords[type] ?? type);
}

// The types of conditions that such an entity may have.
export function conditionTypes(domain: string, attributes: Config): string[] {
  const has = (key: string) => attributes[key] !== undefined && attributes[key] !== null;
  const { device_class: name } = attributes;
  if (domain === "binary_sensor") return (binary[String(name)] ?? ["on", "off"]).map((word) => `is_${word}`);
  if (domain === "sensor")
    return has("unit_of_measurement") || has("state_class")
      ? [`is_${!has("device_class") ? "value" : name === "battery" ? "battery_level" : String(name)}`]
      : [];
  return [
    ...(onOff.includes(domain) ? ["is_on", "is_off"] : []),
    ...(states[domain] ?? []).map((state) => `is_${state}`),
    ...(has("current_position") ? ["is_position"] : []),
    ...(domain === "cover" && has("current_tilt_position") ? ["is_tilt_position"] : []),
    ...(domain === "climate" ? ["is_hvac_mode"] : []),
    ...(domain === "climate" && has("preset_modes") ? ["is_preset_mode"] : []),
    ...(domain === "humidifier" && has("available_modes") ? ["is_mode"] : []),
    ...(domain === "select" ? ["selected_option"] : []),
  ];
}

// The types of triggers that such an entity may have.
export function triggerTypes(domain: string, attributes: Config): string[] {
  const has = (key: string) => attributes[key] !== undefined && attributes[key] !== null;
  const opens = ["cover", "valve", "binary_sensor"].includes(domain);
  const called: Record<string, string> = { on: "turned_on", off: "turned_off", ...(opens && { open: "opened", not_open: "not_opened" }) };
  const words = conditionTypes(domain, attributes)
    .filter((type) => type.startsWith("is_") && !(type in choices))
    .map((type) => called[type.slice(3)] ?? type.slice(3));
  return [
    ...words,
    ...(onOff.includes(domain) ? ["changed_states"] : []),
    ...(domain === "button" || domain === "input_button" ? ["pressed"] : []),
    ...(domain === "select" ? ["current_option_changed"] : []),
    ...(domain === "climate" ? ["hvac_mode_changed"] : []),
    ...(domain === "climate" && has("current_temperature") ? ["current_temperature_changed"] : []),
    ...((domain === "climate" || domain === "humidifier") && has("current_humidity") ? ["current_humidity_changed"] : []),
    ...(domain === "humidifier" ? ["target_humidity_changed"] : []),
  ];
}

// The service of a step, and the keys of the step that are its data: "position=tilt_position" where the service calls it otherwise.
const steps: Record<string, Record<string, string>> = {
  light: {
    turn_on: "turn_on brightness_pct flash",
    brightness_increase: "turn_on",
    brightness_decrease: "turn_on",
    flash: "turn_on flash brightness_pct",
  },
  cover: {
    open: "open_cover",
    close: "close_cover",
    stop: "stop_cover",
    set_position: "set_cover_position position",
    open_tilt: "open_cover_tilt",
    close_tilt: "close_cover_tilt",
    set_tilt_position: "set_cover_tilt_position position=tilt_position",
  },
  lock: { lock: "lock", unlock: "unlock", open: "open" },
  climate: { set_hvac_mode: "set_hvac_mode hvac_mode", set_preset_mode: "set_preset_mode preset_mode" },
  vacuum: { clean: "start", dock: "return_to_base" },
  lawn_mower: { mow: "start_mowing", pause: "pause", dock: "dock" },
  button: { press: "press" },
  input_button: { press: "press" },
  alarm_control_panel: {
    arm_home: "alarm_arm_home code",
    arm_away: "alarm_arm_away code",
    arm_night: "alarm_arm_night code",
    arm_vacation: "alarm_arm_vacation code",
    disarm: "alarm_disarm code",
    trigger: "alarm_trigger code",
  },
  select: {
    select_option: "select_option option",
    select_first: "select_first",
    select_last: "select_last",
    select_next: "select_next cycle",
    select_previous: "select_previous cycle",
  },
  number: { set_value: "set_value value" },
  text: { set_value: "set_value value" },
  humidifier: { set_humidity: "set_humidity humidity", set_mode: "set_mode mode" },
};
const switched: Record<string, string> = { turn_on: "turn_on", turn_off: "turn_off", toggle: "toggle" };
// Actions with another name than their service.
export const stepWords: Record<string, Key> = {
  brightness_increase: "device.brighter",
  brightness_decrease: "device.darker",
  flash: "data.flash",
  notify: "device.notify",
};

export interface DeviceStep {
  type: string;
  service: string;
  // Of the step, and of the service.
  keys: [key: string, field: string][];
}

export function deviceSteps(domain: string): DeviceStep[] {
  // The service is the telephone's own.
  if (domain === "mobile_app")
    return [{ type: "notify", service: "notify.notify", keys: ["message", "title", "data"].map((key) => [key, key]) }];
  const own = onOff.includes(domain) ? { ...switched, ...steps[domain] } : (steps[domain] ?? {});
  return Object.entries(own).map(([type, text]) => {
    const [service = "", ...keys] = text.split(" ");
    return { type, service: `${domain}.${service}`, keys: keys.map((key) => [key.split("=")[0] ?? "", key.split("=")[1] ?? key]) };
  });
}

export function deviceStep({ domain, type }: Config): DeviceStep | undefined {
  return deviceSteps(String(domain)).find((step) => step.type === type);
}
