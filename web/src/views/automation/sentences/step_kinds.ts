// SPDX-License-Identifier: Apache-2.0
// The sentences of steps.
import {
  mdiCallSplit,
  mdiDevices,
  mdiDirectionsFork,
  mdiFormatListNumbered,
  mdiHandBackRight,
  mdiLightningBolt,
  mdiMessageReply,
  mdiPalette,
  mdiRepeat,
  mdiShuffleVariant,
  mdiTimerPause,
  mdiTimerSand,
  mdiToggleSwitch,
  mdiVariable,
} from "virtual:icons/lazy";

import type { Key } from "../../../i18n/catalogue";
import { isConfig, type Config } from "./edit";
import type { Block, Piece, SentenceKind, Slot, SlotType } from "./kinds";
import { choice, duration, entity, maybe, options, piece, say, template, text, yaml, yesOrNo } from "./slots/slots";

type Name =
  | "action"
  | "delay"
  | "scene"
  | "device"
  | "if"
  | "choose"
  | "wait_for_trigger"
  | "wait_template"
  | "repeat_count"
  | "repeat_each"
  | "repeat_while"
  | "repeat_until"
  | "parallel"
  | "sequence"
  | "variables"
  | "event"
  | "stop"
  | "set_conversation_response";

interface More {
  blocks?: Block[];
  fits?: (config: Config) => boolean;
  silent?: string[];
}

function step(name: Name, icon: string, begin: () => Config, pieces: Piece[], { blocks = [], fits, silent = [] }: More = {}): SentenceKind {
  const hint: Key = `add.step.${name}.hint`;
  return {
    name,
    section: "actions",
    icon,
    title: say(`add.step.${name}`),
    hint: say(hint),
    begin,
    fits: fits ?? ((config) => name in config),
    pieces,
    blocks,
    silent,
  };
}

const steps = (key: string, heading: Key, offer?: Key): Block => ({
  key,
  section: "actions",
  heading: say(heading),
  ...(offer && { offer: say(offer) }),
});
const conditions = (key: string, heading: Key): Block => ({ key, section: "conditions", heading: say(heading) });
const plain = (block: Block): Block => ({ ...block, plain: true });

const timeoutPieces = [
  maybe("sentence.offer.timeout", { timeout: { minutes: 10 } }, "sentence.timeout", { timeout: duration("timeout") }),
  maybe("sentence.offer.onTimeout", { continue_on_timeout: false }, "sentence.onTimeout", {
    continue_on_timeout: choice("continue_on_timeout", "slot.onTimeout", options([true, "sentence.goOn"], [false, "sentence.end"])),
  }),
];

const repeats = (part: string) => (config: Config) => isConfig(config.repeat) && part in config.repeat;
const again = steps("repeat.sequence", "block.repeat");

// Of a device's step, by the name of its data.
function dataPiece(
  key:
    | "brightness_pct"
    | "flash"
    | "position"
    | "hvac_mode"
    | "preset_mode"
    | "code"
    | "option"
    | "cycle"
    | "value"
    | "humidity"
    | "mode"
    | "message"
    | "title"
    | "data",
  type: SlotType = "text",
): Piece {
  const label = say(`data.${key}`);
  const slot: Slot = { key, type, label };
  return {
    text: () => `${label()}: {${key}}`,
    slots: { [key]: slot },
    line: true,
    offer: { label, begin: { [key]: type === "number" ? null : type === "boolean" ? true : type === "yaml" ? {} : "" } },
  };
}

export const stepKinds: SentenceKind[] = [
  step(
    "action",
    mdiToggleSwitch,
    () => ({ action: "", target: {} }),
    [
      piece("sentence.step.action", { action: { key: "action", type: "call", label: say("slot.action") } }),
      maybe("sentence.offer.response", { response_variable: "response" }, "sentence.response", {
        response_variable: text("response_variable", "slot.variable"),
      }),
    ],
    { silent: ["data", "target", "metadata"] },
  ),
  step("delay", mdiTimerSand, () => ({ delay: { minutes: 2 } }), [piece("sentence.step.delay", { delay: duration("delay") })]),
  step("scene", mdiPalette, () => ({ scene: "" }), [piece("sentence.step.scene", { scene: entity(["scene"], false, "scene") })]),
  step(
    "device",
    mdiDevices,
    () => ({ device_id: "", domain: "", type: "" }),
    [
      piece("sentence.step.device", {
        device_id: { key: "device_id", type: "device", label: say("slot.device") },
        what: { key: "type", type: "device_event", label: say("slot.deviceAction") },
      }),
      ...(["brightness_pct", "position", "humidity"] as const).map((key) => dataPiece(key, "number")),
      ...(["flash", "hvac_mode", "preset_mode", "code", "option", "value", "mode", "message", "title"] as const).map((key) =>
        dataPiece(key),
      ),
      dataPiece("cycle", "boolean"),
      dataPiece("data", "yaml"),
    ],
    {
      fits: (config) => "device_id" in config && "type" in config && !("condition" in config),
      silent: ["domain", "entity_id", "metadata"],
    },
  ),
  step("if", mdiDirectionsFork, () => ({ if: [], then: [] }), [piece("sentence.step.if", {})], {
    blocks: [plain(conditions("if", "block.if")), steps("then", "block.then"), steps("else", "block.else", "sentence.offer.else")],
  }),
  step("choose", mdiCallSplit, () => ({ choose: [{ conditions: [], sequence: [] }] }), [piece("sentence.step.choose", {})], {
    blocks: [
      conditions("choose.*.conditions", "block.if"),
      steps("choose.*.sequence", "block.then"),
      steps("default", "block.default", "sentence.offer.default"),
    ],
    fits: (config) => Array.isArray(config.choose),
  }),
  step(
    "wait_for_trigger",
    mdiTimerPause,
    () => ({ wait_for_trigger: [] }),
    [piece("sentence.step.wait_for_trigger", {}), ...timeoutPieces, sinceOf()],
    {
      blocks: [{ key: "wait_for_trigger", section: "triggers", heading: say("block.wait"), plain: true }],
    },
  ),
  step("wait_template", mdiTimerPause, () => ({ wait_template: "" }), [
    piece("sentence.step.wait_template", { wait_template: template("wait_template") }, { line: true }),
    ...timeoutPieces,
  ]),
  step(
    "repeat_count",
    mdiRepeat,
    () => ({ repeat: { count: 2, sequence: [] } }),
    [piece("sentence.step.repeat_count", { count: { key: "repeat.count", type: "number", label: say("slot.count"), min: 1, step: 1 } })],
    {
      blocks: [plain(again)],
      fits: repeats("count"),
    },
  ),
  step(
    "repeat_each",
    mdiRepeat,
    () => ({ repeat: { for_each: [], sequence: [] } }),
    [piece("sentence.step.repeat_each", { each: yaml("repeat.for_each", "slot.each") }, { line: true })],
    {
      blocks: [plain(again)],
      fits: repeats("for_each"),
    },
  ),
  step("repeat_while", mdiRepeat, () => ({ repeat: { while: [], sequence: [] } }), [piece("sentence.step.repeat_while", {})], {
    blocks: [plain(conditions("repeat.while", "block.while")), again],
    fits: repeats("while"),
  }),
  step("repeat_until", mdiRepeat, () => ({ repeat: { until: [], sequence: [] } }), [piece("sentence.step.repeat_until", {})], {
    blocks: [plain(again), conditions("repeat.until", "block.until")],
    fits: repeats("until"),
  }),
  step("parallel", mdiShuffleVariant, () => ({ parallel: [] }), [piece("sentence.step.parallel", {})], {
    blocks: [plain(steps("parallel", "block.parallel"))],
  }),
  step("sequence", mdiFormatListNumbered, () => ({ sequence: [] }), [piece("sentence.step.sequence", {})], {
    blocks: [plain(steps("sequence", "block.sequence"))],
  }),
  step("variables", mdiVariable, () => ({ variables: {} }), [
    piece("sentence.step.variables", { variables: yaml("variables", "slot.variables") }, { line: true }),
  ]),
  step("event", mdiLightningBolt, () => ({ event: "" }), [
    piece("sentence.step.event", { event: text("event", "slot.eventType") }),
    maybe(
      "sentence.offer.eventData",
      { event_data: {} },
      "sentence.eventData",
      { event_data: yaml("event_data", "slot.eventData") },
      { line: true },
    ),
  ]),
  step("stop", mdiHandBackRight, () => ({ stop: "" }), [
    piece("sentence.step.stop", { stop: text("stop", "slot.reason") }),
    maybe("sentence.offer.error", { error: true }, "sentence.isError", { error: choice("error", "slot.error", yesOrNo) }),
    maybe("sentence.offer.response", { response_variable: "response" }, "sentence.answers", {
      response_variable: text("response_variable", "slot.variable"),
    }),
  ]),
  step("set_conversation_response", mdiMessageReply, () => ({ set_conversation_response: "" }), [
    piece("sentence.step.set_conversation_response", { answer: text("set_conversation_response", "slot.answer") }),
  ]),
];

function sinceOf(): Piece {
  return maybe("sentence.offer.since", { since: "previous_step" }, "sentence.since", {
    since: choice("since", "slot.since", options(["previous_step", "sentence.previousStep"])),
  });
}
