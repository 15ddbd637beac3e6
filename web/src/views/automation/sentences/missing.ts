// SPDX-License-Identifier: Apache-2.0
// Things that a row names and the home does not have: services, entities, devices, rooms, floors and labels. They may come later, so that it
// can be saved all the same.
import { t } from "../../../i18n/catalogue";
import { at, isConfig, pathOf, type Config } from "./edit";
import type { Knowledge } from "./home_words";
import type { Slot } from "./kinds";
import { listOf, textsOf } from "./modern";
import { isEntityId, isTemplate } from "./values";

const isEmpty = (map: { size: number } | object) => ("size" in map ? map.size === 0 : Object.keys(map).length === 0);

// An entity that is disabled is registered, and is no mistake.
function missingEntities({ home }: Knowledge, ids: unknown[]): string[] {
  return ids
    .filter((id): id is string => isEntityId(id) && !home.entity(id as string) && !home.registry.has(id as string))
    .map((id) => t("row.noEntity", { id }));
}

function missingTargets(know: Knowledge, target: Config): string[] {
  const { home, labels } = know;
  const of = (key: string) => (textsOf(target[key]) ?? []).filter((id) => id !== "" && !isTemplate(id) && id !== "all" && id !== "none");
  const isGone = (known: { size: number; has: (id: string) => boolean }, id: string) => !isEmpty(known) && !known.has(id);
  return [
    ...missingEntities(know, of("entity_id")),
    ...of("device_id")
      .filter((id) => isGone(home.devices, id))
      .map((id) => t("row.noDevice", { id })),
    ...of("area_id")
      .filter((id) => isGone(home.areas, id))
      .map((id) => t("row.noArea", { id })),
    ...of("floor_id")
      .filter((id) => isGone(home.floors, id))
      .map((id) => t("row.noFloor", { id })),
    ...of("label_id")
      .filter((id) => labels.length > 0 && !labels.some(({ label_id }) => label_id === id))
      .map((id) => t("row.noLabel", { id })),
  ];
}

function missingService({ services }: Knowledge, action: unknown): string[] {
  if (isTemplate(action) || typeof action !== "string" || action === "" || isEmpty(services)) return [];
  const [domain = "", name = ""] = action.split(".");
  const known = Object.hasOwn(services, domain) ? services[domain] : undefined;
  return known && Object.hasOwn(known, name) ? [] : [t("row.noService", { action })];
}

// Of the slots of a row, not of rows within it.
export function missingIn(know: Knowledge, slots: Slot[], config: Config): string[] {
  const found = slots.flatMap((slot) => {
    const value = at(config, pathOf(slot.key));
    if (value === undefined || value === null || isTemplate(value)) return [];
    switch (slot.type) {
      case "entity":
      case "limit":
        return missingEntities(know, textsOf(value) ?? []);
      case "time":
        return missingEntities(
          know,
          listOf(value).map((one) => (isConfig(one) ? one.entity_id : one)),
        );
      case "target":
        return isConfig(value) ? missingTargets(know, value) : [];
      case "threshold":
        return missingEntities(know, isConfig(value) ? Object.values(value).map((edge) => (isConfig(edge) ? edge.entity : undefined)) : []);
      case "device":
        return missingTargets(know, { device_id: value });
      case "area":
        return missingTargets(know, { area_id: value });
      case "call":
        return missingService(know, value);
      default:
        return [];
    }
  });
  return [...new Set(found)];
}
