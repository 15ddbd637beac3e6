// SPDX-License-Identifier: Apache-2.0
// Which sentence a part of an item is; what no sentence can show stays YAML.
import { conditionKinds } from "./condition_kinds";
import { durationOf, offsetOf } from "./durations";
import { at, isConfig, pathOf, type Config } from "./edit";
import { commonKeys, type Block, type Piece, type Section, type SentenceKind, type Slot } from "./kinds";
import { textsOf } from "./modern";
import { purposeKindOf } from "./purpose_pieces";
import { stepKinds } from "./step_kinds";
import { isThreshold } from "./threshold";
import { triggerKinds } from "./trigger_kinds";
import { isColor, isEntityId, isShifted, isTemplate, isText, isTime, targetKeys, weekdays } from "./values";

export const kindsOf: Record<Section, SentenceKind[]> = {
  triggers: triggerKinds,
  conditions: conditionKinds,
  actions: [...stepKinds, ...conditionKinds],
};

// True if the slot can show the value.
export function fits(slot: Slot, value: unknown): boolean {
  if (value === undefined) return true;
  switch (slot.type) {
    case "area":
    case "device":
    case "device_event":
    case "text":
    case "trigger_id":
    case "attribute":
      return isText(value) || (slot.many === true && textsOf(value) !== undefined) || value === null;
    case "entity":
      return !isTemplate(value) && (slot.many ? textsOf(value) !== undefined : typeof value === "string");
    case "boolean":
      return typeof value === "boolean" || isTemplate(value);
    case "duration":
      return durationOf(value) !== undefined || isTemplate(value);
    case "offset":
      return offsetOf(value) !== undefined;
    case "limit":
      return value === null || typeof value === "number" || (typeof value === "string" && !isTemplate(value));
    case "number":
      return (
        value === null ||
        typeof value === "number" ||
        isTemplate(value) ||
        (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
      );
    case "pattern":
      return typeof value === "number" || (typeof value === "string" && /^(\*|\/\d+|\d+)$/.test(value));
    case "select": {
      const isOne = (one: unknown) =>
        isTemplate(one) || (slot.open === true && isText(one)) || (slot.options ?? []).some((option) => option.value === one);
      return slot.many === true && Array.isArray(value) ? value.every(isOne) : isOne(value);
    }
    case "state":
      return value === null || isText(value) || typeof value === "boolean" || (Array.isArray(value) && value.every(isText));
    case "target":
      return (
        isConfig(value) &&
        Object.entries(value).every(
          ([key, ids]) =>
            (key === "exclude" && slot.excludes === true) ||
            ((targetKeys as readonly string[]).includes(key) && textsOf(ids) !== undefined && !isTemplate(ids)),
        )
      );
    case "template":
      return isText(value) || typeof value === "boolean";
    case "call":
    case "purpose":
      return typeof value === "string";
    case "threshold":
      return isThreshold(
        value,
        (slot.options ?? []).map((option) => option.value),
      );
    case "time": {
      const list = Array.isArray(value) ? (value as unknown[]) : [value];
      return (
        list.every((one) => one === "" || isTime(one) || isEntityId(one) || (slot.many === true && isShifted(one))) &&
        (slot.many === true || !Array.isArray(value))
      );
    }
    case "weekday":
      return (textsOf(value) ?? ["?"]).every((day) => weekdays.includes(day));
    case "color":
      return isColor(value);
    case "side":
    case "yaml":
      return true;
  }
}

// True if the piece is part of the sentence.
export function isThere(piece: Piece, config: Config): boolean {
  if (!piece.offer) return true;
  if (piece.offer.isThere) return piece.offer.isThere(config);
  return Object.values(piece.slots).some(({ key }) => at(config, pathOf(key)) !== undefined);
}

// All lists of rows in a row, also those that are not there yet; of `choose` those of each of its options.
export function blocksOf(kind: SentenceKind, config: Config): Block[] {
  return (kind.blocks ?? []).flatMap((block) => {
    if (!block.key.includes("*")) return [block];
    const [list = "", rest = ""] = block.key.split(".*.");
    const options = at(config, pathOf(list));
    return Array.isArray(options) ? options.map((_, index) => ({ ...block, key: `${list}.${index}.${rest}` })) : [];
  });
}

// The keys of a row that its sentence does not know: "repeat.unknown".
export function unknownKeys(kind: SentenceKind, config: Config, pieces = kind.pieces): string[] {
  const known = new Set([
    ...kind.silent,
    ...commonKeys[kind.section],
    ...pieces.flatMap(({ slots }) => Object.values(slots).map(({ key }) => key)),
  ]);
  for (const { key } of kind.blocks ?? []) known.add(key.split(".*.")[0] as string).add(key);
  const inner = new Set([...known].filter((key) => key.includes(".") && !key.includes("*")).map((key) => key.split(".")[0] as string));
  return Object.entries(config).flatMap(([key, value]) => {
    if (known.has(key)) return [];
    if (!inner.has(key) || !isConfig(value)) return [key];
    return Object.keys(value)
      .map((part) => `${key}.${part}`)
      .filter((part) => !known.has(part));
  });
}

// The keys that an option of `choose` may have.
const optionKeys = ["alias", "conditions", "sequence"];

function areRows(block: Block, config: Config): boolean {
  const rows = at(config, pathOf(block.key));
  return rows === undefined || (Array.isArray(rows) && rows.every(isConfig));
}

// The sentence that can show the whole row; undefined if none can.
export function kindOf(section: Section, config: unknown): SentenceKind | undefined {
  if (!isConfig(config)) return undefined;
  const kind = purposeKindOf(section, config) ?? kindsOf[section].find((one) => one.fits(config));
  if (!kind || unknownKeys(kind, config).length > 0) return undefined;
  if (config.enabled !== undefined && typeof config.enabled !== "boolean") return undefined;
  if (config.alias !== undefined && typeof config.alias !== "string") return undefined;
  const there = kind.pieces.filter((piece) => isThere(piece, config));
  const isWhole = there.every(({ slots }) => Object.values(slots).every((slot) => fits(slot, at(config, pathOf(slot.key)))));
  if (!isWhole || !blocksOf(kind, config).every((block) => areRows(block, config))) return undefined;
  if (
    kind.name === "choose" &&
    !(config.choose as unknown[]).every((option) => isConfig(option) && Object.keys(option).every((key) => optionKeys.includes(key)))
  )
    return undefined;
  return kind;
}
