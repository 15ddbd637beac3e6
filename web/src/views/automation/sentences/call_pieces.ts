// SPDX-License-Identifier: Apache-2.0
// A call's pieces: whom it is for, and a line for each of the fields that its service has or that it is given.
import type { ServiceField } from "../../../api/types";
import { maybeT, t } from "../../../i18n/catalogue";
import { isConfig, keyPart, type Config } from "./edit";
import type { Knowledge } from "./home_words";
import type { Option, Piece, SentenceKind, Slot } from "./kinds";
import { textsOf } from "./modern";
import { isColor, isTemplate } from "./values";

interface Described {
  fields: Record<string, ServiceField>;
  target?: unknown;
}

export function serviceOf(know: Knowledge, action: unknown): Described | undefined {
  const [domain = "", name = ""] = typeof action === "string" ? action.split(".") : [];
  const services = Object.hasOwn(know.services, domain) ? know.services[domain] : undefined;
  return services && Object.hasOwn(services, name) ? services[name] : undefined;
}

// The required fields of the service, with its defaults.
export function neededData(service: Described | undefined): Config {
  const needed = Object.entries(service?.fields ?? {}).filter(
    ([name, field]) => field.required && !(service?.target && name === "entity_id"),
  );
  return Object.fromEntries(needed.map(([name, field]) => [name, field.default ?? ""]));
}

// Other names of what has one already.
const old = ["kelvin", "color_temp"];
// The fields that people want first.
const first = [
  "message",
  "title",
  "brightness_pct",
  "rgb_color",
  "color_temp_kelvin",
  "transition",
  "temperature",
  "position",
  "value",
  "option",
];
const units: Record<string, string> = {
  brightness_pct: "%",
  brightness_step_pct: "%",
  humidity: "%",
  percentage: "%",
  position: "%",
  tilt_position: "%",
  transition: "s",
  duration: "",
};

export function callPieces(know: Knowledge, kind: SentenceKind, config: Config): Piece[] {
  const service = serviceOf(know, config.action);
  const [call, ...others] = kind.pieces as [Piece, ...Piece[]];
  const pieces = [call];
  if (service?.target !== undefined || config.target !== undefined || config.action === "") pieces.push(targetPiece(config));
  const data = isConfig(config.data) ? config.data : {};
  const names = new Set(Object.keys(service?.fields ?? {}).filter((name) => !(service?.target !== undefined && name === "entity_id")));
  for (const name of old) if (!(name in data)) names.delete(name);
  for (const name of Object.keys(data)) names.add(name);
  const rank = (name: string) => (first.indexOf(name) + first.length + 1) % (first.length + 1);
  const ordered = [...names].sort((a, b) => rank(a) - rank(b));
  if (config.data !== undefined && !isConfig(config.data)) {
    pieces.push({
      text: () => `${t("slot.data")}: {data}`,
      slots: { data: { key: "data", type: "template", label: () => t("slot.data") } },
      line: true,
    });
  } else for (const name of ordered) pieces.push(fieldPiece(know, name, service?.fields[name], data[name], config));
  return [...pieces, ...others];
}

function targetPiece(config: Config): Piece {
  const fits = config.target === undefined || isConfig(config.target);
  const slot: Slot = { key: "target", type: fits ? "target" : "template", label: () => t("slot.target") };
  return { text: () => t("sentence.step.target"), slots: { target: slot } };
}

// "transition" → "Transition"
function humanised(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// The values that the entities can be told, as their kind says: the modes that a heater has.
function optionsOf({ home }: Knowledge, name: string, config: Config): string[] {
  const [domain = "", service] = String(config.action).split(".");
  const source = home.kinds.get(domain)?.actions?.find((action) => action.service === service)?.fields[name]?.from?.options;
  const ids = isConfig(config.target) ? (textsOf(config.target.entity_id) ?? []) : [];
  const lists = source === undefined ? [] : ids.map((id) => home.entity(id)?.attributes[source]);
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))];
}

function unitOfField({ home }: Knowledge, name: string): string | undefined {
  return (
    units[name] ??
    (/temp(erature)?(_high|_low)?$/.test(name) && !name.startsWith("color") ? home.configuration.unit_system.temperature : undefined)
  );
}

export function fieldPiece(know: Knowledge, name: string, field: ServiceField | undefined, value: unknown, config: Config): Piece {
  const label = field?.name || (maybeT(`data.${name}`) ?? humanised(name));
  const slot: Slot = { key: `data.${keyPart(name)}`, label: () => label, ...typed(name, field, value) };
  const unit = unitOfField(know, name);
  if (slot.type === "number" && unit && !slot.unit) slot.unit = unit;
  const own = slot.type === "text" ? optionsOf(know, name, config) : [];
  if (own.length > 0)
    Object.assign(slot, {
      type: "select",
      open: true,
      options: own.map((option) => ({ value: option, text: () => optionText(String(config.action).split(".")[0] ?? "", name, option) })),
    });
  return {
    text: () => `${label}: {value}`,
    slots: { value: slot },
    line: true,
    ...(field?.description && { hint: () => field.description }),
    ...(!field?.required && {
      offer: {
        label: () => label,
        begin: { data: { [name]: beginning(field, slot) } },
        isThere: (config: Config) => isConfig(config.data) && name in config.data,
      },
    }),
  };
}

export function optionText(domain: string, name: string, option: string): string {
  return (
    maybeT(`state.${domain}.${option}`) ??
    maybeT(`state.${name}.${option}`) ??
    maybeT(`state.preset.${option}`) ??
    maybeT(`state.${option}`) ??
    option
  );
}

function beginning(field: ServiceField | undefined, slot: Slot): unknown {
  if (field?.default !== undefined) return field.default;
  switch (slot.type) {
    case "number":
      return typeof field?.example === "number" ? field.example : (slot.min ?? 0);
    case "boolean":
      return true;
    case "select":
      return slot.options?.[0]?.value ?? "";
    case "entity":
      return slot.many ? [] : "";
    case "color":
      return [255, 180, 107];
    case "yaml":
      return field?.example ?? {};
    default:
      return "";
  }
}

interface Selected {
  min?: number;
  max?: number;
  step?: number | "any";
  unit_of_measurement?: string;
  options?: (string | { value: string; label: string })[];
  multiple?: boolean;
  domain?: string | string[];
}

// The control that the field's selector asks for, or YAML where it could not show the value that is there.
function typed(name: string, field: ServiceField | undefined, value: unknown): Omit<Slot, "key" | "label"> {
  const selector = (field?.selector ?? {}) as Record<string, Selected | null>;
  const [kind, given] = Object.entries(selector)[0] ?? [];
  const options = given ?? {};
  const isOpen = value === undefined || value === null || value === "" || isTemplate(value);
  if (name === "rgb_color" && (value === undefined || isColor(value))) return { type: "color" };
  switch (kind) {
    case "number":
      if (isOpen || typeof value === "number")
        return { type: "number", min: options.min, max: options.max, step: options.step, unit: options.unit_of_measurement };
      break;
    case "boolean":
      if (isOpen || typeof value === "boolean") return { type: "boolean" };
      break;
    case "select": {
      const list: Option[] = (options.options ?? []).map((option) =>
        typeof option === "string" ? { value: option, text: () => option } : { value: option.value, text: () => option.label },
      );
      if (!options.multiple && (isOpen || list.some((option) => option.value === value))) return { type: "select", options: list };
      break;
    }
    case "entity": {
      const domains = typeof options.domain === "string" ? [options.domain] : options.domain;
      if (isOpen || textsOf(value)) return { type: "entity", many: options.multiple === true || Array.isArray(value), domains };
      break;
    }
    case "text":
      if (isOpen || typeof value === "string" || typeof value === "number") return { type: "text" };
  }
  if (field === undefined && (typeof value === "string" || typeof value === "number")) return { type: "text" };
  return { type: "yaml" };
}
