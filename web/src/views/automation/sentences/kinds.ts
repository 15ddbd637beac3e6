// SPDX-License-Identifier: Apache-2.0
// What a sentence is made of: pieces of words, with slots for what people choose.
import type { Config } from "./edit";

export type Section = "triggers" | "conditions" | "actions";

export type SlotType =
  | "area"
  | "attribute"
  | "boolean"
  | "call"
  | "color"
  | "device"
  | "device_event"
  | "duration"
  | "entity"
  | "limit"
  | "number"
  | "offset"
  | "pattern"
  | "select"
  | "side"
  | "state"
  | "target"
  | "template"
  | "text"
  | "time"
  | "trigger_id"
  | "weekday"
  | "yaml";

export interface Option {
  value: unknown;
  text: () => string;
}

export interface Slot {
  // Where in the row its value is: "repeat.count".
  key: string;
  type: SlotType;
  // Its accessible name.
  label: () => string;
  // Of entities.
  domains?: string[] | undefined;
  many?: boolean;
  options?: Option[];
  // A first choice of a state or an option that stands for no key.
  nothing?: () => string;
  // The first choice of a state that stands for `null`.
  none?: () => string;
  min?: number | undefined;
  max?: number | undefined;
  step?: number | "any" | undefined;
  unit?: string | undefined;
  placeholder?: string;
  // Other values than its options are typed, each in a field of its own.
  open?: boolean;
}

export interface Piece {
  // Its words, in which {name} stands for a slot.
  text: (config: Config) => string;
  slots: Record<string, Slot>;
  // Of a piece that may be missing: what the menu calls it, what it begins with, and when it is there if that is not when a key of
  // its slots is.
  offer?: { label: () => string; begin: Config; isThere?: (config: Config) => boolean };
  // It has a line of its own.
  line?: boolean;
  // What it means.
  hint?: () => string;
}

// A list of rows within a row.
export interface Block {
  key: string;
  section: Section;
  heading: () => string;
  // The sentence says its heading already.
  plain?: boolean;
  // Missing until somebody wants it.
  offer?: () => string;
}

export interface SentenceKind {
  name: string;
  section: Section;
  icon: string;
  // Of the menu "add": what it is, and when one wants it.
  title: () => string;
  hint: () => string;
  // Not in the menu.
  hidden?: boolean;
  begin: () => Config;
  fits: (config: Config) => boolean;
  pieces: Piece[];
  blocks?: Block[];
  // Keys that stand for themselves, as `trigger: state` does.
  silent: string[];
}

// Keys that each row of a section may have, shown by its menu.
export const commonKeys: Record<Section, string[]> = {
  triggers: ["alias", "enabled", "id"],
  conditions: ["alias", "enabled"],
  actions: ["alias", "enabled", "continue_on_error"],
};

