// SPDX-License-Identifier: Apache-2.0
// The sentences of triggers and conditions by purpose, made of their table.
import { optionText } from "./call_pieces";
import { isConfig, type Config } from "./edit";
import type { Knowledge } from "./home_words";
import type { Option, Piece, Section, SentenceKind, Slot } from "./kinds";
import { listOf, textsOf } from "./modern";
import { findPurpose, purposes, type Purpose } from "./purpose_table";
import { purposeName, purposeOf, purposeText } from "./purpose_words";
import { choice, duration, entity, maybe, options, say, texts, variablesPiece } from "./slots/slots";
import { iconOfSources } from "./source_icons";
import { edgesOf, isEntityEdge, newEdge, thresholdTypes, withEntities } from "./threshold";

// The unit in which new limits are written, where entities may have several.
export function writtenUnit(know: Pick<Knowledge, "home">, { unit }: Purpose): string {
  if (unit === "°C") return know.home.configuration.unit_system.temperature ?? unit;
  return unit === "W" ? unit : "";
}

function begun(purpose: Purpose, unit = ""): Config {
  const { section, name, about, number, option } = purpose;
  return {
    [section === "triggers" ? "trigger" : "condition"]: name,
    ...(about === "target" && { target: {} }),
    ...(number && { options: { threshold: number === "changed" ? { type: "any" } : { type: "above", value: newEdge(false, unit) } } }),
    ...(option !== undefined && { options: { [option]: option === "zone" ? "zone.home" : "" } }),
  };
}

// The row with another purpose. What that one knows, too, stays.
export function withPurpose(know: Pick<Knowledge, "home">, config: Config, purpose: Purpose): Config {
  const { options: before, target, ...rest } = config;
  const next = begun(purpose, writtenUnit(know, purpose));
  const needed = isConfig(next.options) ? next.options : {};
  const known = [
    ...Object.keys(needed),
    ...(purpose.lasts ? ["for", "behavior"] : []),
    ...(purpose.isSunTime ? ["offset", "offset_type"] : []),
  ];
  const kept = Object.entries(isConfig(before) ? before : {}).filter(
    ([key, value]) => known.includes(key) && !(key === "threshold" && isConfig(value) && value.type === "any"),
  );
  const chosen: Config = { ...needed, ...Object.fromEntries(kept) };
  return {
    ...rest,
    ...next,
    ...(purpose.about === "target" && { target: target ?? {} }),
    ...(Object.keys(chosen).length > 0 && { options: chosen }),
  };
}

const behaviors = {
  triggers: options(["each", "purpose.each"], ["first", "purpose.first"], ["all", "purpose.last"]),
  conditions: options(["any", "purpose.any"], ["all", "purpose.all"]),
};
const thresholds: Option[] = thresholdTypes.map((type) => ({ value: type, text: say(`purpose.threshold.${type}`) }));

// Which mode, text or zone.
type OptionName = "hvac_mode" | "mode" | "operation_mode" | "event_type" | "option" | "source" | "value";
function optionSlot(name: string): Slot {
  const key = `options.${name}`;
  if (name === "zone") return { ...entity(["zone"], false, key), label: say("slot.zone") };
  const slot = texts(key, `purpose.option.${name as OptionName}`);
  return name === "value" ? slot : { ...slot, type: "select", options: [] };
}

function targetSlot({ section, sources }: Purpose): Slot {
  const joins = ({ options: given }: Config) =>
    section === "conditions" && isConfig(given) && given.behavior === "all" ? "conjunction" : "disjunction";
  return { key: "target", type: "target", label: say("slot.target"), sources, excludes: true, joins };
}

function saidPiece(purpose: Purpose): Piece {
  const { section, about, option, number, unit } = purpose;
  const types = thresholds.filter(({ value }) => value !== "any" || number === "changed");
  return {
    text: (config) => purposeText(purpose, config),
    slots: {
      does: { key: section === "triggers" ? "trigger" : "condition", type: "purpose", label: say("purpose.what") },
      ...(about === "target" && { target: targetSlot(purpose) }),
      ...(option !== undefined && { [option]: optionSlot(option) }),
      ...(number && { threshold: { key: "options.threshold", type: "threshold", label: say("purpose.threshold"), unit, options: types } }),
    },
  };
}

const excludePiece = ({ sources }: Purpose): Piece =>
  maybe("purpose.offer.exclude", { target: { exclude: {} } }, "purpose.except", {
    exclude: { key: "target.exclude", type: "target", label: say("purpose.exclude"), sources },
  });

const thresholdOf = ({ options: given }: Config): unknown => (isConfig(given) ? given.threshold : undefined);

function edges(config: Config): unknown[] {
  const threshold = thresholdOf(config);
  return isConfig(threshold) ? edgesOf(threshold.type).map((key) => threshold[key]) : [];
}

// That a limit is the value of something else.
const entityLimits: Piece = {
  text: () => "",
  slots: {},
  offer: {
    label: say("purpose.offer.entityLimit"),
    begin: {},
    isThere: (config) => edges(config).some(isEntityEdge),
    change: (config, wanted) => ({
      ...config,
      options: { ...(config.options as Config), threshold: withEntities(thresholdOf(config), wanted, "") },
    }),
  },
};

const offsetPiece = maybe("sentence.offer.offset", { options: { offset: "00:30:00", offset_type: "before" } }, "purpose.offset", {
  offset: duration("options.offset"),
  where: choice("options.offset_type", "slot.direction", options(["before", "purpose.before"], ["after", "purpose.after"])),
});
const twilightPiece = maybe("purpose.offer.twilight", { options: { type: "civil" } }, "purpose.twilight", {
  type: choice("options.type", "purpose.kindOfTwilight", options(["civil", "purpose.civil"])),
});

function piecesOf(purpose: Purpose): Piece[] {
  const { section, lasts, about, number, isSunTime, name } = purpose;
  const isTrigger = section === "triggers";
  const behavior = choice("options.behavior", "slot.match", behaviors[isTrigger ? "triggers" : "conditions"]);
  return [
    saidPiece(purpose),
    ...(about === "target" ? [excludePiece(purpose)] : []),
    ...(number ? [entityLimits] : []),
    ...(isSunTime ? [offsetPiece] : []),
    ...(name === "sun.dawn" || name === "sun.dusk" ? [twilightPiece] : []),
    ...(lasts
      ? [
          maybe("sentence.offer.for", { options: { for: { minutes: 5 } } }, isTrigger ? "sentence.staysFor" : "sentence.sinceFor", {
            for: duration("options.for"),
          }),
        ]
      : []),
    ...(lasts && about !== "sun"
      ? [
          maybe(
            isTrigger ? "purpose.offer.behavior" : "sentence.offer.match",
            { options: { behavior: isTrigger ? "first" : "all" } },
            "purpose.behavior",
            { behavior },
          ),
        ]
      : []),
    ...(isTrigger ? [variablesPiece] : []),
  ];
}

function kindOf(purpose: Purpose): SentenceKind {
  const { section, name, sources, isOld } = purpose;
  const key = section === "triggers" ? "trigger" : "condition";
  return {
    name: "purpose",
    section,
    icon: iconOfSources(sources),
    title: () => purposeName(purpose),
    hint: () => "",
    hidden: isOld,
    begin: (know) => begun(purpose, know && writtenUnit(know, purpose)),
    fits: (config) => config[key] === name,
    pieces: piecesOf(purpose),
    silent: key === "condition" ? ["continue_on_error"] : [],
  };
}

// Made when they are first wanted.
let made: Map<Purpose, SentenceKind> | undefined;
const kinds = () => (made ??= new Map(purposes.map((purpose) => [purpose, kindOf(purpose)])));

export function purposeKindOf(section: Section, config: Config): SentenceKind | undefined {
  const purpose = section === "triggers" ? findPurpose("triggers", config.trigger) : findPurpose("conditions", config.condition);
  return purpose && kinds().get(purpose);
}

// The purposes that a section offers; steps have those of conditions.
export function purposeKinds(section: Section): SentenceKind[] {
  return [...kinds().values()].filter((kind) => (kind.section === "triggers") === (section === "triggers") && !kind.hidden);
}

// The attributes that have what can be chosen.
const lists: Record<string, string> = {
  hvac_mode: "hvac_modes",
  mode: "available_modes",
  operation_mode: "operation_list",
  option: "options",
  source: "source_list",
  event_type: "event_types",
};

function choicesOf({ home }: Knowledge, name: string, { target }: Config): string[] {
  const ids = isConfig(target) ? (textsOf(target.entity_id) ?? []) : [];
  return [...new Set(ids.flatMap((id) => listOf(home.entity(id)?.attributes[lists[name] ?? ""]).map(String)))];
}

// With the choices that its entities have.
export function purposePieces(know: Knowledge, kind: SentenceKind, config: Config): Piece[] {
  const purpose = purposeOf(config);
  const name = purpose?.option ?? "";
  const domain = purpose?.sources[0]?.domain ?? "";
  return kind.pieces
    .filter((piece) => piece !== entityLimits || edges(config).length > 0)
    .map((piece) => {
      const slot = piece.slots[name];
      if (slot?.type !== "select") return piece;
      const found = choicesOf(know, name, config).map((value) => ({ value, text: () => optionText(domain, name, value) }));
      return { ...piece, slots: { ...piece.slots, [name]: { ...slot, options: found } } };
    });
}
