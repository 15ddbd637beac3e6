// SPDX-License-Identifier: Apache-2.0
// The words of triggers and conditions by purpose: "A light in Kitchen turns on".
import { t, type Key } from "../../../i18n/catalogue";
import { isConfig, type Config } from "./edit";
import { findPurpose, type Purpose } from "./purpose_table";

export function purposeOf(config: Config): Purpose | undefined {
  return config.trigger !== undefined ? findPurpose("triggers", config.trigger) : findPurpose("conditions", config.condition);
}

export const doesOf = ({ does }: Purpose) => t(`purpose.does.${does}` as Key);
const nounOf = ({ noun }: Purpose) => t(`purpose.a.${noun}` as Key);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// The name in menus.
export const purposeName = (purpose: Purpose) => capital(`${nounOf(purpose)} ${doesOf(purpose)}`);

const placeKeys = ["area_id", "floor_id"];

// Entities are said by their names, of a place the things that are meant.
function subjectText(purpose: Purpose, target: unknown): string {
  const { about, number, noun } = purpose;
  const part = number ? t(`purpose.the.${noun}` as Key) : "";
  if (about === "zone") return "{zone}";
  if (about === "sun") return part || nounOf(purpose);
  const keys = isConfig(target) ? Object.keys(target).filter((key) => key !== "exclude") : [];
  if (keys.length > 0 && keys.every((key) => key === "entity_id")) return number ? t("purpose.of", { what: part }) : "{target}";
  return t(keys.length > 0 && keys.every((key) => placeKeys.includes(key)) ? "purpose.in" : "purpose.of", { what: nounOf(purpose) });
}

// With the slots {target} or {zone}, {does} and, if it has one, that of its option or its threshold.
export function purposeText(purpose: Purpose, config: Config): string {
  const { number, option, about } = purpose;
  const more = number ? " {threshold}" : option !== undefined && about !== "zone" ? ` {${option}}` : "";
  return capital(`${subjectText(purpose, config.target)} {does}${more}`);
}
