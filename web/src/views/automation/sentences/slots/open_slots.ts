// SPDX-License-Identifier: Apache-2.0
// Names the slots that a sentence leaves open, when somebody wants to save it, in the words of the sentence instead of the names of keys.
import { t, type Key } from "../../../../i18n/catalogue";
import { canonical } from "../../../../items/item_text";
import { blocksOf, isThere, kindOf } from "../classify";
import { at, isConfig, pathOf, pathText, type Config, type Path } from "../edit";
import type { Knowledge } from "../home_words";
import type { Section, Slot, SlotType } from "../kinds";
import { modernItem } from "../modern";
import { isOpenThreshold } from "../threshold";
import { targetKeys } from "../values";
import { piecesOf } from "../words";

export interface OpenSlot {
  // Of its row: "triggers[0]".
  path: string;
  said: string;
}

// Slots of other keys are asked for by the name of their slot.
const own: Record<string, Key> = { entity_id: "open.entity", action: "open.action", target: "open.target" };
const chosen: SlotType[] = [
  "area",
  "attribute",
  "call",
  "device",
  "device_event",
  "entity",
  "select",
  "state",
  "target",
  "time",
  "trigger_id",
];
const filled: SlotType[] = ["limit", "number", "template", "text", "threshold"];
// They may be empty.
const freeKeys = ["stop", "set_conversation_response", "payload"];

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  return value === undefined || value === null || value === "" || (isConfig(value) && Object.keys(value).length === 0);
}

function isOpen(slot: Slot, config: Config): boolean {
  const { key, type } = slot;
  const value = at(config, pathOf(key));
  if (type === "threshold") return value === undefined ? !slot.options?.some((option) => option.value === "any") : isOpenThreshold(value);
  if (slot.excludes && isConfig(value)) return targetKeys.every((part) => isEmpty(value[part]));
  if ((!chosen.includes(type) && !filled.includes(type)) || freeKeys.includes(key) || key.startsWith("data.") || !isEmpty(value))
    return false;
  if ((value === undefined && slot.nothing) || (value === null && slot.none)) return false;
  if (type === "device_event") return !isEmpty(config.device_id);
  const { data } = config;
  return type !== "target" || !isConfig(data) || !targetKeys.some((target) => target in data);
}

function wordsOf({ key, type, label }: Slot): string {
  if (Object.hasOwn(own, key)) return t(own[key] as Key);
  return t(chosen.includes(type) ? "open.choose" : "open.fill", { what: label() });
}

function openIn(know: Knowledge, section: Section, rows: unknown, path: Path, isKept: (row: Config) => boolean): OpenSlot[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, index) => {
    const kind = isConfig(row) && row.enabled !== false ? kindOf(section, row) : undefined;
    if (!kind || !isConfig(row)) return [];
    const here = [...path, index];
    const slots = piecesOf(know, kind, row).flatMap((piece) => (isThere(piece, row) ? Object.values(piece.slots) : []));
    const open = slots.filter((slot) => isOpen(slot, row));
    const said = open.length === 0 || isKept(row) ? [] : open.map((slot) => ({ path: pathText(here), said: wordsOf(slot) }));
    return [
      ...said,
      ...blocksOf(kind, row).flatMap((block) =>
        openIn(know, block.section, at(row, pathOf(block.key)), [...here, ...pathOf(block.key)], isKept),
      ),
    ];
  });
}

// Of an item in the modern form. What was so before, in `former`, is left as it is: others have written it on purpose.
export function openSlots(know: Knowledge, item: Config, former: Config): OpenSlot[] {
  let kept: Set<string> | undefined;
  const isKept = (row: Config) => (kept ??= partsOf(modernItem(former))).has(canonical(row));
  const sections: [string, Section][] = [
    ["triggers", "triggers"],
    ["conditions", "conditions"],
    ["actions", "actions"],
    ["sequence", "actions"],
  ];
  return sections.flatMap(([key, section]) => openIn(know, section, item[key], [key], isKept));
}

function partsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (isConfig(value)) found.add(canonical(value));
  if (value !== null && typeof value === "object") for (const part of Object.values(value)) partsOf(part, found);
  return found;
}

// The parts that are missing, by the hub's word.
const hubWords: Record<string, () => string> = {
  "above or below is missing": () => t("open.limit"),
  "after or before is missing": () => t("open.sun"),
  "after, before or weekday is missing": () => t("open.time"),
  "hours, minutes or seconds are missing": () => t("open.clock"),
  "action is missing": () => t("open.action"),
  "at is missing": () => t("open.choose", { what: t("slot.time") }),
  "command is missing": () => t("open.fill", { what: t("slot.command") }),
  "device_id is missing": () => t("open.choose", { what: t("slot.device") }),
  "domain is missing": () => t("open.device"),
  "entity_id is missing": () => t("open.entity"),
  "event is missing": () => t("open.event"),
  "event_type is missing": () => t("open.fill", { what: t("slot.eventType") }),
  "id is missing": () => t("open.choose", { what: t("slot.trigger") }),
  "message is missing": () => t("open.fill", { what: t("data.message") }),
  "option is missing": () => t("open.choose", { what: t("data.option") }),
  "state is missing": () => t("open.choose", { what: t("slot.state") }),
  "target is missing": () => t("open.target"),
  "threshold is missing": () => t("open.fill", { what: t("purpose.threshold") }),
  "number or entity is missing": () => t("open.fill", { what: t("purpose.threshold") }),
  "tag_id is missing": () => t("open.fill", { what: t("slot.tag") }),
  "topic is missing": () => t("open.fill", { what: t("slot.topic") }),
  "type is missing": () => t("open.device"),
  "value_template is missing": () => t("open.fill", { what: t("slot.template") }),
  "webhook_id is missing": () => t("open.fill", { what: t("slot.webhook") }),
  "zone is missing": () => t("open.choose", { what: t("slot.zone") }),
};

export function openWords(hub: string | undefined): string | undefined {
  return hub !== undefined && Object.hasOwn(hubWords, hub) ? hubWords[hub]?.() : undefined;
}
