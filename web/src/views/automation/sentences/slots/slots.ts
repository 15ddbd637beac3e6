// SPDX-License-Identifier: Apache-2.0
// The slots that several sentences have.
import { t, type Key } from "../../../../i18n/catalogue";
import type { Config } from "../edit";
import type { Option, Piece, Slot } from "../kinds";

export const say = (key: Key) => () => t(key);

export function options(...list: [value: unknown, key: Key][]): Option[] {
  return list.map(([value, key]) => ({ value, text: say(key) }));
}

export const yesOrNo = options([true, "sentence.yes"], [false, "sentence.no"]);

export function piece(text: Key, slots: Record<string, Slot>, more: Partial<Piece> = {}): Piece {
  return { text: say(text), slots, ...more };
}

// A piece that may be missing; `label` is what the menu calls it.
export function maybe(
  label: Key,
  begin: Config,
  text: Key,
  slots: Record<string, Slot>,
  more: Partial<Piece> & { isThere?: (config: Config) => boolean } = {},
): Piece {
  const { isThere, ...rest } = more;
  return { text: say(text), slots, offer: { label: say(label), begin, ...(isThere && { isThere }) }, ...rest };
}

export const entity = (domains?: string[], many = false, key = "entity_id"): Slot => ({
  key,
  type: "entity",
  label: say("slot.entity"),
  domains,
  many,
});
export const duration = (key: string): Slot => ({ key, type: "duration", label: say("slot.duration") });
export const template = (key: string): Slot => ({ key, type: "template", label: say("slot.template") });
export const text = (key: string, label: Key, placeholder = ""): Slot => ({ key, type: "text", label: say(label), placeholder });
// One or more, each in a field of its own.
export const texts = (key: string, label: Key): Slot => ({ ...text(key, label), many: true, open: true });
export const yaml = (key: string, label: Key): Slot => ({ key, type: "yaml", label: say(label) });
export const choice = (key: string, label: Key, list: Option[]): Slot => ({ key, type: "select", label: say(label), options: list });

export const forPiece = maybe("sentence.offer.for", { for: { minutes: 5 } }, "sentence.staysFor", { for: duration("for") });
export const attributePiece = maybe("sentence.offer.attribute", { attribute: "" }, "sentence.ofAttribute", {
  attribute: { key: "attribute", type: "attribute", label: say("slot.attribute") },
});
export const variablesPiece = maybe(
  "sentence.offer.variables",
  { variables: {} },
  "sentence.triggerVariables",
  { variables: yaml("variables", "slot.variables") },
  { line: true },
);
export const weekdayPiece = maybe("sentence.offer.weekday", { weekday: ["mon", "tue", "wed", "thu", "fri"] }, "sentence.onWeekdays", {
  weekday: { key: "weekday", type: "weekday", label: say("slot.weekday") },
});

// Words of the second of two limits, if the first is there.
export const second = (first: string, alone: Key, both: Key) => ({ text: (config: Config) => t(first in config ? both : alone) });

const sides = ["above", "below", "between"] as const;
type Side = (typeof sides)[number];
export const sideOptions = options(...sides.map((side): [Side, Key] => [side, `sentence.side_${side}`]));

// On which side of its limits a number is wanted; undefined if it has none.
export function sideOf(config: Config): Side | undefined {
  if ("above" in config) return "below" in config ? "between" : "above";
  return "below" in config ? "below" : undefined;
}

// With the limit on another side, or a second one.
export function withSide(config: Config, side: Side): Config {
  const { above, below, ...rest } = config;
  const only = (side === "below" ? (below ?? above) : (above ?? below)) ?? null;
  const limits = side === "between" ? { above: above ?? null, below: below ?? null } : { [side]: only };
  const place = Object.keys(config).findIndex((key) => key === "above" || key === "below");
  const others = Object.entries(rest);
  const at = place < 0 ? others.length : place;
  return Object.fromEntries([...others.slice(0, at), ...Object.entries(limits), ...others.slice(at)]);
}

// A number above, below or between: the side is chosen in the sentence.
export function numberPieces(text: Key): Piece[] {
  const [above, aboveEntity] = limitPieces("above") as [Piece, Piece];
  const [below, belowEntity] = limitPieces("below") as [Piece, Piece];
  const first = { text: () => "{above}" };
  const last = { text: (config: Config) => ("above" in config ? t("sentence.andLimit") : "{below}") };
  return [
    piece(text, { entity_id: entity(undefined, true), side: { key: "above", type: "side", label: say("slot.side") } }),
    { ...above, ...first },
    { ...aboveEntity, ...first },
    { ...below, ...last },
    { ...belowEntity, ...last },
  ];
}

// Of `above` and `below`: a number, or that of an entity.
export function limitPieces(key: "above" | "below"): Piece[] {
  const slot: Slot = { key, type: "limit", label: say(`slot.${key}`) };
  const isEntity = (config: Config) => typeof config[key] === "string" && !/^\s*-?\d/.test(config[key]);
  const words = key === "below" ? second("above", "sentence.below", "sentence.andBelow") : {};
  return [
    maybe(
      `sentence.offer.${key}`,
      { [key]: null },
      `sentence.${key}`,
      { [key]: slot },
      { ...words, isThere: (config) => key in config && !isEntity(config) },
    ),
    maybe(
      `sentence.offer.${key}Entity`,
      { [key]: "" },
      `sentence.${key}`,
      { [key]: { ...slot, type: "entity" } },
      { ...words, isThere: isEntity },
    ),
  ];
}
