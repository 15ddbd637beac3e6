// SPDX-License-Identifier: Apache-2.0
// The sentences of conditions; among steps they say whether to go on.
import {
  mdiClockOutline,
  mdiCodeBraces,
  mdiDevices,
  mdiGauge,
  mdiGateAnd,
  mdiGateNot,
  mdiGateOr,
  mdiMapMarker,
  mdiPlayCircleOutline,
  mdiStateMachine,
  mdiWeatherNight,
  mdiWeatherSunset,
  mdiWhiteBalanceSunny,
} from "virtual:icons/lazy";

import { t, type Key } from "../../../i18n/catalogue";
import type { Config } from "./edit";
import type { Block, Piece, SentenceKind, Slot } from "./kinds";
import {
  attributePiece,
  choice,
  duration,
  entity,
  limitPieces,
  maybe,
  numberPieces,
  options,
  piece,
  say,
  second,
  template,
  weekdayPiece,
} from "./slots/slots";

type Name =
  | "state"
  | "numeric_state"
  | "time"
  | "dark"
  | "light"
  | "sun"
  | "zone"
  | "device"
  | "trigger"
  | "and"
  | "or"
  | "not"
  | "template";

function condition(
  name: Name,
  icon: string,
  begin: () => Config,
  pieces: Piece[],
  blocks: Block[] = [],
  silent: string[] = [],
): SentenceKind {
  return {
    name,
    section: "conditions",
    icon,
    title: say(`add.condition.${name}` satisfies Key),
    hint: say(`add.condition.${name}.hint` satisfies Key),
    begin: () => ({ condition: name, ...begin() }),
    fits: (config) => config.condition === name,
    pieces,
    blocks,
    silent: ["condition", "continue_on_error", ...silent],
  };
}

const sunset = options(["sunset", "sentence.ofSunset"], ["sunrise", "sentence.ofSunrise"]);
const offset = (key: string): Slot => ({ key, type: "offset", label: say("slot.offset") });

const both = (key: "after" | "before") => (key === "before" ? second("after", "sentence.before", "sentence.andBefore") : {});

const offsetPiece = (key: "after" | "before") =>
  maybe(`sentence.offer.${key}Offset`, { [`${key}_offset`]: "-00:30:00" }, "sentence.shifted", { offset: offset(`${key}_offset`) });

function sunPieces(key: "after" | "before", begin: "sunset" | "sunrise"): Piece[] {
  return [
    maybe(`sentence.offer.${key}`, { [key]: begin }, `sentence.${key}`, { [key]: choice(key, "slot.sun", sunset) }, both(key)),
    offsetPiece(key),
  ];
}

// With a beginning alone it holds until midnight, with an end alone from midnight on.
const midnightPiece: Piece = {
  text: (config) =>
    "after" in config && !("before" in config)
      ? t("sentence.untilMidnight")
      : "before" in config && !("after" in config)
        ? t("sentence.sinceMidnight")
        : "",
  slots: {},
};

// Dark is from one event to the other, over midnight; light the other way round.
function daylight(name: "dark" | "light", icon: string, after: "sunset" | "sunrise", before: "sunset" | "sunrise"): SentenceKind {
  const pieces = [
    piece(`sentence.condition.${name}`, {}),
    offsetPiece("after"),
    piece(before === "sunrise" ? "sentence.toSunrise" : "sentence.toSunset", {}),
    offsetPiece("before"),
  ];
  return {
    ...condition(name, icon, () => ({}), pieces, [], ["after", "before"]),
    begin: () => ({ condition: "sun", after, before }),
    fits: (config) => config.condition === "sun" && config.after === after && config.before === before,
  };
}

const timePiece = (key: "after" | "before") =>
  maybe(
    `sentence.offer.${key}`,
    { [key]: key === "after" ? "07:00:00" : "22:00:00" },
    `sentence.${key}`,
    { [key]: { key, type: "time", label: say("slot.time") } },
    both(key),
  );

const inner = (heading: Key): Block[] => [{ key: "conditions", section: "conditions", heading: say(heading), plain: true }];

const sinceFor = maybe("sentence.offer.for", { for: { minutes: 5 } }, "sentence.sinceFor", { for: duration("for") });

// Which mode or option it is.
const deviceChoice = (key: "hvac_mode" | "preset_mode" | "mode" | "option"): Piece => ({
  text: () => `{${key}}`,
  slots: { [key]: { key, type: "select", label: say(`data.${key}`), options: [], open: true } },
  offer: { label: say(`data.${key}`), begin: { [key]: "" } },
});

export const conditionKinds: SentenceKind[] = [
  condition("state", mdiStateMachine, () => ({ entity_id: [], state: "" }), [
    piece("sentence.condition.state", {
      entity_id: entity(undefined, true),
      state: { key: "state", type: "state", label: say("slot.state"), many: true },
    }),
    attributePiece,
    sinceFor,
    maybe("sentence.offer.match", { match: "any" }, "sentence.match", {
      match: choice("match", "slot.match", options(["all", "sentence.matchAll"], ["any", "sentence.matchAny"])),
    }),
  ]),
  condition("numeric_state", mdiGauge, () => ({ entity_id: [], above: null }), [
    ...numberPieces("sentence.condition.numeric_state"),
    attributePiece,
    maybe(
      "sentence.offer.valueTemplate",
      { value_template: "{{ state.state }}" },
      "sentence.valueTemplate",
      { value_template: template("value_template") },
      { line: true },
    ),
  ]),
  condition("time", mdiClockOutline, () => ({ after: "07:00:00", before: "22:00:00" }), [
    piece("sentence.condition.time", {}),
    timePiece("after"),
    timePiece("before"),
    weekdayPiece,
    midnightPiece,
  ]),
  daylight("dark", mdiWeatherNight, "sunset", "sunrise"),
  daylight("light", mdiWhiteBalanceSunny, "sunrise", "sunset"),
  condition("sun", mdiWeatherSunset, () => ({ after: "sunset" }), [
    piece("sentence.condition.sun", {}),
    ...sunPieces("after", "sunset"),
    ...sunPieces("before", "sunrise"),
    midnightPiece,
  ]),
  condition("zone", mdiMapMarker, () => ({ entity_id: [], zone: "zone.home" }), [
    piece("sentence.condition.zone", {
      entity_id: entity(["person", "device_tracker"], true),
      zone: { ...entity(["zone"], true, "zone"), label: say("slot.zone") },
    }),
  ]),
  condition(
    "device",
    mdiDevices,
    () => ({ device_id: "" }),
    [
      piece("sentence.condition.device", {
        device_id: { key: "device_id", type: "device", label: say("slot.device") },
        what: { key: "type", type: "device_event", label: say("slot.deviceState") },
      }),
      ...limitPieces("above"),
      ...limitPieces("below"),
      ...(["hvac_mode", "preset_mode", "mode", "option"] as const).map(deviceChoice),
      sinceFor,
    ],
    [],
    ["domain", "entity_id", "metadata"],
  ),
  condition("trigger", mdiPlayCircleOutline, () => ({ id: "0" }), [
    piece("sentence.condition.trigger", { id: { key: "id", type: "trigger_id", label: say("slot.trigger"), many: true } }),
  ]),
  condition("and", mdiGateAnd, () => ({ conditions: [] }), [piece("sentence.condition.and", {})], inner("block.and")),
  condition("or", mdiGateOr, () => ({ conditions: [] }), [piece("sentence.condition.or", {})], inner("block.or")),
  condition("not", mdiGateNot, () => ({ conditions: [] }), [piece("sentence.condition.not", {})], inner("block.not")),
  condition("template", mdiCodeBraces, () => ({ value_template: "" }), [
    piece("sentence.condition.template", { value_template: template("value_template") }, { line: true }),
  ]),
];
