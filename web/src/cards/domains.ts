// SPDX-License-Identifier: Apache-2.0
// The pages' knowledge of each domain beside the hub's kinds: its drawing, its place on the overview, the part of it that
// stands on its card and what in its dialog alone, and words. A domain that is not here has a card, too.
import {
  mdiAccount,
  mdiAirHumidifier,
  mdiBell,
  mdiBullhorn,
  mdiCalendar,
  mdiCalendarClock,
  mdiCamera,
  mdiClock,
  mdiCounter,
  mdiCrosshairsGps,
  mdiEye,
  mdiFan,
  mdiFormTextbox,
  mdiFormatListBulleted,
  mdiFormatListChecks,
  mdiGestureDoubleTap,
  mdiGestureTapButton,
  mdiGoogleCirclesCommunities,
  mdiImage,
  mdiLightbulb,
  mdiLightbulbOutline,
  mdiLock,
  mdiLockOpenVariant,
  mdiMapMarkerRadius,
  mdiPackageUp,
  mdiPalette,
  mdiRayVertex,
  mdiRemote,
  mdiRobot,
  mdiRobotMower,
  mdiRobotVacuum,
  mdiScriptText,
  mdiShieldHome,
  mdiSpeaker,
  mdiSquare,
  mdiSquareOutline,
  mdiTag,
  mdiThermostat,
  mdiTimerOutline,
  mdiToggleSwitch,
  mdiToggleSwitchOffOutline,
  mdiValve,
  mdiWaterBoiler,
  mdiWeatherPartlyCloudy,
  mdiWeatherSunny,
  mdiWindowShutter,
  mdiWindowShutterOpen,
} from "@mdi/js";

import { numberOf } from "../api/samples";
import type { Entity } from "../api/types";
import type { Key } from "../i18n/catalogue";

// [at rest, when it is on or open]; one where they are the same.
export type Drawing = string | [string, string];

// The things that a summary counts.
export const counts = ["lights", "open", "unlocked", "playing"] as const;
export type Count = (typeof counts)[number];

export interface Domain {
  icon: Drawing;
  // The values that are to be seen as being on; `lively` if nothing is said.
  active?: string[];
  // Attributes that are said beside the value.
  beside?: string[];
  // Services that only the entity's dialog has; whose text is sent, and not shown as the entity's own.
  inDialog?: string[];
  sent?: string[];
  // Services that the card leaves out, if it has that other one; with their own name: always.
  leftFor?: Record<string, string>;
  // Attributes that two services turn on and off.
  switches?: Record<string, { on: string; off: string }>;
  // When a service makes sense.
  when?: Record<string, (entity: Entity) => boolean>;
  // When a service would change nothing: its button is disabled.
  idle?: Record<string, (entity: Entity) => boolean>;
  counted?: (entity: Entity) => Count | undefined;
  // Of a card of its own: about how high it is on the overview, in rem.
  height?: number | ((entity: Entity) => number);
  // Its picture stands on its card.
  pictured?: boolean;
  // A motor moves it: its sliders move by as much as a finger.
  motor?: boolean;
  // Of its services and their fields, if they are not among `words`.
  words?: Record<string, Key>;
}

// How high a row of the overview is, in rem: most cards are one.
export const rowHeight = 3.75;

export const lively = ["on", "open", "opening", "unlocked", "unlocking"];
const runs = ({ state }: Entity): boolean => state === "active";
const toggles: Drawing = [mdiToggleSwitchOffOutline, mdiToggleSwitch];

// Classes that are noteworthy when they stand open; a blind is not.
const entrances = new Set(["door", "garage", "garage_door", "gate", "opening", "window"]);

export function isEntrance({ attributes }: Entity): boolean {
  return entrances.has(String(attributes.device_class));
}

// True if a cover or valve stands at the end where it is open or closed. One that only assumes its state may stand elsewhere.
const isAt =
  (end: "open" | "closed", attribute = "current_position") =>
  ({ state, attributes }: Entity): boolean => {
    if (attributes.assumed_state === true) return false;
    const position = attributes[attribute];
    if (typeof position === "number") return position === (end === "open" ? 100 : 0) && state !== "opening" && state !== "closing";
    return attribute === "current_position" && state === end;
  };

// In the order of the overview: what is used by hand comes first, then what is looked at.
const table = {
  light: {
    icon: [mdiLightbulbOutline, mdiLightbulb],
    height: rowHeight,
    counted: ({ state }) => (state === "on" ? "lights" : undefined),
  },
  cover: {
    icon: [mdiWindowShutter, mdiWindowShutterOpen],
    height: rowHeight,
    counted: (entity) => (["open", "opening", "closing"].includes(entity.state) && isEntrance(entity) ? "open" : undefined),
    idle: {
      open_cover: isAt("open"),
      close_cover: isAt("closed"),
      open_cover_tilt: isAt("open", "current_tilt_position"),
      close_cover_tilt: isAt("closed", "current_tilt_position"),
    },
  },
  climate: {
    icon: mdiThermostat,
    height: ({ attributes }) => (Array.isArray(attributes.preset_modes) || Array.isArray(attributes.hvac_modes) ? 10.6 : 7.5),
  },
  fan: { icon: mdiFan, height: rowHeight },
  humidifier: {
    icon: mdiAirHumidifier,
    beside: ["current_humidity"],
    inDialog: ["set_mode"],
    words: { mode: "field.mode", humidity: "field.target" },
  },
  water_heater: {
    icon: mdiWaterBoiler,
    active: ["eco", "electric", "performance", "high_demand", "heat_pump", "gas"],
    beside: ["current_temperature"],
    inDialog: ["set_away_mode"],
    words: { temperature: "field.target" },
  },
  switch: { icon: toggles, height: rowHeight },
  lock: {
    icon: [mdiLock, mdiLockOpenVariant],
    height: rowHeight,
    counted: ({ state }) => (["unlocked", "unlocking", "open", "opening", "jammed"].includes(state) ? "unlocked" : undefined),
  },
  valve: {
    icon: mdiValve,
    active: ["open", "opening", "closing"],
    beside: ["current_position"],
    motor: true,
    inDialog: ["set_valve_position"],
    idle: { open_valve: isAt("open"), close_valve: isAt("closed") },
  },
  media_player: {
    icon: mdiSpeaker,
    active: ["on", "playing", "buffering"],
    counted: ({ state }) => (state === "playing" ? "playing" : undefined),
    height: ({ state, attributes }) => (state === "off" || state === "standby" ? rowHeight : attributes.media_title ? 15 : 7.9),
  },
  vacuum: {
    icon: mdiRobotVacuum,
    active: ["cleaning", "returning"],
    height: 7.5,
  },
  lawn_mower: {
    icon: mdiRobotMower,
    active: ["mowing", "returning"],
  },
  alarm_control_panel: {
    icon: mdiShieldHome,
    active: ["pending", "arming", "triggered"],
    height: 11.2,
  },
  siren: { icon: mdiBullhorn },
  scene: { icon: mdiPalette, words: { turn_on: "generic.activate" } },
  script: { icon: mdiScriptText },
  todo: {
    icon: mdiFormatListChecks,
    active: [],
    height: ({ state }) => 7.9 + 2.75 * Math.min(5, numberOf(state) ?? 0),
    sent: ["add_item"],
    inDialog: ["remove_completed_items"],
    leftFor: { update_item: "update_item", remove_item: "remove_item" },
    words: { add_item: "do.add", remove_completed_items: "todo.removeDone", item: "field.item" },
  },
  remote: { icon: mdiRemote, leftFor: { learn_command: "learn_command" } },
  button: { icon: mdiGestureTapButton },
  input_button: { icon: mdiGestureTapButton },
  input_boolean: { icon: toggles },
  input_number: { icon: mdiRayVertex, leftFor: { increment: "set_value", decrement: "set_value" } },
  input_select: {
    icon: mdiFormatListBulleted,
    leftFor: {
      select_next: "select_option",
      select_previous: "select_option",
      select_first: "select_option",
      select_last: "select_option",
      set_options: "set_options",
    },
  },
  input_text: { icon: mdiFormTextbox, inDialog: ["set_value"] },
  input_datetime: { icon: mdiClock, inDialog: ["set_datetime"] },
  number: { icon: mdiRayVertex },
  select: {
    icon: mdiFormatListBulleted,
    leftFor: {
      select_next: "select_option",
      select_previous: "select_option",
      select_first: "select_option",
      select_last: "select_option",
    },
  },
  text: { icon: mdiFormTextbox, inDialog: ["set_value"] },
  date: { icon: mdiCalendar, inDialog: ["set_value"] },
  time: { icon: mdiClock, inDialog: ["set_value"] },
  datetime: { icon: mdiCalendarClock, inDialog: ["set_value"] },
  timer: {
    icon: mdiTimerOutline,
    active: ["active"],
    beside: ["remaining"],
    inDialog: ["finish", "change"],
    when: { start: (timer) => !runs(timer), pause: runs, cancel: ({ state }) => state !== "idle", finish: runs, change: runs },
    words: { start: "do.start", pause: "do.pause", cancel: "do.cancelTimer", finish: "do.finish", change: "do.change" },
  },
  counter: {
    icon: mdiCounter,
    inDialog: ["reset", "set_value"],
    words: { increment: "do.increase", decrement: "do.decrease", reset: "do.reset" },
  },
  automation: { icon: mdiRobot },
  notify: { icon: mdiBell, sent: ["send_message"], inDialog: ["send_message"] },
  update: {
    icon: mdiPackageUp,
    beside: ["latest_version"],
    when: {
      install: ({ state, attributes }) => state === "on" && attributes.in_progress !== true,
      skip: ({ state, attributes }) => state === "on" && attributes.in_progress !== true,
      clear_skipped: ({ attributes }) => typeof attributes.skipped_version === "string",
    },
  },
  event: { icon: mdiGestureDoubleTap, beside: ["event_type"] },
  tag: { icon: mdiTag },
  image: { icon: mdiImage, pictured: true },
  calendar: {
    icon: mdiCalendar,
    height: ({ attributes }) => (attributes.message ? 6.8 : rowHeight),
    leftFor: { create_event: "create_event", update_event: "update_event", delete_event: "delete_event" },
  },
  camera: {
    icon: mdiCamera,
    active: ["streaming", "recording"],
    pictured: true,
    inDialog: ["turn_on", "turn_off", "enable_motion_detection", "disable_motion_detection"],
    switches: { motion_detection: { on: "enable_motion_detection", off: "disable_motion_detection" } },
    words: { motion_detection: "field.motionDetection" },
  },
  device_tracker: { icon: mdiCrosshairsGps },
  person: { icon: mdiAccount },
  group: { icon: mdiGoogleCirclesCommunities, active: ["on", "home", "open", "unlocked"] },
  schedule: { icon: mdiCalendarClock },
  sun: { icon: mdiWeatherSunny },
  weather: { icon: mdiWeatherPartlyCloudy, active: [], height: 14.9 },
  zone: { icon: mdiMapMarkerRadius },
  binary_sensor: {
    icon: [mdiSquareOutline, mdiSquare],
    height: rowHeight,
    counted: (entity) =>
      entity.state !== "on" ? undefined : isEntrance(entity) ? "open" : entity.attributes.device_class === "lock" ? "unlocked" : undefined,
  },
  sensor: {
    icon: mdiEye,
    height: rowHeight,
  },
} satisfies Record<string, Domain>;

export const domains: [string, Domain][] = Object.entries(table);
const byName = new Map(domains);
const places = new Map(domains.map(([name], place) => [name, place]));
// The rank of the first domain that is only looked at.
export const looked = places.get("binary_sensor") as number;

// Of services and their fields.
export const words: Record<string, Key> = {
  alarm_arm_away: "do.armAway",
  alarm_arm_custom_bypass: "do.armBypass",
  alarm_arm_home: "do.armHome",
  alarm_arm_night: "do.armNight",
  alarm_arm_vacation: "do.armVacation",
  alarm_disarm: "do.disarm",
  alarm_trigger: "do.trigger",
  clean_spot: "do.cleanSpot",
  clear_playlist: "do.clearPlaylist",
  clear_skipped: "do.clearSkipped",
  close_valve: "do.close",
  dock: "do.dock",
  install: "do.install",
  locate: "do.locate",
  media_next_track: "do.next",
  media_pause: "do.pause",
  media_play: "do.play",
  media_play_pause: "do.playPause",
  media_previous_track: "do.previous",
  media_stop: "do.stop",
  open_valve: "do.open",
  pause: "do.pause",
  press: "generic.press",
  return_to_base: "do.dock",
  select_first: "do.first",
  select_last: "do.last",
  select_next: "do.next",
  select_previous: "do.previous",
  send_message: "do.send",
  set_value: "do.set",
  skip: "do.skip",
  start: "do.start",
  start_mowing: "do.start",
  stop: "do.stop",
  stop_valve: "do.stop",
  turn_off: "do.turnOff",
  turn_on: "do.turnOn",
  volume_down: "do.quieter",
  volume_up: "do.louder",

  activity: "field.activity",
  away_mode: "field.awayMode",
  fan_speed: "field.fanSpeed",
  is_volume_muted: "field.muted",
  message: "field.message",
  operation_mode: "field.mode",
  position: "field.position",
  repeat: "field.repeat",
  shuffle: "field.shuffle",
  sound_mode: "field.soundMode",
  source: "field.source",
  volume_level: "field.volume",
};

export function domainOf(name: string): Domain | undefined {
  return byName.get(name);
}

// Where entities of a domain stand among others: what is not known comes before what is only looked at.
export function rankOf(name: string): number {
  return places.get(name) ?? looked - 0.5;
}

// The key of what a service of a domain does, or of what one of its fields is.
export function wordKey(domain: string, name: string): Key | undefined {
  return byName.get(domain)?.words?.[name] ?? (Object.hasOwn(words, name) ? words[name] : undefined);
}

export function isActive({ entity_id, state }: Entity): boolean {
  return (byName.get(entity_id.slice(0, entity_id.indexOf(".")))?.active ?? lively).includes(state);
}

function known({ entity_id }: Entity): Domain | undefined {
  return byName.get(entity_id.slice(0, entity_id.indexOf(".")));
}

export function countOf(entity: Entity): Count | undefined {
  return known(entity)?.counted?.(entity);
}

// True if a service would change nothing.
export function isIdle(entity: Entity, service: string): boolean {
  return known(entity)?.idle?.[service]?.(entity) ?? false;
}
