// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { Asked, Home } from "../api/home";
import type { Attributes, Entity, Kind } from "../api/types";
import { callsOf, movedBy } from "./offer";
import { rowOf, undoable } from "./table";

let clock = 1;
function entity(entity_id: string, state: string, attributes: Attributes = {}, context: Partial<Entity["context"]> = {}): Entity {
  return {
    entity_id,
    state,
    attributes,
    context: { id: "first", parent_id: null, user_id: null, ...context },
    last_changed: (clock += 1),
    last_updated: clock,
  };
}

const field = (name: string, sets?: string) => [name, { description: "", required: false, selector: {}, ...(sets && { sets }) }] as const;
const kinds = new Map<string, Kind>([
  [
    "light",
    {
      domain: "light",
      value: { selector: {} },
      features: [],
      attributes: [],
      actions: [{ service: "turn_on", name: "", fields: Object.fromEntries([field("brightness"), field("effect")]) }],
    },
  ],
  [
    "cover",
    {
      domain: "cover",
      value: { selector: {} },
      features: [],
      attributes: [],
      actions: [{ service: "set_cover_position", name: "", fields: Object.fromEntries([field("position", "current_position")]) }],
    },
  ],
]);
const home = { areaOf: () => undefined, kinds } as unknown as Home;

function asked(service: string, entities: Entity[], data: Attributes = {}, ids = entities.map(({ entity_id }) => entity_id)): Asked {
  const [domain = "", name = ""] = service.split(".");
  const before = new Map(entities.map((each) => [each.entity_id, each]));
  return {
    domain,
    service: name,
    data,
    target: { entity_id: ids },
    before,
    done: Promise.resolve({ id: "ours", parent_id: null, user_id: "u" }),
    takesBack: false,
    batch: undefined,
  };
}

// The calls as texts: "light.turn_on light.a,light.b {…}".
const backOf = (call: Asked, first?: ReadonlyMap<string, Entity>): string[] =>
  callsOf(movedBy(home, call, first)).map(
    ({ domain, service, data, ids }) =>
      `${domain}.${service} ${ids.join(",")}${Object.keys(data).length > 0 ? ` ${JSON.stringify(data)}` : ""}`,
  );

const on = { brightness: 120, color_mode: "color_temp", color_temp_kelvin: 2700 };

// [what is called, with what, the state before, its attributes, what takes it back]; an empty text if nothing does.
const cases: [string, Attributes, string, Attributes, string][] = [
  ["light.turn_on", {}, "off", {}, "light.turn_off light.x"],
  ["light.turn_on", {}, "on", {}, ""],
  ["light.turn_off", {}, "on", on, 'light.turn_on light.x {"brightness":120,"color_temp_kelvin":2700}'],
  ["light.turn_on", { brightness_pct: 80 }, "on", on, 'light.turn_on light.x {"brightness":120,"color_temp_kelvin":2700}'],
  ["light.turn_on", { brightness_pct: 0 }, "on", on, 'light.turn_on light.x {"brightness":120,"color_temp_kelvin":2700}'],
  [
    "light.turn_on",
    { hs_color: [30, 80] },
    "on",
    { ...on, color_mode: "hs", hs_color: [1, 2] },
    'light.turn_on light.x {"brightness":120,"hs_color":[1,2]}',
  ],
  [
    "light.turn_on",
    { effect: "candle" },
    "on",
    { ...on, effect: "rainbow" },
    'light.turn_on light.x {"brightness":120,"color_temp_kelvin":2700,"effect":"rainbow"}',
  ],
  ["light.turn_on", { flash: "short" }, "off", {}, ""],
  ["light.turn_off", {}, "unavailable", {}, ""],
  ["light.turn_off", {}, "unknown", {}, ""],
  ["homeassistant.toggle", {}, "on", on, 'light.turn_on light.x {"brightness":120,"color_temp_kelvin":2700}'],
  ["switch.toggle", {}, "on", {}, "switch.turn_on switch.x"],
  ["automation.turn_off", {}, "on", {}, "automation.turn_on automation.x"],
  ["siren.turn_on", {}, "off", {}, "siren.turn_off siren.x"],
  ["input_boolean.toggle", {}, "off", {}, "input_boolean.turn_off input_boolean.x"],
  ["cover.open_cover", {}, "closed", { current_position: 0, supported_features: 15 }, 'cover.set_cover_position cover.x {"position":0}'],
  ["cover.close_cover", {}, "open", { current_position: 40, supported_features: 15 }, 'cover.set_cover_position cover.x {"position":40}'],
  [
    "cover.set_cover_position",
    { position: 10 },
    "opening",
    { current_position: 40, supported_features: 4 },
    'cover.set_cover_position cover.x {"position":40}',
  ],
  ["cover.open_cover", {}, "closed", { supported_features: 3 }, "cover.close_cover cover.x"],
  ["cover.close_cover", {}, "open", { current_position: 40, supported_features: 3 }, ""],
  ["cover.toggle", {}, "open", {}, "cover.open_cover cover.x"],
  ["cover.stop_cover", {}, "opening", {}, ""],
  [
    "cover.set_cover_tilt_position",
    { tilt_position: 10 },
    "open",
    { current_tilt_position: 60, supported_features: 255 },
    'cover.set_cover_tilt_position cover.x {"tilt_position":60}',
  ],
  ["cover.open_cover_tilt", {}, "open", { current_tilt_position: 0, supported_features: 48 }, "cover.close_cover_tilt cover.x"],
  ["valve.close_valve", {}, "open", {}, "valve.open_valve valve.x"],
  [
    "climate.set_temperature",
    { temperature: 23 },
    "heat",
    { temperature: 21, preset_mode: "none" },
    'climate.set_temperature climate.x {"temperature":21}',
  ],
  [
    "climate.set_temperature",
    { temperature: 23 },
    "heat",
    { temperature: 17, preset_mode: "eco" },
    'climate.set_preset_mode climate.x {"preset_mode":"eco"}',
  ],
  [
    "climate.set_temperature",
    { target_temp_low: 18, target_temp_high: 25 },
    "heat_cool",
    { temperature: null, target_temp_low: 19, target_temp_high: 24 },
    'climate.set_temperature climate.x {"target_temp_low":19,"target_temp_high":24}',
  ],
  ["climate.set_hvac_mode", { hvac_mode: "off" }, "heat", { temperature: 21 }, 'climate.set_hvac_mode climate.x {"hvac_mode":"heat"}'],
  [
    "climate.set_preset_mode",
    { preset_mode: "away" },
    "heat",
    { temperature: 21, preset_mode: "none" },
    'climate.set_preset_mode climate.x {"preset_mode":"none"}|climate.set_temperature climate.x {"temperature":21}',
  ],
  ["climate.set_fan_mode", { fan_mode: "high" }, "cool", { fan_mode: "auto" }, 'climate.set_fan_mode climate.x {"fan_mode":"auto"}'],
  ["climate.set_humidity", { humidity: 60 }, "dry", { humidity: 50 }, 'climate.set_humidity climate.x {"humidity":50}'],
  ["humidifier.set_humidity", { humidity: 60 }, "on", { humidity: 50 }, 'humidifier.set_humidity humidifier.x {"humidity":50}'],
  ["humidifier.set_mode", { mode: "sleep" }, "on", { mode: "auto" }, 'humidifier.set_mode humidifier.x {"mode":"auto"}'],
  [
    "water_heater.set_temperature",
    { temperature: 60 },
    "eco",
    { temperature: 50 },
    'water_heater.set_temperature water_heater.x {"temperature":50}',
  ],
  [
    "water_heater.set_operation_mode",
    { operation_mode: "gas" },
    "eco",
    {},
    'water_heater.set_operation_mode water_heater.x {"operation_mode":"eco"}',
  ],
  ["water_heater.turn_off", {}, "eco", {}, 'water_heater.set_operation_mode water_heater.x {"operation_mode":"eco"}'],
  ["fan.set_percentage", { percentage: 70 }, "off", { percentage: 0 }, "fan.turn_off fan.x"],
  ["fan.set_percentage", { percentage: 70 }, "on", { percentage: 33 }, 'fan.turn_on fan.x {"percentage":33}'],
  ["fan.turn_off", {}, "on", { percentage: 50, preset_mode: "sleep" }, 'fan.turn_on fan.x {"preset_mode":"sleep"}'],
  ["fan.oscillate", { oscillating: true }, "on", { oscillating: false }, 'fan.oscillate fan.x {"oscillating":false}'],
  ["fan.set_direction", { direction: "reverse" }, "on", { direction: "forward" }, 'fan.set_direction fan.x {"direction":"forward"}'],
  [
    "media_player.volume_set",
    { volume_level: 0.8 },
    "playing",
    { volume_level: 0.3 },
    'media_player.volume_set media_player.x {"volume_level":0.3}',
  ],
  [
    "media_player.volume_up",
    {},
    "playing",
    { volume_level: 0.3, supported_features: 4 },
    'media_player.volume_set media_player.x {"volume_level":0.3}',
  ],
  ["media_player.volume_up", {}, "playing", { supported_features: 1024 }, "media_player.volume_down media_player.x"],
  [
    "media_player.volume_mute",
    { is_volume_muted: true },
    "playing",
    { is_volume_muted: false },
    'media_player.volume_mute media_player.x {"is_volume_muted":false}',
  ],
  [
    "media_player.select_source",
    { source: "TV" },
    "playing",
    { source: "Radio" },
    'media_player.select_source media_player.x {"source":"Radio"}',
  ],
  ["media_player.select_source", { source: "TV" }, "playing", {}, ""],
  ["media_player.media_pause", {}, "playing", {}, "media_player.media_play media_player.x"],
  ["media_player.turn_off", {}, "playing", {}, "media_player.turn_on media_player.x"],
  ["media_player.media_next_track", {}, "playing", {}, ""],
  [
    "media_player.join",
    { group_members: ["media_player.a", "media_player.b"] },
    "playing",
    { group_members: ["media_player.x", "media_player.a"] },
    "media_player.unjoin media_player.b",
  ],
  [
    "media_player.unjoin",
    {},
    "playing",
    { group_members: ["media_player.a", "media_player.x"] },
    'media_player.join media_player.a {"group_members":["media_player.x"]}',
  ],
  ["vacuum.start", {}, "docked", {}, "vacuum.return_to_base vacuum.x"],
  ["vacuum.return_to_base", {}, "cleaning", {}, "vacuum.start vacuum.x"],
  ["vacuum.set_fan_speed", { fan_speed: "max" }, "cleaning", { fan_speed: "quiet" }, 'vacuum.set_fan_speed vacuum.x {"fan_speed":"quiet"}'],
  ["vacuum.locate", {}, "docked", {}, ""],
  ["lawn_mower.dock", {}, "mowing", {}, "lawn_mower.start_mowing lawn_mower.x"],
  ["input_number.set_value", { value: 5 }, "3", {}, 'input_number.set_value input_number.x {"value":3}'],
  ["input_number.increment", {}, "3", {}, 'input_number.set_value input_number.x {"value":3}'],
  ["counter.reset", {}, "3", {}, 'counter.set_value counter.x {"value":3}'],
  ["input_select.select_next", {}, "home", {}, 'input_select.select_option input_select.x {"option":"home"}'],
  ["select.select_option", { option: "b" }, "a", {}, 'select.select_option select.x {"option":"a"}'],
  ["text.set_value", { value: "b" }, "a", {}, 'text.set_value text.x {"value":"a"}'],
  ["input_text.set_value", { value: "b" }, "a", {}, 'input_text.set_value input_text.x {"value":"a"}'],
  ["date.set_value", { date: "2026-01-02" }, "2026-01-01", {}, 'date.set_value date.x {"date":"2026-01-01"}'],
  ["time.set_value", { time: "08:00:00" }, "07:00:00", {}, 'time.set_value time.x {"time":"07:00:00"}'],
  [
    "datetime.set_value",
    { datetime: "2026-01-02 08:00:00" },
    "2026-01-01T07:00:00+00:00",
    {},
    'datetime.set_value datetime.x {"datetime":"2026-01-01T07:00:00+00:00"}',
  ],
  [
    "input_datetime.set_datetime",
    { time: "08:00:00" },
    "07:00:00",
    { has_date: false, has_time: true },
    'input_datetime.set_datetime input_datetime.x {"time":"07:00:00"}',
  ],
  ["number.set_value", { value: 5 }, "3", {}, 'number.set_value number.x {"value":3}'],
  ["camera.enable_motion_detection", {}, "idle", { motion_detection: false }, "camera.disable_motion_detection camera.x"],
  ["remote.turn_on", {}, "off", {}, "remote.turn_off remote.x"],
  ["lock.unlock", {}, "locked", {}, ""],
  ["alarm_control_panel.alarm_disarm", {}, "armed_away", {}, ""],
  ["button.press", {}, "unknown", {}, ""],
  ["scene.turn_on", {}, "unknown", {}, ""],
  ["script.turn_on", {}, "off", {}, ""],
];

test.each(cases)("%s %j of what is %s %j is taken back by “%s”", (service, data, state, attributes, back) => {
  const domain = service.startsWith("homeassistant.") ? "light" : (service.split(".")[0] as string);
  const call = asked(service, [entity(`${domain}.x`, state, attributes)], data);
  expect(backOf(call).join("|")).toBe(back);
});

// Nothing brings these back: they press, send, move on, or open what somebody may have gone through.
const final = `
alarm_control_panel.alarm_disarm alarm_control_panel.alarm_arm_home alarm_control_panel.alarm_arm_away alarm_control_panel.alarm_arm_night
alarm_control_panel.alarm_arm_vacation alarm_control_panel.alarm_arm_custom_bypass alarm_control_panel.alarm_trigger button.press
calendar.create_event calendar.update_event calendar.delete_event calendar.get_events camera.turn_on camera.turn_off camera.snapshot
cover.stop_cover cover.stop_cover_tilt device_tracker.see group.set group.remove input_button.press input_select.set_options
lock.lock lock.unlock lock.open media_player.media_stop media_player.media_next_track media_player.media_previous_track
media_player.media_seek media_player.clear_playlist media_player.play_media notify.send_message remote.send_command remote.learn_command
remote.delete_command scene.turn_on scene.apply scene.create scene.delete schedule.get_schedule timer.start timer.pause timer.cancel
timer.finish timer.change todo.add_item todo.update_item todo.remove_item todo.remove_completed_items todo.move_item todo.get_items
update.install update.skip update.clear_skipped vacuum.clean_area vacuum.locate vacuum.send_command valve.stop_valve weather.get_forecasts`
  .trim()
  .split(/\s+/);

// docs/domains.md has all services of all domains.
const documented = [...readFileSync(new URL("../../../docs/domains.md", import.meta.url), "utf8").matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(
  ([, name]) => name as string,
);

test("each service of each domain is taken back, or is known to be final", () => {
  expect(documented.length).toBeGreaterThan(150);
  const known = [...undoable, ...final];
  expect(documented.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !documented.includes(name) && !name.startsWith("automation."))).toEqual([]);
  expect(undoable.filter((name) => final.includes(name))).toEqual([]);
});

test("no service of a domain or of any name breaks the table", () => {
  for (const name of [...documented, "constructor.constructor", "light.__proto__", "light.toString"]) {
    const [domain = "", service = ""] = name.split(".");
    for (const state of ["on", "off", "open", "3", "😀", ""]) {
      const before = entity(`${domain}.x`, state, { supported_features: 1e6, group_members: 3, preset_mode: {} } as Attributes);
      expect(() => rowOf(domain, service)?.back(before, {})).not.toThrow();
      expect(() => rowOf(domain, service)?.aim(before, {})).not.toThrow();
    }
  }
});

describe("several", () => {
  test("of a room are turned on again by one call for each shine", () => {
    const lamps = [
      entity("light.a", "on", on),
      entity("light.b", "on", on),
      entity("light.c", "on", { brightness: 9 }),
      entity("light.d", "off"),
    ];
    expect(backOf(asked("light.turn_off", lamps))).toEqual([
      'light.turn_on light.a,light.b {"brightness":120,"color_temp_kelvin":2700}',
      'light.turn_on light.c {"brightness":9}',
    ]);
  });

  test("members stand for their group, also within another, and within itself", () => {
    const lamps = [
      entity("light.all", "on", { entity_id: ["light.a", "light.inner", "light.all"] }),
      entity("light.inner", "on", { entity_id: ["light.b", "light.a"] }),
      entity("light.a", "on", { brightness: 9 }),
      entity("light.b", "off"),
    ];
    expect(backOf(asked("light.turn_off", lamps, {}, ["light.all"]))).toEqual(['light.turn_on light.a {"brightness":9}']);
  });

  test("calls on one slider go back to before the first", () => {
    const first = entity("light.a", "on", { brightness: 30 });
    const later = entity("light.a", "on", { brightness: 90 });
    const call = asked("light.turn_on", [later], { brightness_pct: 60 });
    expect(backOf(call, new Map([["light.a", first]]))).toEqual(['light.turn_on light.a {"brightness":30}']);
    expect(backOf(asked("light.turn_on", [later], { brightness_pct: 12 }), new Map([["light.a", first]]))).toEqual([]);
  });
});

describe("somebody else", () => {
  const isOurs = ({ context }: Entity) => context.id === "ours";
  const ours = { id: "ours", user_id: "u" };
  const other = { id: "other", user_id: "v" };
  const device = { id: "device" };
  const foreign = (call: Asked, ...changes: Entity[]) => {
    const [moved] = movedBy(home, call);
    for (const change of changes) moved?.see(change);
    return moved?.isForeign(isOurs);
  };
  const off = asked("light.turn_off", [entity("light.a", "on", { brightness: 30 })]);
  const level = asked("light.turn_on", [entity("light.a", "on", { brightness: 30 })], { brightness_pct: 60 });
  const open = asked("cover.open_cover", [entity("cover.a", "closed", { current_position: 0, supported_features: 15 })]);

  test.each([
    ["nothing was reported", off, [], false],
    ["our own change", off, [entity("light.a", "off", {}, ours)], false],
    ["somebody turned it on again", off, [entity("light.a", "off", {}, ours), entity("light.a", "on", {}, other)], true],
    [
      "somebody turned it on and off again",
      off,
      [entity("light.a", "off", {}, ours), entity("light.a", "on", {}, other), entity("light.a", "off", {}, other)],
      true,
    ],
    ["an automation did", off, [entity("light.a", "off", {}, ours), entity("light.a", "on", {}, { id: "run", parent_id: "motion" })], true],
    ["its switch at the wall, as if by our call", off, [entity("light.a", "off", {}, ours), entity("light.a", "on", {}, ours)], true],
    ["its switch at the wall", off, [entity("light.a", "off", {}, ours), entity("light.a", "on", {}, device)], true],
    [
      "somebody dimmed it",
      level,
      [entity("light.a", "on", { brightness: 153 }, ours), entity("light.a", "on", { brightness: 10 }, other)],
      true,
    ],
    [
      "a lamp that fades",
      level,
      [entity("light.a", "on", { brightness: 80 }, ours), entity("light.a", "on", { brightness: 153 }, device)],
      false,
    ],
    [
      "a lamp that rounds",
      level,
      [entity("light.a", "on", { brightness: 153 }, ours), entity("light.a", "on", { brightness: 152 }, device)],
      false,
    ],
    ["what nobody sets", off, [entity("light.a", "off", {}, ours), entity("light.a", "off", { linkquality: 3 }, other)], false],
    [
      "a blind on its way",
      open,
      [entity("cover.a", "opening", { current_position: 0 }, ours), entity("cover.a", "open", { current_position: 100 }, device)],
      false,
    ],
    [
      "a blind that was stopped",
      open,
      [entity("cover.a", "opening", { current_position: 0 }, ours), entity("cover.a", "closing", { current_position: 30 }, other)],
      true,
    ],
    ["an earlier time by a clock that jumped", off, [{ ...entity("light.a", "off", {}, ours), last_changed: -5 }], false],
  ])("%s", (_, call, changes, expected) => {
    expect(foreign(call, ...changes)).toBe(expected);
  });

  test("many changes are bounded, and the last counts", () => {
    const [moved] = movedBy(home, level);
    for (let i = 0; i < 5000; i += 1) moved?.see(entity("light.a", "on", { brightness: 153, linkquality: i }, ours));
    expect(moved?.isForeign(isOurs)).toBe(false);
    moved?.see(entity("light.a", "off", {}, other));
    expect(moved?.isForeign(isOurs)).toBe(true);
  });
});
