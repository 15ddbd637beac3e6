// SPDX-License-Identifier: Apache-2.0
// The fields of a script as rows: a name, a kind with its options, if it is required and a default. A field with anything else is YAML.
import { objectIdOf } from "../../../api/automations";
import { isConfig, type Config } from "../sentences/edit";

export const kinds = [
  "text",
  "long_text",
  "number",
  "boolean",
  "select",
  "entity",
  "area",
  "device",
  "target",
  "duration",
  "time",
  "date",
  "datetime",
  "color_rgb",
  "icon",
  "template",
  "object",
] as const;
export type FieldKind = (typeof kinds)[number];

// Of these several may be given.
const several: readonly FieldKind[] = ["entity", "area", "device", "select"];
const keysOfField = ["name", "description", "required", "default", "selector", "example"];
const keysOfOptions: Partial<Record<FieldKind, string[]>> = {
  number: ["min", "max", "step", "unit_of_measurement", "mode"],
  select: ["options", "multiple", "custom_value"],
  entity: ["domain", "multiple"],
  area: ["multiple"],
  device: ["multiple"],
};

export interface FieldRow {
  name: string;
  description: string;
  example: unknown;
  required: boolean;
  default: unknown;
  kind: FieldKind;
  options: Config;
}

export function maySeveral(kind: FieldKind): boolean {
  return several.includes(kind);
}

function kindOfSelector(selector: unknown): { kind: FieldKind; options: Config } | undefined {
  if (selector === undefined || selector === null) return { kind: "text", options: {} };
  if (!isConfig(selector) || Object.keys(selector).length !== 1) return undefined;
  const [name = "", written] = Object.entries(selector)[0] ?? [];
  if (written !== null && written !== undefined && !isConfig(written)) return undefined;
  const options = written ?? {};
  if (name === "text") {
    const { multiline, ...others } = options;
    if (Object.keys(others).length > 0 || (multiline !== undefined && typeof multiline !== "boolean")) return undefined;
    return { kind: multiline === true ? "long_text" : "text", options: {} };
  }
  const kind = kinds.find((each) => each === name);
  if (!kind || Object.keys(options).some((key) => !keysOfOptions[kind]?.includes(key)) || !areShown(kind, options)) return undefined;
  return { kind, options };
}

function areShown(kind: FieldKind, options: Config): boolean {
  const isNumber = (value: unknown) => value === undefined || typeof value === "number";
  const isFlag = (value: unknown) => value === undefined || typeof value === "boolean";
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  if (!isFlag(options.multiple) || !isFlag(options.custom_value)) return false;
  if (kind === "number")
    return (
      [options.min, options.max].every(isNumber) &&
      (options.step === "any" || isNumber(options.step)) &&
      isText(options.unit_of_measurement)
    );
  if (kind === "select") return Array.isArray(options.options) && options.options.every((each) => typeof each === "string");
  return kind !== "entity" || isText(options.domain);
}

// Undefined if a row cannot show all of it.
export function rowOf(field: unknown): FieldRow | undefined {
  if (field !== null && field !== undefined && !isConfig(field)) return undefined;
  const written = field ?? {};
  if (Object.keys(written).some((key) => !keysOfField.includes(key))) return undefined;
  const { name = "", description = "", example, required = false, selector } = written;
  const of = kindOfSelector(selector);
  if (!of || typeof name !== "string" || typeof description !== "string" || typeof required !== "boolean") return undefined;
  return { name, description, example, required, default: written.default, ...of };
}

export function selectorOf({ kind, options }: Pick<FieldRow, "kind" | "options">): Config {
  if (kind === "long_text") return { text: { multiline: true } };
  return { [kind]: options };
}

// With the keys of `former` where they were, and nothing of what is not said.
export function fieldOf(row: FieldRow, former: unknown): Config {
  const before = isConfig(former) ? former : {};
  const isUnwritten = before.selector === undefined && row.kind === "text";
  const all: Config = {
    ...Object.fromEntries(Object.keys(before).map((key) => [key, undefined])),
    name: row.name || undefined,
    description: row.description || undefined,
    required: row.required || undefined,
    selector: isUnwritten ? undefined : selectorOf(row),
    default: row.default,
    example: row.example,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

// Another kind: its options and its default mean nothing for the new one, except that there may be several.
export function withKind(row: FieldRow, kind: FieldKind): FieldRow {
  const options: Config = {
    ...(kind === "select" && { options: [] }),
    ...(maySeveral(kind) && row.options.multiple === true && { multiple: true }),
  };
  return { ...row, kind, options, default: undefined };
}

// One option less is none of them.
export function withOption(row: FieldRow, key: string, value: unknown): FieldRow {
  const { [key]: _, ...others } = row.options;
  const options = value === undefined ? others : { ...row.options, [key]: value };
  return { ...row, options };
}

export type Fields = [key: string, field: unknown][];

export function fieldsOf(item: Config): Fields {
  return isConfig(item.fields) ? Object.entries(item.fields) : [];
}

// Digits alone would stand before all others in an object.
export const isKey = (text: string) => /^[a-z_][a-z0-9_]*$/i.test(text);

// A variable for a field of this name, that no other field has.
export function freeKey(fields: Fields, name: string): string {
  const stem = objectIdOf(name).replace(/^(?=\d)/, "_") || "field";
  const taken = new Set(fields.map(([key]) => key));
  for (let number = 1; ; number++) {
    const key = number === 1 ? stem : `${stem}_${number}`;
    if (!taken.has(key)) return key;
  }
}

// True if something in the script says the variable, so that it must not change by itself.
export function isUsed(item: Config, key: string): boolean {
  const { fields: _, ...others } = item;
  return new RegExp(`(^|\\W)${key}(\\W|$)`).test(JSON.stringify(others));
}
