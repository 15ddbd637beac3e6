// SPDX-License-Identifier: Apache-2.0
// The words of what stands in a slot.
import { withUnit } from "../../../../cards/state_text";
import { formatDuration, formatNumber, t } from "../../../../i18n/catalogue";
import { deviceWords } from "../devices/device_words";
import { secondsOf } from "../durations";
import { at, isConfig, pathOf, type Config } from "../edit";
import {
  deviceName,
  entitiesOf,
  offsetText,
  serviceName,
  stateWord,
  targetNames,
  timeText,
  unitOfEntity,
  weekdayName,
  type Knowledge,
} from "../home_words";
import type { Slot } from "../kinds";
import { listOf, textsOf } from "../modern";
import { doesOf, purposeOf } from "../purpose_words";
import { edgesOf } from "../threshold";
import { isEntityId, isTemplate } from "../values";
import { sideOf, sideOptions } from "./slots";

// A list as a sentence has it: "A, B and 3 more" would hide something, so all of it.
function joined(list: string[], word: "conjunction" | "disjunction"): string {
  return new Intl.ListFormat(document.documentElement.lang || "en", { type: word }).format(list);
}

// The text of a slot, as a sentence says it; "…" if it has none yet.
export function slotText(know: Knowledge, slot: Slot, config: Config): string {
  const value = at(config, pathOf(slot.key));
  const text = valueText(know, slot, value, config);
  return text === "" ? "…" : text;
}

function valueText(know: Knowledge, slot: Slot, value: unknown, config: Config): string {
  const { home } = know;
  if (isTemplate(value)) return value;
  switch (slot.type) {
    case "entity":
      return joined(
        (textsOf(value) ?? []).map((id) => home.nameOf(id)),
        "disjunction",
      );
    case "state":
      if (value === undefined) return slot.nothing?.() ?? "";
      if (value === null) return slot.none?.() ?? "";
      return joined(
        listOf(value).map((state) => (config.attribute === undefined ? stateWord(home, entitiesOf(config), state) : String(state))),
        "disjunction",
      );
    case "duration":
      return value === undefined ? "" : formatDuration(secondsOf(value) ?? 0);
    case "offset":
      return offsetText(value);
    case "time":
      return joined(
        listOf(value).map((time) => timeText(know, time)),
        "disjunction",
      );
    case "weekday": {
      const days = textsOf(value) ?? [];
      return days.length === 0
        ? t("sentence.never")
        : joined(
            days.map((day) => weekdayName(day)),
            "conjunction",
          );
    }
    case "select":
      if (Array.isArray(value))
        return joined(
          value.map((one) => valueText(know, slot, one, config)),
          "disjunction",
        );
      return slot.options?.find((option) => option.value === value)?.text() ?? String(value ?? "");
    case "side":
      return sideOptions.find((option) => option.value === sideOf(config))?.text() ?? "";
    case "limit":
      if (isEntityId(value)) return home.nameOf(String(value));
      return value === null || value === undefined
        ? ""
        : withUnit(formatNumber(Number(value)), unitOfEntity(home, entitiesOf(config), config.attribute));
    case "number":
      return value === null || value === undefined ? "" : withUnit(formatNumber(Number(value)), slot.unit ?? "");
    case "boolean":
      return value === undefined ? "" : t(value === true ? "sentence.yes" : "sentence.no");
    case "call":
      return serviceName(know.services, String(value ?? ""));
    case "target":
      return joined(targetNames(know, value), slot.joins?.(config) ?? "conjunction");
    case "purpose": {
      const purpose = purposeOf(config);
      return purpose ? doesOf(purpose) : "";
    }
    case "threshold":
      return thresholdText(know, slot, value, config);
    case "device":
      return value === "" || value === undefined ? "" : deviceName(home, String(value));
    case "device_event":
      return deviceWords(know, config);
    case "area":
      return home.areas.get(String(value))?.name ?? String(value ?? "");
    case "pattern":
      return patternText(value);
    case "trigger_id":
      return joined(
        listOf(value).map((id) => know.triggers.find(([known]) => known === String(id))?.[1] ?? String(id)),
        "disjunction",
      );
    case "yaml":
      return yamlText(value);
    default:
      return slot.open ? joined(listOf(value).map(String), "disjunction") : listOf(value).join(", ");
  }
}

// The unit of a limit: its own, that of what it is about, or the usual one.
export function limitUnit({ home }: Knowledge, { unit }: Slot, edge: Config, { target }: Config): string {
  if (typeof edge.unit_of_measurement === "string") return edge.unit_of_measurement;
  const own = unitOfEntity(home, isConfig(target) ? (textsOf(target.entity_id) ?? []) : [], undefined);
  return own || (unit === "°C" ? (home.configuration.unit_system.temperature ?? unit) : (unit ?? ""));
}

function thresholdText(know: Knowledge, slot: Slot, value: unknown, config: Config): string {
  const type = isConfig(value) ? value.type : slot.options?.[0]?.value === "any" ? "any" : undefined;
  const word = slot.options?.find((option) => option.value === type)?.text();
  if (word === undefined) return "";
  const limits = edgesOf(type).map((key) => {
    const edge = isConfig(value) && isConfig(value[key]) ? value[key] : {};
    if (typeof edge.entity === "string") return edge.entity === "" ? "…" : know.home.nameOf(edge.entity);
    const { number } = edge;
    return number === null || number === undefined || number === ""
      ? "…"
      : withUnit(formatNumber(Number(number)), limitUnit(know, slot, edge, config));
  });
  return [word, limits.join(` ${t(type === "outside" ? "purpose.to.outside" : "purpose.to.between")} `)].filter(Boolean).join(" ");
}

function patternText(value: unknown): string {
  const every = /^\/(\d+)$/.exec(String(value))?.[1];
  if (every) return t("sentence.every", { number: Number(every) });
  return value === "*" ? t("sentence.each") : t("sentence.at", { number: Number(value) });
}

function yamlText(value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => (typeof part === "object" ? "…" : String(part))).join(", ");
  if (isConfig(value))
    return Object.entries(value)
      .map(([key, part]) => `${key} = ${typeof part === "object" && part !== null ? "…" : String(part)}`)
      .join(", ");
  return value === undefined || value === null ? "" : String(value);
}
