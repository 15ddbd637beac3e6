// SPDX-License-Identifier: Apache-2.0
// The triggers, conditions and actions of the home's things, as rows to add: found by typing their names.
import { mdiDevices, mdiScriptText, mdiSofaOutline } from "virtual:icons/lazy";

import { measures } from "../../../api/samples";
import type { Entity } from "../../../api/types";
import { iconOf } from "../../../cards/icons";
import { canOf } from "../../../cards/kind_controls";
import { Finder, plain, wordsIn } from "../../../elements/fields/finder";
import { misspells } from "../../../elements/fields/typos";
import { t } from "../../../i18n/catalogue";
import { domainName } from "../../../elements/home_choices";
import { neededData, serviceOf } from "./call_pieces";
import type { Config } from "./edit";
import type { Editing } from "./editing";
import { deviceName, serviceName, statesOf, stateWord } from "./home_words";
import type { Section } from "./kinds";
import type { Pickable } from "./pick";
import { purposeKinds } from "./purpose_pieces";
import { purposeOf } from "./purpose_words";
import { kindText } from "./words";

export interface ThingOffer extends Pickable {
  row: Config;
}

// So many things are looked at, those with the most of the words.
const most = 40;
// One word at least is so long.
const least = 2;

interface Thing {
  entity?: Entity;
  device?: string;
  area?: { id: string; name: string };
  // "light.kitchen", "kitchen"; what people call it; and all words that it is found by, each with a blank before and behind it.
  ids: string[];
  name: string;
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
  const becomes = (key: "thing.becomes" | "thing.becomesFor", more: Config) =>
    states.map(
      (to): Said => [t(key, { name, state: stateWord(home, [entity_id], to) }), { trigger: "state", entity_id, to, ...more, ...steady }],
    );
  return [...becomes("thing.becomes", {}), ...becomes("thing.becomesFor", { for: { minutes: 5 } })];
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

const spaced = (text: string) => ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

function thing(id: string, name: string, more: string, of: Partial<Thing>): Thing {
  const ids = [id, id.slice(id.indexOf(".") + 1)].map(plain);
  const called = spaced(plain(name)).trim();
  return { ids, name: called, words: `${spaced(plain(`${name} ${more} ${id}`))}${ids[0]} `, ...of };
}

function thingsOf({ home }: Editing, section: Section): Thing[] {
  const list: Thing[] = [];
  const inhabited = new Set<string>();
  for (const [id, entity] of home.entities) {
    const entry = home.registry.get(id);
    if (entry?.hidden_by) continue;
    const area = home.areaOf(id);
    if (area) inhabited.add(area.area_id);
    const device = entry?.device_id ? deviceName(home, entry.device_id) : "";
    list.push(thing(id, home.nameOf(id), `${area?.name ?? ""} ${device}`, { entity }));
  }
  for (const { area_id: id, name } of home.areas.values()) if (inhabited.has(id)) list.push(thing(id, name, "", { area: { id, name } }));
  if (section === "triggers") for (const device of home.devices.keys()) list.push(thing(device, deviceName(home, device), "", { device }));
  return list;
}

// The triggers, conditions and steps for all things of a kind in a room.
function saidOfArea(editing: Editing, section: Section, { id, name }: { id: string; name: string }): Said[] {
  const { home, services } = editing;
  const here = [...home.entities.values()].filter(
    ({ entity_id }) => !home.registry.get(entity_id)?.hidden_by && home.areaOf(entity_id)?.area_id === id,
  );
  if (section !== "actions") {
    return purposeKinds(section).flatMap((kind): Said[] => {
      const row = kind.begin(editing);
      const { about, sources } = purposeOf(row) ?? { about: "", sources: [] };
      const isMeant = ({ entity_id, attributes }: Entity) =>
        sources.some(
          ({ domain, deviceClass }) =>
            entity_id.startsWith(`${domain}.`) && (deviceClass === "" || deviceClass === attributes.device_class),
        );
      if (about !== "target" || !here.some(isMeant)) return [];
      const whole = { ...row, target: { area_id: id } };
      return [[kindText(editing, kind, whole), whole]];
    });
  }
  const domains = new Set(here.map(({ entity_id }) => entity_id.slice(0, entity_id.indexOf("."))));
  return [...domains].flatMap((domain) => {
    const kind = home.kinds.get(domain);
    const can = here.filter(({ entity_id }) => entity_id.startsWith(`${domain}.`)).map((entity) => kind && canOf(kind, entity));
    return (kind?.actions ?? []).flatMap(({ service, needs, answers }): Said[] => {
      const action = `${domain}.${service}`;
      const described = serviceOf(editing, action);
      if (answers || !described || Object.keys(neededData(described)).length > 0 || !can.some((each) => each?.(needs))) return [];
      return [
        [
          t("thing.doesIn", { what: serviceName(services, action), things: domainName(domain), room: name }),
          { action, target: { area_id: id } },
        ],
      ];
    });
  });
}

function offersOf(editing: Editing, section: Section, { entity, device, area }: Thing): ThingOffer[] {
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
  if (area) {
    return saidOfArea(editing, section, area).map(([name, row], index) => ({
      id: `area:${area.id} ${index}`,
      name,
      icon: mdiSofaOutline,
      group: t("offer.areas"),
      row,
    }));
  }
  if (!entity) return [];
  const { entity_id } = entity;
  const { name: iconName, path } = iconOf(home, entity);
  const { device_id } = home.registry.get(entity_id) ?? {};
  const ofDevice = device_id ? deviceName(home, device_id) : "";
  const isSaid = plain(home.nameOf(entity_id)).includes(plain(ofDevice));
  const note = [home.areaOf(entity_id)?.name, isSaid ? "" : ofDevice, entity_id].filter(Boolean).join(" · ");
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

// Smaller is better; undefined if no word is said. What has more of the words is better, then an exact id, an exact name, one that begins
// so, one with whole words, and one with parts of them.
function rankOf({ ids, name, words: own }: Thing, words: string[]): number | undefined {
  const said = words.filter((word) => own.includes(word));
  if (said.length === 0) return undefined;
  const wanted = said.join(" ");
  const fit = () => {
    if (ids.includes(wanted)) return 0;
    if (name === wanted) return 1;
    if ([name, ...ids].some((one) => one.startsWith(wanted))) return 2;
    return said.every((word) => own.includes(` ${word} `)) ? 3 : 4;
  };
  return fit() - 10 * said.length;
}

function vocabulary(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)));
}

// The word itself if it is known or nothing is like it.
function meantBy(word: string, known: ReadonlySet<string>): string {
  return known.has(word) ? word : ([...known].find(misspells(word)) ?? word);
}

// The things that are found as somebody types. To look through a home of thousands takes a few milliseconds; nothing is made before. What is
// nowhere is looked for as it may have been meant.
export function thingFinder(editing: Editing, section: Section): (text: string) => ThingOffer[] {
  let things: Thing[] | undefined;
  let known: Set<string> | undefined;
  const search = (words: string[]): { found: ThingOffer[]; offers: ThingOffer[] } => {
    things ??= thingsOf(editing, section);
    const ranked = things.flatMap((each) => {
      const rank = rankOf(each, words);
      return rank === undefined ? [] : [{ each, rank }];
    });
    const best = ranked.sort((a, b) => a.rank - b.rank).slice(0, most);
    const offers = best.flatMap(({ each }) => offersOf(editing, section, each));
    return { found: new Finder(offers).find(words.join(" ")), offers };
  };
  return (text) => {
    const words = wordsIn(text);
    if (!words.some((word) => word.length >= least)) return [];
    const { found } = search(words);
    if (found.length > 0) return found;
    known ??= vocabulary((things ?? []).map(({ words: own }) => own));
    const meant = words.map((word) => meantBy(word, known as Set<string>));
    const { found: similar, offers } = search(meant);
    if (similar.length > 0) return similar;
    const said = vocabulary(offers.map(({ name }) => plain(name)));
    return search(meant.map((word) => (known?.has(word) ? word : meantBy(word, said)))).found;
  };
}
