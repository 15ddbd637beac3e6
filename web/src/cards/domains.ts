// SPDX-License-Identifier: Apache-2.0
// What the pages know of each domain beside what the hub tells with `hearth/kinds`: its drawing, its place on the overview, what of it
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
  mdiFormatListBulleted,
  mdiFormatListChecks,
  mdiFormTextbox,
  mdiGestureDoubleTap,
  mdiGestureTapButton,
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

import type { Entity } from "../api/types";
import type { Key } from "../i18n/catalogue";

// [at rest, when it is on or open]; one where they are the same.
export type Drawing = string | [string, string];

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
  // When a service makes sense.
  when?: Record<string, (entity: Entity) => boolean>;
  // Its picture stands on its card.
  pictured?: boolean;
  // A motor moves it: its sliders move by as much as a finger.
  motor?: boolean;
  // Of its services and their fields, if they are not among `words`.
  words?: Record<string, Key>;
}

const lively = ["on", "open", "opening", "unlocked", "unlocking"];
const toggles: Drawing = [mdiToggleSwitchOffOutline, mdiToggleSwitch];

// In the order of the overview: what is used by hand comes first, then what is looked at.
const table = {
  light: { icon: [mdiLightbulbOutline, mdiLightbulb] },
  cover: { icon: [mdiWindowShutter, mdiWindowShutterOpen] },
  climate: { icon: mdiThermostat },
  fan: { icon: mdiFan },
  humidifier: { icon: mdiAirHumidifier, beside: ["current_humidity"], words: { mode: "field.mode", humidity: "field.target" } },
  water_heater: {
    icon: mdiWaterBoiler,
    active: ["eco", "electric", "performance", "high_demand", "heat_pump", "gas"],
    beside: ["current_temperature"],
    inDialog: ["set_away_mode"],
    words: { temperature: "field.target" },
  },
  switch: { icon: toggles },
  lock: { icon: [mdiLock, mdiLockOpenVariant] },
  valve: { icon: mdiValve, active: ["open", "opening", "closing"], beside: ["current_position"], motor: true },
  media_player: { icon: mdiSpeaker, active: ["on", "playing", "buffering"] },
  vacuum: { icon: mdiRobotVacuum, active: ["cleaning", "returning"] },
  lawn_mower: { icon: mdiRobotMower, active: ["mowing", "returning"] },
  alarm_control_panel: { icon: mdiShieldHome, active: ["pending", "arming", "triggered"] },
  siren: { icon: mdiBullhorn },
  scene: { icon: mdiPalette, words: { turn_on: "generic.activate" } },
  script: { icon: mdiScriptText },
  todo: {
    icon: mdiFormatListChecks,
    active: [],
    sent: ["add_item"],
    inDialog: ["remove_completed_items"],
    leftFor: { update_item: "update_item", remove_item: "remove_item" },
    words: { add_item: "do.add", remove_completed_items: "todo.removeDone", item: "field.item" },
  },
  remote: { icon: mdiRemote, leftFor: { learn_command: "learn_command" } },
  button: { icon: mdiGestureTapButton },
  input_button: { icon: mdiGestureTapButton },
  input_boolean: { icon: toggles },
  input_number: { icon: mdiRayVertex },
  input_select: { icon: mdiFormatListBulleted },
  input_text: { icon: mdiFormTextbox },
  input_datetime: { icon: mdiClock },
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
  text: { icon: mdiFormTextbox },
  date: { icon: mdiCalendar },
  time: { icon: mdiClock },
  datetime: { icon: mdiCalendarClock },
  timer: { icon: mdiTimerOutline },
  counter: { icon: mdiCounter },
  automation: { icon: mdiRobot },
  notify: { icon: mdiBell, sent: ["send_message"] },
  update: {
    icon: mdiPackageUp,
    beside: ["latest_version"],
    when: {
      install: ({ state, attributes }) => state === "on" && attributes.in_progress !== true,
      skip: ({ state }) => state === "on",
      clear_skipped: ({ attributes }) => typeof attributes.skipped_version === "string",
    },
  },
  event: { icon: mdiGestureDoubleTap, beside: ["event_type"] },
  tag: { icon: mdiTag },
  image: { icon: mdiImage, pictured: true },
  calendar: {
    icon: mdiCalendar,
    leftFor: { create_event: "create_event", update_event: "update_event", delete_event: "delete_event" },
  },
  camera: {
    icon: mdiCamera,
    active: ["streaming", "recording"],
    pictured: true,
    inDialog: ["turn_on", "turn_off", "enable_motion_detection", "disable_motion_detection"],
  },
  device_tracker: { icon: mdiCrosshairsGps },
  person: { icon: mdiAccount },
  sun: { icon: mdiWeatherSunny },
  weather: { icon: mdiWeatherPartlyCloudy, active: [] },
  zone: { icon: mdiMapMarkerRadius },
  binary_sensor: { icon: [mdiSquareOutline, mdiSquare] },
  sensor: { icon: mdiEye },
} satisfies Record<string, Domain>;

const byName = new Map<string, Domain>(Object.entries(table));
const places = new Map(Object.keys(table).map((name, place) => [name, place]));
const looked = places.get("binary_sensor") as number;

// Of services and their fields.
const words: Record<string, Key> = {
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
