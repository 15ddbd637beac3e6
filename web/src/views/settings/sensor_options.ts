// SPDX-License-Identifier: Apache-2.0
// In which unit, and with how many decimals, a sensor's value is shown: fields of the entity's settings.
import type { TemplateResult } from "lit";

import type { Home } from "../../api/home";
import { measures, numberOf } from "../../api/samples";
import type { EntityEntry } from "../../api/types";
import type { FormController, Values } from "../../elements/form";
import { formatNumber, t } from "../../i18n/catalogue";

const unitKey = "unit_of_measurement";
const precisionKey = "display_precision";
// The hub takes as many decimals; those beyond these are of no use to people.
const mostDecimals = 6;

function own(entity: EntityEntry): Record<string, unknown> {
  return entity.options.sensor ?? {};
}

// True if these fields make sense for it.
export function isMeasure(home: Home, { entity_id }: EntityEntry): boolean {
  return entity_id.startsWith("sensor.") && measures(home.entity(entity_id));
}

// The units between which the hub converts its values; none if it cannot.
export async function unitsOf(home: Home, entity: EntityEntry): Promise<string[]> {
  const device_class = entity.device_class ?? entity.original_device_class ?? home.entity(entity.entity_id)?.attributes.device_class;
  if (!isMeasure(home, entity) || typeof device_class !== "string") return [];
  const { units } = await home.command<{ units: string[] }>("sensor/device_class_convertible_units", { device_class });
  const present = home.entity(entity.entity_id)?.attributes[unitKey];
  return typeof present === "string" && units.includes(present) ? units : [];
}

export function unitField(form: FormController, entity: EntityEntry, units: string[]): TemplateResult {
  const chosen = own(entity)[unitKey];
  return form.select({
    name: unitKey,
    label: t("entities.unit"),
    value: typeof chosen === "string" ? chosen : "",
    options: [["", t("entities.asReported")], ...units.map((unit): [string, string] => [unit, unit])],
  });
}

// Each number of decimals, with the present value as an example.
export function precisionField(form: FormController, home: Home, entity: EntityEntry): TemplateResult {
  const chosen = own(entity)[precisionKey];
  const value = numberOf(home.entity(entity.entity_id)?.state ?? "");
  const example = (digits: number) =>
    value === undefined ? String(digits) : formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const digits = Array.from({ length: mostDecimals + 1 }, (_, number) => number);
  if (typeof chosen === "number" && chosen > mostDecimals) digits.push(chosen);
  return form.select({
    name: precisionKey,
    label: t("entities.precision"),
    value: typeof chosen === "number" ? String(chosen) : "",
    options: [["", t("entities.asReported")], ...digits.map((number): [string, string] => [String(number), example(number)])],
  });
}

// The message of config/entity_registry/update that changes them; empty if nothing does.
export function optionChanges(entity: EntityEntry, values: Values): Record<string, unknown> {
  const before = own(entity);
  const after: Record<string, unknown> = { ...before };
  const take = (key: string, value: string | undefined, make: (text: string) => unknown) => {
    if (value === undefined) return; // the field is not there
    if (value === "") delete after[key];
    else after[key] = make(value);
  };
  take(unitKey, values[unitKey], String);
  take(precisionKey, values[precisionKey], Number);
  if (before[unitKey] === after[unitKey] && before[precisionKey] === after[precisionKey]) return {};
  return { options_domain: "sensor", options: Object.keys(after).length > 0 ? after : null };
}
