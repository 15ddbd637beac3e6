// SPDX-License-Identifier: Apache-2.0
// Events, questions and commands of a device, in words.
import { nameOnDevice } from "../../../../api/devices";
import type { Home } from "../../../../api/home";
import type { Entity } from "../../../../api/types";
import { stateText } from "../../../../cards/state_text";
import { maybeT, t, type Key } from "../../../../i18n/catalogue";
import type { Config } from "../edit";
import { deviceName, serviceName, type Knowledge } from "../home_words";
import { deviceStep, meaningOf, stepWords } from "./device_forms";

export const isStep = (config: Config) => config.trigger === undefined && config.condition === undefined;

// The entity that the row is for, also if it names it by its id in the registry.
export function entityOf({ registry }: Knowledge["home"], config: Config): string {
  const id = typeof config.entity_id === "string" ? config.entity_id : "";
  if (id === "" || id.includes(".")) return id;
  for (const entry of registry.values()) if (entry.id === id) return entry.entity_id;
  return id;
}

// The name of the entity beside its device.
function nameOf(home: Knowledge["home"], config: Config): string {
  const id = entityOf(home, config);
  const device = home.devices.get(String(config.device_id));
  return device ? nameOnDevice(home, id, device) : home.nameOf(id);
}

// True if the sentence is about the device's own entity, which is called as it is.
export function isDevice({ home }: Knowledge, config: Config): boolean {
  return nameOf(home, config) === deviceName(home, String(config.device_id));
}

const plain = (text: unknown) => (typeof text === "string" ? text.replaceAll("_", " ") : "");

// "button_2", "button_short_press" → "Button 2 pressed briefly"
function pressText({ type, subtype }: Config): string {
  const numbered = /^(button|switch)_(\d+)$/.exec(String(subtype));
  const name = numbered
    ? t(`device.${numbered[1] as "button" | "switch"}`, { number: numbered[2] ?? "" })
    : (maybeT(`device.subtype.${String(subtype)}`) ?? plain(subtype));
  const text = maybeT(`device.press.${String(type)}`, { name }) ?? [name, plain(type)].filter(Boolean).join(" · ");
  return text.replace(/\s+/g, " ").trim();
}

function stepText(know: Knowledge, config: Config): string | undefined {
  const step = deviceStep(config);
  if (!step) return undefined;
  const word = stepWords[step.type];
  const what = word ? t(word) : serviceName(know.services, step.service);
  return isDevice(know, config) || config.domain === "mobile_app" ? what : t("device.does", { what, name: nameOf(know.home, config) });
}

// The device or entity that is or does it. If the home does not have it, the type says more than its id.
function subject(know: Knowledge, config: Config, deviceClass = ""): string {
  const { home } = know;
  const what = maybeT(`device.class.${deviceClass}`);
  if (isDevice(know, config)) return config.trigger === undefined ? "" : (what ?? t("device.it"));
  return (home.entities.has(entityOf(home, config)) ? undefined : what) ?? nameOf(home, config);
}

// Of the device's own entity the part says enough.
const alone: Partial<Record<Key, Key>> = { "device.part": "device.partAlone", "device.partChanges": "device.partChangesAlone" };

function meaningText(know: Knowledge, config: Config): string | undefined {
  const meaning = meaningOf(config);
  if (!meaning) return undefined;
  const { text, state, deviceClass, part } = meaning;
  const { home } = know;
  const shown = {
    entity_id: `${String(config.domain)}.`,
    state: state ?? "",
    attributes: { device_class: deviceClass },
  } as unknown as Entity;
  const said = { state: state === undefined ? "" : stateText(home as Home, shown), part: part ? t(part) : "" };
  return t((isDevice(know, config) ? alone[text] : undefined) ?? text, { ...said, name: subject(know, config, deviceClass) }).trim();
}

// The words of what was chosen; empty if nothing was.
export function deviceWords(know: Knowledge, config: Config): string {
  const { type, trigger } = config;
  if (typeof type !== "string" || type === "") return "";
  const text =
    trigger !== undefined && config.domain === "mqtt" ? undefined : isStep(config) ? stepText(know, config) : meaningText(know, config);
  return text ?? (trigger !== undefined ? pressText(config) : t("device.unknownType", { type: plain(type) }));
}
