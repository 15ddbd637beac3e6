// SPDX-License-Identifier: Apache-2.0
// The triggers and conditions by purpose, as src/automation/purposes/purpose_rows.cpp has them: of which entities each is, and its words.
type Section = "triggers" | "conditions";

export interface Source {
  domain: string;
  // Empty: of any class.
  deviceClass: string;
}

export interface Purpose {
  // "light.turned_on"
  name: string;
  section: Section;
  // Its words in the languages: purpose.a.NOUN, of a number purpose.the.NOUN, and purpose.does.DOES.
  noun: string;
  does: string;
  sources: Source[];
  // Of numbers: whether any new one counts, too, and the unit in which a limit is meant.
  number?: "changed" | "within";
  unit: string;
  // The option that says which mode, text or zone it is.
  option?: string;
  // The subject: entities that the target names, the zone of the option, or the sun.
  about: "target" | "zone" | "sun";
  // It may have `behavior` and `for`.
  lasts: boolean;
  // A time of the sun: it may have an offset.
  isSunTime: boolean;
  // Another name of one that is offered.
  isOld: boolean;
}

// Of one noun: names without what stands before the point; "=" is followed by the word, "(" by the option, "!" says that it lasts no
// time, "~" that it is old.
interface Group {
  before: string;
  noun: string;
  sources: string;
  triggers?: string;
  conditions?: string;
}

const onOff = { triggers: "turned_on turned_off", conditions: "is_on is_off" };
const opens = { triggers: "opened closed", conditions: "is_open is_closed" };
const senses = (what: string, prefix = "", not = "is_not_detected") => ({
  triggers: `${prefix}detected=senses_${what} ${prefix}cleared=senses_no_more_${what}`,
  conditions: `is_${prefix}detected=senses_${what} ${not}=senses_no_${what}`,
});
const cover = (name: string): Group => ({
  before: "cover",
  noun: name,
  sources: `cover/${name}`,
  triggers: `${name}_opened=opened ${name}_closed=closed`,
  conditions: `${name}_is_open=is_open ${name}_is_closed=is_closed`,
});
const air = (noun: string, what: string, deviceClass: string): Group => ({
  before: "air_quality",
  noun,
  sources: `binary_sensor/${deviceClass}`,
  ...senses(what, `${what}_`, `is_${what}_cleared`),
});
const robot = (before: string, word: string): Group => ({
  before,
  noun: before,
  sources: before,
  triggers: `started_${word} paused_${word}=paused started_returning returned_to_dock ~docked=returned_to_dock errored${before === "lawn_mower" ? " became_idle" : ""}`,
  conditions: `is_${word} is_paused is_returning is_docked is_encountering_an_error${before === "lawn_mower" ? " is_idle" : ""}`,
});
const same = (before: string, more: Partial<Group>): Group => ({ before, noun: before, sources: before, ...more });

const groups: Group[] = [
  same("light", onOff),
  same("switch", { sources: "switch input_boolean", ...onOff }),
  same("fan", onOff),
  same("motion", { sources: "binary_sensor/motion", ...senses("motion") }),
  same("occupancy", { sources: "binary_sensor/occupancy", ...senses("presence") }),
  {
    before: "binary_sensor",
    noun: "occupancy",
    sources: "binary_sensor/occupancy",
    triggers: "~occupancy_detected=senses_presence ~occupancy_cleared=senses_no_more_presence",
  },
  same("door", { sources: "binary_sensor/door cover/door", ...opens }),
  same("window", { sources: "binary_sensor/window cover/window", ...opens }),
  same("garage_door", { sources: "binary_sensor/garage_door cover/garage", ...opens }),
  same("gate", { sources: "cover/gate", ...opens }),
  cover("awning"),
  cover("blind"),
  cover("curtain"),
  cover("shade"),
  cover("shutter"),
  same("valve", opens),
  same("lock", { triggers: "locked unlocked opened jammed", conditions: "is_locked is_unlocked is_open is_jammed" }),
  same("person", { triggers: "entered_home left_home", conditions: "is_home is_not_home" }),
  same("device_tracker", { triggers: "entered_home left_home", conditions: "is_home is_not_home" }),
  same("zone", {
    noun: "person",
    sources: "person device_tracker",
    triggers: "entered(zone left(zone",
    conditions: "in_zone(zone not_in_zone(zone",
  }),
  same("zone", {
    triggers: "occupancy_detected=becomes_occupied(zone occupancy_cleared=becomes_empty(zone",
    conditions: "occupancy_is_detected=is_occupied(zone occupancy_is_not_detected=is_empty(zone",
  }),
  same("climate", {
    triggers: "turned_on turned_off hvac_mode_changed=mode_changed(hvac_mode started_heating started_cooling started_drying",
    conditions: "is_on is_off is_hvac_mode=is_mode(hvac_mode is_heating is_cooling is_drying",
  }),
  same("water_heater", {
    triggers: "turned_on turned_off operation_mode_changed=mode_changed(operation_mode",
    conditions: "is_on is_off is_operation_mode=is_mode(operation_mode",
  }),
  same("humidifier", {
    triggers: `${onOff.triggers} mode_changed(mode started_drying started_humidifying`,
    conditions: `${onOff.conditions} is_mode(mode is_drying is_humidifying`,
  }),
  same("moisture", { sources: "binary_sensor/moisture", ...senses("moisture") }),
  same("illuminance", { sources: "binary_sensor/light", ...senses("light") }),
  same("vibration", { sources: "binary_sensor/vibration", ...senses("vibration") }),
  air("smoke", "smoke", "smoke"),
  air("gas", "gas", "gas"),
  air("co", "co", "carbon_monoxide"),
  same("battery", { sources: "binary_sensor/battery", triggers: "became_low no_longer_low", conditions: "is_low is_not_low" }),
  same("battery", {
    sources: "binary_sensor/battery_charging",
    triggers: "started_charging stopped_charging",
    conditions: "is_charging is_not_charging",
  }),
  same("media_player", {
    triggers: `${onOff.triggers} started_playing paused_playing=paused stopped_playing muted unmuted`,
    conditions: "is_on is_off is_playing is_not_playing is_paused is_muted is_unmuted is_current_source(source",
  }),
  same("alarm_control_panel", {
    triggers: "armed armed_home armed_away armed_night armed_vacation disarmed triggered",
    conditions: "is_armed is_armed_home is_armed_away is_armed_night is_armed_vacation is_disarmed is_triggered",
  }),
  robot("vacuum", "cleaning"),
  robot("lawn_mower", "mowing"),
  same("siren", onOff),
  same("remote", onOff),
  same("button", { sources: "button input_button", triggers: "!pressed" }),
  same("scene", { triggers: "!activated" }),
  same("doorbell", { sources: "event/doorbell", triggers: "!rang" }),
  same("event", { triggers: "!received(event_type" }),
  same("select", { sources: "select input_select", triggers: "!selection_changed=changed", conditions: "is_option_selected(option" }),
  same("text", { sources: "text input_text", triggers: "!changed", conditions: "is_equal_to(value" }),
  same("timer", { triggers: "started=timer_started restarted paused finished cancelled", conditions: "is_active is_paused is_idle" }),
  same("counter", { triggers: "!incremented !decremented maximum_reached minimum_reached reset" }),
  same("schedule", { triggers: "block_started block_ended", conditions: onOff.conditions }),
  same("calendar", { conditions: "is_event_active" }),
  same("todo", { conditions: "all_completed" }),
  same("update", { triggers: "became_available ~update_became_available=became_available", conditions: "is_available is_not_available" }),
  same("assist_satellite", {
    triggers: "idle listening processing responding",
    conditions: "is_idle is_listening is_processing is_responding",
  }),
  same("sun", {
    triggers: "!sunrise !sunset !dawn !dusk !solar_noon !solar_midnight",
    conditions: "is_up is_set is_ascending is_descending",
  }),
];

// Of numbers: "trigger condition noun unit: sources"; "-" for what there is not.
const numbers = `
light.brightness_ light.is_brightness brightness %: light
temperature. temperature.is_value temperature °C: climate sensor/temperature water_heater weather
humidity. humidity.is_value humidity %: climate humidifier sensor/humidity weather
illuminance. illuminance.is_value illuminance_value lx: sensor/illuminance
moisture. moisture.is_value moisture_value %: sensor/moisture
power. power.is_value power W: sensor/power
battery.level_ battery.is_level battery_level %: sensor/battery
media_player.volume_ media_player.is_volume volume %: media_player
climate.target_temperature_ climate.is_target_temperature target_temperature °C: climate
climate.target_humidity_ climate.is_target_humidity target_humidity %: climate
climate.current_temperature_ - current_temperature °C: climate
climate.current_humidity_ - current_humidity %: climate
humidifier.current_humidity_ - humidifier_humidity %: humidifier
- humidifier.is_target_humidity humidifier_target %: humidifier
water_heater.target_temperature_ water_heater.is_target_temperature water_temperature °C: water_heater
air_quality.co2_ air_quality.is_co2_value co2 ppm: sensor/carbon_dioxide
air_quality.co_ air_quality.is_co_value co_value -: sensor/carbon_monoxide
air_quality.voc_ air_quality.is_voc_value voc -: sensor/volatile_organic_compounds
air_quality.voc_ratio_ air_quality.is_voc_ratio_value voc_ratio -: sensor/volatile_organic_compounds_parts
air_quality.pm1_ air_quality.is_pm1_value pm1 -: sensor/pm1
air_quality.pm25_ air_quality.is_pm25_value pm25 -: sensor/pm25
air_quality.pm4_ air_quality.is_pm4_value pm4 -: sensor/pm4
air_quality.pm10_ air_quality.is_pm10_value pm10 -: sensor/pm10
air_quality.no_ air_quality.is_no_value no -: sensor/nitrogen_monoxide
air_quality.no2_ air_quality.is_no2_value no2 -: sensor/nitrogen_dioxide
air_quality.n2o_ air_quality.is_n2o_value n2o -: sensor/nitrous_oxide
air_quality.ozone_ air_quality.is_ozone_value ozone -: sensor/ozone
air_quality.so2_ air_quality.is_so2_value so2 -: sensor/sulphur_dioxide
air_quality.radon_ air_quality.is_radon_value radon Bq/m³: sensor/radon
- counter.is_value count -: counter
- todo.incomplete todo_count -: todo
sun.elevation_ sun.elevation elevation °: sun`;

function sourcesOf(text: string): Source[] {
  return text.split(" ").map((source) => ({ domain: source.split("/")[0] ?? "", deviceClass: source.split("/")[1] ?? "" }));
}

function purposeOf(section: Section, { before, noun, sources }: Group, text: string): Purpose {
  const [, marks = "", name = "", does = name, option] = /^([!~]*)(\w+)(?:=(\w+))?(?:\((\w+))?$/.exec(text) ?? [];
  const isSun = before === "sun";
  return {
    name: `${before}.${name}`,
    section,
    noun,
    does,
    sources: sourcesOf(sources),
    unit: "",
    ...(option !== undefined && { option }),
    about: isSun ? "sun" : noun === "zone" ? "zone" : "target",
    lasts: !marks.includes("!"),
    isSunTime: isSun && section === "triggers",
    isOld: marks.includes("~"),
  };
}

function numbersOf(line: string): Purpose[] {
  const [words = "", sources = ""] = line.split(": ");
  const [trigger = "", condition = "", noun = "", unit = ""] = words.split(" ");
  const made = {
    noun,
    sources: sourcesOf(sources),
    unit: unit === "-" ? "" : unit,
    about: sources === "sun" ? "sun" : "target",
    isSunTime: false,
    isOld: false,
  } as const;
  return [
    ...(trigger === "-"
      ? []
      : [
          {
            ...made,
            name: `${trigger}changed`,
            section: "triggers" as const,
            does: "number_changed",
            number: "changed" as const,
            lasts: false,
          },
          {
            ...made,
            name: `${trigger}crossed_threshold`,
            section: "triggers" as const,
            does: "number_crossed",
            number: "within" as const,
            lasts: true,
          },
        ]),
    ...(condition === "-"
      ? []
      : [{ ...made, name: condition, section: "conditions" as const, does: "number_is", number: "within" as const, lasts: true }]),
  ];
}

export const purposes: Purpose[] = [
  ...groups.flatMap((group) => [
    ...(group.triggers?.split(" ") ?? []).map((text) => purposeOf("triggers", group, text)),
    ...(group.conditions?.split(" ") ?? []).map((text) => purposeOf("conditions", group, text)),
  ]),
  ...numbers.trim().split("\n").flatMap(numbersOf),
];

const byName = new Map(purposes.map((purpose) => [`${purpose.section} ${purpose.name}`, purpose]));

export function findPurpose(section: Section, name: unknown): Purpose | undefined {
  return byName.get(`${section} ${String(name)}`);
}
