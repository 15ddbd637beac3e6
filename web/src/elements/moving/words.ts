// SPDX-License-Identifier: Apache-2.0
// The report of an import in the page's language: names, reasons, and what to do.
import type { ImportState, ToDo } from "../../api/imports/imports";
import type { ReportItem } from "../../api/imports/report";
import { formatList, formatNumber, maybeT, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { base } from "../../router";
import type { Fold, Need } from "./groups";

// Names that are not made of the word: "zwave_js".
const names: Record<string, string> = {
  alexa: "Amazon Alexa",
  androidtv: "Android TV",
  cast: "Google Cast",
  deconz: "deCONZ",
  dlna_dmr: "DLNA",
  esphome: "ESPHome",
  hacs: "HACS",
  hassio: "Supervisor",
  homekit: "HomeKit",
  homekit_controller: "HomeKit",
  homematicip_cloud: "Homematic IP",
  hue: "Philips Hue",
  ipp: "IPP",
  knx: "KNX",
  lifx: "LIFX",
  mqtt: "MQTT",
  ozw: "OpenZWave",
  snmp: "SNMP",
  tplink: "TP-Link",
  tradfri: "IKEA TRÅDFRI",
  unifi: "UniFi",
  unifiprotect: "UniFi Protect",
  zha: "ZHA (Zigbee)",
  zwave: "Z-Wave",
  zwave_js: "Z-Wave JS",
};

// "google_translate": "Google Translate".
export function integrationName(platform: string): string {
  if (platform === "mobile_app") return t("moving.companionApp");
  const made = platform
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  return names[platform] ?? (made || t("moving.noIntegration"));
}

// As the report counts them: "entity" is among "entities".
const pluralOf = (what: string) => (/[^e]y$/.test(what) ? `${what.slice(0, -1)}ies` : what.endsWith("s") ? `${what}es` : `${what}s`);

// "Rooms" for "areas".
export function kindName(plural: string): string {
  return maybeT(`moving.kind.${plural}`) ?? sentence(plural.replace(/_/g, " "));
}

export const itemName = ({ name, id }: ReportItem): string => name || id;

// "Devices: 12, Entities: 40"; the only one of its kind by its name.
export function countedItems(items: ReportItem[]): string {
  const kinds = new Map<string, ReportItem[]>();
  for (const item of items) kinds.set(item.what, [...(kinds.get(item.what) ?? []), item]);
  const parts = [...kinds].map(([what, own]) => {
    const all = own.reduce((sum, { count = 1 }) => sum + count, 0);
    const number = all === 1 ? itemName(own[0] as ReportItem) : formatNumber(all);
    return t("moving.kindCount", { kind: kindName(pluralOf(what)), number });
  });
  return parts.join(", ");
}

// With a capital letter, and a point at its end.
export function sentence(text: string, end = ""): string {
  const begun = text.replace(/^\p{Ll}(?=[\p{L}'’-]*(?:[ ,;]|[.]? |[.]?$))/u, (letter) => letter.toUpperCase());
  return /[.!?…:]$/.test(begun) ? begun : begun + end;
}

// The hub's words in the report, as a sentence.
export const hubSentence = (text: string): string => (text ? sentence(hubMessage(text), ".") : "");

export function insteadOf(instead: string): string {
  if (instead === "") return "";
  return instead === "bridge" ? t("moving.bridge") : t("moving.instead", { instead: hubSentence(instead) });
}

export function reasonOf({ text, why }: Fold): string {
  return hubSentence(text) || (maybeT(`moving.why.${why}`) ?? t("moving.whyOther"));
}

// The hub's words about an account or a phone are of who has a terminal.
export function needTitle({ attention, text }: Pick<Need, "attention" | "text">): string {
  return maybeT(`moving.need.${attention}`) ?? (sentence(hubMessage(text)) || t("moving.needOther"));
}

export function needAdvice({ attention, do: todo }: Pick<Need, "attention" | "do">): string {
  return maybeT(`moving.do.${attention}`) ?? hubSentence(todo);
}

// Of the connection to the broker.
const ofMqtt = new Set(["mqtt_off", "websockets", "secret", "status_message"]);

// Where it is done; undefined if there is no page for it.
export function placeOf({ attention, what, name }: Pick<ToDo, "attention" | "what" | "name">): { path: string; label: string } | undefined {
  const place = (tab: string, label: string) => ({ path: `${base}/settings${tab}`, label });
  if (attention === "mobile_app") return undefined;
  if (what === "user" || attention === "auth_provider") return place("/users", t("settings.users"));
  const item = /^(automation|script|scene)\.\w+$/.test(name) ? `/${name}` : "";
  if (what === "automation") return place(`/automations${item}`, t("settings.automations"));
  if (ofMqtt.has(attention) || (what === "setting" && attention === "broken")) return place("/mqtt", t("settings.mqtt"));
  if (what === "entity" || what === "reserved") return place("/areas", t("entities.heading"));
  if (what === "device") return place("/devices", t("settings.devices"));
  if (what === "area") return place("/areas", t("settings.areas"));
  if (what === "setting" && attention === "out_of_range") return place("", t("settings.home"));
  return undefined;
}

// At most so many names, and how many there are beyond.
const mostNames = 60;

export function namesOf(items: ReportItem[]): string {
  const shown = items.slice(0, mostNames).map(itemName);
  const more = items.length - shown.length;
  return formatList(more > 0 ? [...shown, t("moving.more", { count: more })] : shown);
}

// Why an import failed; empty if it was cancelled.
export function importFailure(error: ImportState["error"]): string {
  return error ? t("error.unknown", { message: hubMessage(error) }) : "";
}
