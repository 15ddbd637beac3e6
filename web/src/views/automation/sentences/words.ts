// SPDX-License-Identifier: Apache-2.0
// Sentences as text, and cut into words and slots.
import { t } from "../../../i18n/catalogue";
import { stringify } from "yaml";
import { isThere, kindOf } from "./classify";
import { callPieces } from "./call_pieces";
import { devicePieces } from "./devices/device_pieces";
import { isConfig, type Config } from "./edit";
import type { Knowledge } from "./home_words";
import { purposePieces } from "./purpose_pieces";
import type { Piece, Section, SentenceKind, Slot } from "./kinds";
import { slotText } from "./slots/slot_text";

// "When {entity_id} opens" → "When ", the slot, " opens". Slots that the words do not name stand at their end.
export function partsOf(piece: Piece, config: Config): (string | Slot)[] {
  const parts: (string | Slot)[] = [];
  const left = new Map(Object.entries(piece.slots));
  for (const part of piece.text(config).split(/(\{\w+\})/)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const slot = name === undefined ? undefined : left.get(name);
    if (slot && name !== undefined) left.delete(name);
    if (part !== "") parts.push(slot ?? part);
  }
  return [...parts, ...left.values()];
}

// The pieces of a row: those of its kind, and of a call, a device or a purpose those that its type takes.
export function piecesOf(know: Knowledge, kind: SentenceKind, config: Config): Piece[] {
  if (kind.name === "device") return devicePieces(know, kind, config);
  if (kind.name === "purpose") return purposePieces(know, kind, config);
  return kind.name === "action" ? callPieces(know, kind, config) : kind.pieces;
}

function pieceText(know: Knowledge, piece: Piece, config: Config): string {
  return partsOf(piece, config)
    .map((part) => (typeof part === "string" ? part : slotText(know, part, config)))
    .join("");
}

// The whole sentence: "The state of Front door becomes Open, and stays so for 5 minutes".
export function sentenceText(know: Knowledge, section: Section, config: unknown): string {
  const kind = kindOf(section, config);
  if (!kind || !isConfig(config)) return yamlSummary(config);
  if (typeof config.alias === "string" && config.alias !== "") return config.alias;
  return kindText(know, kind, config);
}

export function kindText(know: Knowledge, kind: SentenceKind, config: Config): string {
  const text = piecesOf(know, kind, config)
    .filter((piece) => isThere(piece, config))
    .map((piece) => pieceText(know, piece, config))
    .join(" ");
  return text
    .replace(/\s+/g, " ")
    .replace(/\s+([,.:])/g, "$1")
    .trim();
}

// Of a row that no sentence can show: its name, or its first line.
export function yamlSummary(config: unknown): string {
  if (isConfig(config) && typeof config.alias === "string" && config.alias !== "") return config.alias;
  const first = isConfig(config) ? Object.entries(config)[0] : undefined;
  const line = first
    ? `${first[0]}: ${typeof first[1] === "object" && first[1] !== null ? "…" : String(first[1])}`
    : stringify(config ?? "").split("\n")[0];
  return t("sentence.yaml", { text: line ?? "" });
}
