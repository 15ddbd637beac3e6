// SPDX-License-Identifier: Apache-2.0
// The hub's questions for each kind of helper, and their controls.
import type { Helper, HelperKind } from "../../api/helpers";
import type { Selector } from "../../elements/selectors/selector";

// The name of a field in the hub.
export type FieldName =
  | "all"
  | "description"
  | "device_trackers"
  | "duration"
  | "entities"
  | "group_type"
  | "has_date"
  | "has_time"
  | "ignore_non_numeric"
  | "initial"
  | "latitude"
  | "longitude"
  | "max"
  | "maximum"
  | "min"
  | "minimum"
  | "mode"
  | "options"
  | "passive"
  | "pattern"
  | "radius"
  | "sensor_type"
  | "step"
  | "unit_of_measurement"
  | "user_id";

export type Choices = readonly string[];

export interface Asked {
  name: FieldName;
  kind: "number" | "text" | "check" | "choice" | "duration" | "picked" | "user";
  required?: boolean;
  // The first values of a new one.
  first?: string;
  choices?: Choices;
  // Of what is picked.
  selector?: Selector;
  // Only of a new one.
  once?: boolean;
}

const groupTypes = [
  "light",
  "switch",
  "cover",
  "fan",
  "lock",
  "media_player",
  "binary_sensor",
  "sensor",
  "button",
  "event",
  "notify",
] as const;
const summed = ["mean", "min", "max", "sum", "median", "last", "range", "product", "stdev"] as const;
const initial: Asked = { name: "initial", kind: "text" };

const fields: Record<HelperKind, Asked[]> = {
  input_boolean: [],
  input_button: [],
  input_number: [
    { name: "min", kind: "number", required: true, first: "0" },
    { name: "max", kind: "number", required: true, first: "100" },
    { name: "step", kind: "number", required: true, first: "1" },
    { name: "unit_of_measurement", kind: "text" },
    { name: "mode", kind: "choice", choices: ["slider", "box"] },
    { name: "initial", kind: "number" },
  ],
  input_select: [{ name: "options", kind: "picked", required: true, selector: { text: { multiple: true } } }, initial],
  input_text: [
    { name: "min", kind: "number", required: true, first: "0" },
    { name: "max", kind: "number", required: true, first: "100" },
    { name: "pattern", kind: "text" },
    { name: "mode", kind: "choice", choices: ["text", "password"] },
    initial,
  ],
  input_datetime: [{ name: "has_date", kind: "check" }, { name: "has_time", kind: "check", first: "on" }, initial],
  counter: [
    { name: "initial", kind: "number", required: true, first: "0" },
    { name: "step", kind: "number", required: true, first: "1" },
    { name: "minimum", kind: "number" },
    { name: "maximum", kind: "number" },
  ],
  schedule: [],
  local_todo: [],
  local_calendar: [],
  timer: [{ name: "duration", kind: "duration", required: true, first: "00:05:00" }],
  group: [],
  person: [
    { name: "device_trackers", kind: "picked", selector: { entity: { multiple: true, filter: { domain: "device_tracker" } } } },
    { name: "user_id", kind: "user" },
  ],
  zone: [
    { name: "latitude", kind: "number", required: true },
    { name: "longitude", kind: "number", required: true },
    { name: "radius", kind: "number", required: true, first: "100" },
    { name: "passive", kind: "check" },
  ],
  tag: [{ name: "description", kind: "text" }],
};

// `type` of a group: "" takes members of any domain.
export function fieldsOf(kind: HelperKind, type = ""): Asked[] {
  if (kind !== "group") return fields[kind];
  const members: Selector = { entity: { multiple: true, ...(type && { filter: { domain: type } }) } };
  return [
    { name: "group_type", kind: "choice", choices: ["", ...groupTypes], once: true },
    ...(type === "sensor"
      ? ([
          { name: "sensor_type", kind: "choice", choices: summed },
          { name: "unit_of_measurement", kind: "text" },
          { name: "ignore_non_numeric", kind: "check" },
        ] satisfies Asked[])
      : []),
    ...(["", "light", "switch", "binary_sensor"].includes(type) ? ([{ name: "all", kind: "check" }] satisfies Asked[]) : []),
    { name: "entities", kind: "picked", required: true, selector: members },
  ];
}

export const isWeek = (kind: string) => kind === "schedule";
export const hasIcon = (kind: HelperKind) => kind !== "person" && kind !== "tag";

// 90 → "00:01:30"; also of the parts of an object.
export function clockText(given: unknown): string {
  if (typeof given === "string" && given.includes(":")) return given;
  const parts =
    typeof given === "object" && given !== null ? (given as Record<string, number | undefined>) : { seconds: Number(given) || 0 };
  const seconds =
    ((Number(parts.days ?? 0) * 24 + Number(parts.hours ?? 0)) * 60 + Number(parts.minutes ?? 0)) * 60 + Number(parts.seconds ?? 0);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds % 60))}`;
}

export function valueOf({ name, kind, first }: Asked, helper: Helper | undefined): string {
  const given = helper?.[name];
  if (!helper) return first ?? "";
  if (kind === "check") return given === true ? "on" : "";
  if (kind === "duration") return clockText(given);
  return given === undefined || given === null ? "" : String(given as string | number);
}
