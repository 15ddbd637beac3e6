// SPDX-License-Identifier: Apache-2.0
// The parts of a sentence: pieces of words, with slots for the choices of people.
import type { Config } from "./edit";
import type { Knowledge } from "./home_words";
import type { Source } from "./purpose_table";

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
  | "purpose"
  | "select"
  | "side"
  | "state"
  | "target"
  | "template"
  | "text"
  | "threshold"
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
  // Of targets: the entities that can be meant, and whether another slot has those that are left out.
  sources?: Source[];
  excludes?: boolean;
  // How its parts are joined, if not by "and".
  joins?: (config: Config) => "conjunction" | "disjunction";
}

export interface Piece {
  // Its words, in which {name} stands for a slot.
  text: (config: Config) => string;
  slots: Record<string, Slot>;
  // Of a piece that may be missing: what the menu calls it, what it begins with, and when it is there if that is not when a key of
  // its slots is; `change` puts it in or takes it away, if that is more than these keys.
  offer?: {
    label: () => string;
    begin: Config;
    isThere?: (config: Config) => boolean;
    change?: (config: Config, wanted: boolean) => Config;
  };
  // It has a line of its own.
  line?: boolean;
  // Its meaning.
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
  // With what the home is like, if that is known.
  begin: (know?: Pick<Knowledge, "home">) => Config;
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
