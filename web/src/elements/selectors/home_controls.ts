// SPDX-License-Identifier: Apache-2.0
// The controls that pick from the home.
import { html, nothing, type TemplateResult } from "lit";

import { deviceName } from "../../api/devices";
import type { Home } from "../../api/home";
import { stateText } from "../../cards/state_text";
import { t, type Key } from "../../i18n/catalogue";
import type { Choice } from "../fields/picker";
import type { Draw, Given } from "./given";
import { areaChoices, deviceChoices, entityChoices, floorChoices } from "./home_filters";
import { writtenOrChosen } from "./plain_controls";
import type { Options } from "./selector";
import "../fields/picker";

export type Picked = "entity" | "device" | "area" | "floor" | "label";

function choicesOf(kind: Picked, { home, labels }: Pick<Given, "home" | "labels">, options: Options): Choice[] {
  if (kind === "entity") return entityChoices(home, options);
  if (kind === "device") return deviceChoices(home, options);
  if (kind === "area") return areaChoices(home, options);
  if (kind === "floor") return floorChoices(home, options);
  return labels.map(({ label_id, name }) => ({ id: label_id, name }));
}

export function nameOf(kind: Picked, home: Home, labels: Given["labels"], id: string): string {
  if (kind === "entity") return home.nameOf(id);
  if (kind === "area") return home.areas.get(id)?.name ?? id;
  if (kind === "floor") return home.floors.get(id)?.name ?? id;
  if (kind === "label") return labels.find(({ label_id }) => label_id === id)?.name ?? id;
  const device = home.devices.get(id);
  return device ? deviceName(device) : id;
}

function picker(
  kind: Picked,
  given: Pick<Given, "home" | "labels" | "required">,
  label: string,
  options: Options,
  chosen: string[],
  tell: (chosen: string[]) => void,
): TemplateResult {
  const { home, labels } = given;
  const multiple = options.multiple === true;
  return html`<hearth-picker
      .label=${label}
      ?multiple=${multiple}
      ?required=${given.required}
      .chosen=${chosen}
      .choices=${() => choicesOf(kind, given, options)}
      .nameOf=${(id: string) => nameOf(kind, home, labels, id)}
      .shownAs=${(id: string) => nameOf(kind, home, labels, id)}
      @change-chosen=${({ detail }: CustomEvent<string[]>) => tell(detail)}
    ></hearth-picker>
    ${!multiple && !given.required && chosen.length > 0
      ? html`<button type="button" class="plain none" @click=${() => tell([])}>${t("selector.none")}</button>`
      : nothing}`;
}

function listOf(value: unknown): string[] {
  return typeof value === "string"
    ? value
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean)
    : Array.isArray(value)
      ? value.filter((one): one is string => typeof one === "string")
      : [];
}

export function drawPicked(kind: Picked): Draw {
  return (given) => {
    const tell = (chosen: string[]) => given.tell(chosen.length === 0 ? undefined : given.options.multiple === true ? chosen : chosen[0]);
    return picker(kind, given, given.label, given.options, listOf(given.value), tell);
  };
}

const parts: [Picked, Key][] = [
  ["entity", "selector.entities"],
  ["device", "selector.devices"],
  ["area", "selector.areas"],
  ["floor", "selector.floors"],
  ["label", "selector.labels"],
];

export const drawTarget: Draw = (given) => {
  const target = (typeof given.value === "object" && given.value !== null ? given.value : {}) as Record<string, unknown>;
  // An area is one that has such entities or devices; a selector of entities filters itself.
  const options = (kind: Picked): Options => {
    const { entity, device } = given.options;
    if (kind === "entity") return { multiple: true, ...(entity !== undefined && { filter: entity }) };
    if (kind === "device")
      return { multiple: true, ...(device !== undefined && { filter: device }), ...(entity !== undefined && { entity }) };
    return { multiple: true, ...(entity !== undefined && { entity }), ...(device !== undefined && { device }) };
  };
  const change = (kind: Picked, chosen: string[]) => {
    const { [`${kind}_id`]: _, ...others } = target;
    const next = chosen.length === 0 ? others : { ...others, [`${kind}_id`]: chosen.length === 1 ? chosen[0] : chosen };
    given.tell(Object.keys(next).length > 0 ? next : undefined);
  };
  const isThere: Record<Picked, boolean> = {
    entity: true,
    device: given.home.devices.size > 0,
    area: given.home.areas.size > 0,
    floor: given.home.floors.size > 0,
    label: given.labels.length > 0,
  };
  return html`<fieldset aria-describedby=${given.described || nothing}>
    <legend>${given.label}</legend>
    <div class="target">
      ${parts
        .filter(([kind]) => isThere[kind] || target[`${kind}_id`] !== undefined)
        .map(
          ([kind, label]) =>
            html`<div>
              ${picker(kind, { ...given, required: false }, t(label), options(kind), listOf(target[`${kind}_id`]), (chosen) =>
                change(kind, chosen),
              )}
            </div>`,
        )}
    </div>
  </fieldset>`;
};

// The attributes of an entity, if the selector names one.
export const drawState: Draw = (given) => {
  const id = String(given.options.entity_id ?? "");
  const entity = given.home.entity(id);
  if (!entity) return writtenOrChosen(given, []);
  const known = [
    entity.state,
    ...(Array.isArray(entity.attributes.options) ? (entity.attributes.options as string[]) : []),
    ...(given.home.kinds.get(id.split(".")[0] ?? "")?.on ? ["on", "off"] : []),
  ];
  return writtenOrChosen(
    given,
    [...new Set(known)].map((state) => [state, stateText(given.home, { ...entity, state })]),
  );
};

export const drawAttribute: Draw = (given) => {
  const entity = given.home.entity(String(given.options.entity_id ?? ""));
  return writtenOrChosen(
    given,
    Object.keys(entity?.attributes ?? {}).map((name) => [name, name]),
  );
};
