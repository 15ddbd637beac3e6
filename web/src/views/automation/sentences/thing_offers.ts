// SPDX-License-Identifier: Apache-2.0
// What the things of the home can begin, be asked for, or be told, as rows to add: found by typing their names.
import { mdiDevices, mdiScriptText } from "virtual:icons/lazy";

import { measures } from "../../../api/samples";
import type { Entity } from "../../../api/types";
import { iconOf } from "../../../cards/icons";
import { canOf } from "../../../cards/kind_controls";
import { Finder, plain } from "../../../elements/fields/finder";
import { t } from "../../../i18n/catalogue";
import { neededData, serviceOf } from "./call_pieces";
import type { Config } from "./edit";
import type { Editing } from "./editing";
import { deviceName, serviceName, statesOf, stateWord } from "./home_words";
import type { Section } from "./kinds";
import type { Pickable } from "./pick";

export interface ThingOffer extends Pickable {
  row: Config;
}

// So many things are looked at, those with the most of the words.
const most = 40;
const least = 2;

interface Thing {
  entity?: Entity;
  device?: string;
  words: string;
}

const numbers = new Set(["number", "input_number", "counter"]);
const rarely = ["unavailable", "unknown"];

function isNumber(entity: Entity): boolean {
  return measures(entity) || numbers.has(entity.entity_id.split(".")[0] as string);
}

type Said = [name: string, row: Config];

function triggersOf({ home }: Editing, entity: Entity): Said[] {
  const { entity_id } = entity;
  const name = home.nameOf(entity_id);
  const steady = { skip_unavailable: true };
  if (isNumber(entity))
    return (["above", "below"] as const).map((side) => [
      t(`thing.${side}`, { name }),
      { trigger: "numeric_state", entity_id, [side]: null, ...steady },
    ]);
  const states = statesOf(home, [entity_id]).filter((state) => !rarely.includes(state));
  if (states.length === 0) return [[t("thing.changes", { name }), { trigger: "state", entity_id, ...steady }]];
  return states.map((to) => [
    t("thing.becomes", { name, state: stateWord(home, [entity_id], to) }),
    { trigger: "state", entity_id, to, ...steady },
  ]);
}

function conditionsOf({ home }: Editing, entity: Entity): Said[] {
  const { entity_id, state: now } = entity;
  const name = home.nameOf(entity_id);
  if (isNumber(entity))
    return (["above", "below"] as const).map((side) => [
      t(`thing.is_${side}`, { name }),
      { condition: "numeric_state", entity_id, [side]: null },
    ]);
  const states = statesOf(home, [entity_id]).filter((state) => !rarely.includes(state));
  return (states.length > 0 ? states : [now]).map((state) => [
    t("thing.is", { name, state: stateWord(home, [entity_id], state) }),
    { condition: "state", entity_id, state },
  ]);
}

function stepsOf(editing: Editing, entity: Entity): Said[] {
  const { home, services } = editing;
  const { entity_id } = entity;
  const domain = entity_id.slice(0, entity_id.indexOf("."));
  const name = home.nameOf(entity_id);
  if (domain === "scene") return [[t("thing.does", { what: t("generic.activate"), name }), { scene: entity_id }]];
  if (domain === "script")
    return serviceOf(editing, entity_id)
      ? [[t("thing.does", { what: t("automations.run"), name }), { action: entity_id, ...dataOf(editing, entity_id) }]]
      : [];
  const kind = home.kinds.get(domain);
  const can = kind && canOf(kind, entity);
  return (kind?.actions ?? []).flatMap(({ service, needs, answers }): Said[] => {
    const action = `${domain}.${service}`;
    if (answers || !can?.(needs) || !serviceOf(editing, action)) return [];
    return [
      [t("thing.does", { what: serviceName(services, action), name }), { action, target: { entity_id }, ...dataOf(editing, action) }],
    ];
  });
}

function dataOf(editing: Editing, action: string): Config {
  const data = neededData(serviceOf(editing, action));
  return Object.keys(data).length > 0 ? { data } : {};
}

const saidOf: Record<Section, (editing: Editing, entity: Entity) => Said[]> = {
  triggers: triggersOf,
  conditions: conditionsOf,
  actions: stepsOf,
};

function thingsOf({ home }: Editing, section: Section): Thing[] {
  const list: Thing[] = [];
  for (const [id, entity] of home.entities) {
    if (home.registry.get(id)?.hidden_by) continue;
    list.push({ entity, words: plain(`${home.nameOf(id)} ${home.areaOf(id)?.name ?? ""} ${id}`) });
  }
  if (section === "triggers") for (const device of home.devices.keys()) list.push({ device, words: plain(deviceName(home, device)) });
  return list;
}

function offersOf(editing: Editing, section: Section, { entity, device }: Thing): ThingOffer[] {
  const { home } = editing;
  const group = t("thing.things");
  if (device !== undefined) {
    return [
      {
        id: `device:${device}`,
        name: t("thing.tells", { name: deviceName(home, device) }),
        icon: mdiDevices,
        group,
        row: { trigger: "device", device_id: device },
      },
    ];
  }
  if (!entity) return [];
  const { entity_id } = entity;
  const { name: iconName, path } = iconOf(home, entity);
  const note = [home.areaOf(entity_id)?.name, entity_id].filter(Boolean).join(" · ");
  return saidOf[section](editing, entity).map(([name, row], index) => ({
    id: `${entity_id} ${index}`,
    name,
    note,
    icon: path || mdiScriptText,
    iconName,
    group,
    row,
  }));
}

// What is found of them as somebody types. To look through a home of thousands takes a few milliseconds; nothing is made before.
export function thingFinder(editing: Editing, section: Section): (text: string) => ThingOffer[] {
  let things: Thing[] | undefined;
  return (text) => {
    const words = plain(text)
      .split(/\s+/)
      .filter((word) => word.length >= least);
    if (words.length === 0) return [];
    things ??= thingsOf(editing, section);
    const counted = things
      .map((thing) => ({ thing, hits: words.filter((word) => thing.words.includes(word)).length }))
      .filter(({ hits }) => hits > 0);
    const best = counted.sort((a, b) => b.hits - a.hits).slice(0, most);
    return new Finder(best.flatMap(({ thing }) => offersOf(editing, section, thing))).find(text);
  };
}
