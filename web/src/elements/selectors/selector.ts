// SPDX-License-Identifier: Apache-2.0
// Selectors: what the value of a blueprint's input, or of a field of a script or a service, is: {number: {min: 0, max: 100}}.
export type Options = Record<string, unknown>;
export type Selector = Record<string, Options | null>;

// How a value is asked for. What is not here, and any value that its control could not show, is YAML.
export type Control =
  | "action"
  | "area"
  | "attribute"
  | "boolean"
  | "color"
  | "condition"
  | "constant"
  | "country"
  | "date"
  | "datetime"
  | "device"
  | "duration"
  | "entity"
  | "entry"
  | "floor"
  | "icon"
  | "label"
  | "language"
  | "location"
  | "number"
  | "said"
  | "select"
  | "state"
  | "target"
  | "template"
  | "text"
  | "time"
  | "trigger"
  | "yaml";

const controls: Record<string, Control> = {
  action: "action",
  addon: "text",
  area: "area",
  assist_pipeline: "text",
  attribute: "attribute",
  backup_location: "text",
  boolean: "boolean",
  color_rgb: "color",
  color_temp: "number",
  condition: "condition",
  config_entry: "entry",
  constant: "constant",
  conversation_agent: "text",
  country: "country",
  date: "date",
  datetime: "datetime",
  device: "device",
  duration: "duration",
  entity: "entity",
  file: "text",
  floor: "floor",
  icon: "icon",
  label: "label",
  language: "language",
  location: "location",
  media: "yaml",
  number: "number",
  object: "yaml",
  qr_code: "said",
  select: "select",
  state: "state",
  statistic: "entity",
  stt: "text",
  target: "target",
  template: "template",
  text: "text",
  theme: "text",
  time: "time",
  trigger: "trigger",
  tts: "text",
  ui_action: "yaml",
  ui_color: "select",
};
// Colours by name, as cards have them.
const colors = [
  "primary",
  "accent",
  "red",
  "pink",
  "purple",
  "deep-purple",
  "indigo",
  "blue",
  "light-blue",
  "cyan",
  "teal",
  "green",
  "light-green",
  "lime",
  "yellow",
  "amber",
  "orange",
  "deep-orange",
  "brown",
  "grey",
  "black",
  "white",
];

function isObject(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

export function kindOf(selector: unknown): string {
  return isObject(selector) ? (Object.keys(selector)[0] ?? "") : "";
}

export function optionsOf(selector: unknown): Options {
  if (!isObject(selector)) return {};
  const options = Object.values(selector)[0];
  return isObject(options)
    ? { ...(kindOf(selector) === "color_temp" && kelvins), ...(kindOf(selector) === "ui_color" && { options: colors }), ...options }
    : defaultsOf(kindOf(selector));
}

const kelvins = { mode: "slider" };

function defaultsOf(kind: string): Options {
  if (kind === "color_temp") return kelvins;
  return kind === "ui_color" ? { options: colors } : {};
}

// The limits of a number; those of a colour temperature depend on its unit.
export function limitsOf(selector: unknown): { min?: number; max?: number; step?: number | "any"; unit: string; slides: boolean } {
  const options = optionsOf(selector);
  const number = (...keys: string[]) => keys.map((key) => options[key]).find((value): value is number => typeof value === "number");
  if (kindOf(selector) === "color_temp") {
    const isKelvin = options.unit === "kelvin" || number("min_kelvin", "max_kelvin") !== undefined;
    const [least, most] = isKelvin ? [2000, 6500] : [153, 500];
    return {
      min: number("min", isKelvin ? "min_kelvin" : "min_mireds") ?? least,
      max: number("max", isKelvin ? "max_kelvin" : "max_mireds") ?? most,
      step: 1,
      unit: isKelvin ? "K" : "mired",
      slides: true,
    };
  }
  const [min, max] = [number("min"), number("max")];
  const step = options.step === "any" ? "any" : number("step");
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    unit: isText(options.unit_of_measurement) ? options.unit_of_measurement : "",
    slides: min !== undefined && max !== undefined && step !== "any" && options.mode !== "box",
  };
}

export function choicesOf(selector: unknown): [value: string, label: string][] {
  const { options } = optionsOf(selector);
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown): [string, string][] => {
    if (isObject(option)) return option.value === undefined ? [] : [[String(option.value), String(option.label ?? option.value)]];
    return [[String(option), String(option)]];
  });
}

// The control that the selector asks for, or YAML where it could not show the value that is there.
export function controlOf(selector: unknown, value: unknown): Control {
  const kind = kindOf(selector);
  const wanted = Object.hasOwn(controls, kind) ? (controls[kind] as Control) : kind === "" ? "text" : "yaml";
  const isGiven = value !== undefined && value !== null && value !== "";
  if (!isGiven || fits(wanted, selector, value)) return wanted;
  // A text may be a template that gives what is wanted.
  return isText(value) ? "template" : "yaml";
}

function fits(control: Control, selector: unknown, value: unknown): boolean {
  const { multiple, custom_value } = optionsOf(selector);
  switch (control) {
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "color":
      return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");
    case "duration":
      return partsOf(value) !== undefined;
    case "location":
    case "target":
      return isObject(value);
    case "select":
      if (isTexts(value)) return multiple === true;
      return isText(value) && (custom_value === true || multiple === true || choicesOf(selector).some(([each]) => each === value));
    case "date":
      return isText(value) && /^\d{4}-\d\d-\d\d$/.test(value);
    case "time":
      return isText(value) && /^\d\d:\d\d(:\d\d)?$/.test(value);
    case "datetime":
      return isText(value) && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(value);
    case "area":
    case "device":
    case "entity":
    case "floor":
    case "label":
      return isText(value) ? !value.includes("{") : isTexts(value);
    case "text":
      return isText(value) || (isTexts(value) && multiple === true);
    case "country":
    case "language":
    case "state":
    case "attribute":
    case "entry":
    case "icon":
    case "template":
      return isText(value);
    case "action":
    case "condition":
    case "trigger":
      return typeof value === "object";
    default:
      return true;
  }
}

// The value that says "nothing" where a default would otherwise count, such as no days of several; undefined if its control has no such value, as of
// a number.
export function nothingOf(selector: unknown, otherwise: unknown): unknown {
  if (optionsOf(selector).multiple === true) return [];
  const control = controlOf(selector, otherwise);
  if (control === "target") return {};
  const isWritten = [
    "area",
    "attribute",
    "country",
    "device",
    "entity",
    "entry",
    "floor",
    "icon",
    "label",
    "language",
    "state",
    "template",
    "text",
  ].includes(control);
  return isWritten || (control === "select" && optionsOf(selector).custom_value === true) ? "" : undefined;
}

export interface Parts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
  milliseconds: number;
}

// Of {minutes: 2}, 120, "120" and "00:02:00"; undefined for templates and what is none.
export function partsOf(value: unknown): Parts | undefined {
  const none: Parts = { days: 0, hours: 0, minutes: 0, seconds: 0, milliseconds: 0 };
  if (isText(value)) {
    const found = /^(\d+):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(value.trim());
    if (found)
      return {
        ...none,
        hours: Number(found[1]),
        minutes: Number(found[2]),
        seconds: Number(found[3] ?? 0),
        milliseconds: Number((found[4] ?? "0").padEnd(3, "0")),
      };
    return /^\d+(\.\d+)?$/.test(value.trim()) ? partsOf(Number(value)) : undefined;
  }
  if (typeof value === "number") {
    if (!(value >= 0)) return undefined;
    const whole = Math.floor(value);
    return {
      days: 0,
      hours: Math.floor(whole / 3600),
      minutes: Math.floor(whole / 60) % 60,
      seconds: whole % 60,
      milliseconds: Math.round((value - whole) * 1000),
    };
  }
  if (!isObject(value)) return undefined;
  const parts = { ...none };
  for (const [name, part] of Object.entries(value)) {
    if (!(name in none) || !Number.isFinite(Number(part))) return undefined;
    parts[name as keyof Parts] = Number(part);
  }
  return parts;
}
