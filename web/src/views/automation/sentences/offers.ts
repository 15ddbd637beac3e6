// SPDX-License-Identifier: Apache-2.0
// The offers of the dialogs of slots, with their name, place and drawing.
import { mdiDevices, mdiFloorPlan, mdiLabel, mdiSofaOutline } from "virtual:icons/lazy";

import { orderedAreas } from "../../../api/floors";
import { domainOf, rankOf } from "../../../cards/domains";
import { iconOf } from "../../../cards/icons";
import { stateText } from "../../../cards/state_text";
import { t } from "../../../i18n/catalogue";
import { domainName } from "../../../elements/home_choices";
import { isConfig, type Config } from "./edit";
import type { Editing } from "./editing";
import { deviceName, domainsOfIds } from "./home_words";
import type { Section } from "./kinds";
import { textsOf } from "./modern";
import type { Pickable } from "./pick";
import { purposeKinds } from "./purpose_pieces";
import type { Source } from "./purpose_table";
import { iconOfDomain } from "./source_icons";
import { targetKeys } from "./values";

function sorted(list: Pickable[]): Pickable[] {
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  return list.sort((a, b) => compare(a.group ?? "\uffff", b.group ?? "\uffff") || compare(a.name, b.name));
}

// Room by room; those that are in none come last.
export function entityOffers({ home }: Editing, domains?: string[], sources?: Source[]): Pickable[] {
  const list: Pickable[] = [];
  for (const [id, entity] of home.entities) {
    const domain = id.slice(0, id.indexOf("."));
    if (domains && !domains.includes(domain)) continue;
    if (
      sources &&
      !sources.some(
        (source) => source.domain === domain && (source.deviceClass === "" || source.deviceClass === entity.attributes.device_class),
      )
    )
      continue;
    const { name: iconName, path: icon } = iconOf(home, entity);
    const area = home.areaOf(id);
    list.push({
      id,
      name: home.nameOf(id),
      note: `${stateText(home, entity)} · ${id}`,
      icon,
      iconName,
      group: area?.name ?? t("offer.noArea"),
    });
  }
  const places = new Map(orderedAreas(home).map(({ area_id }, index) => [area_id, index]));
  const place = ({ id }: Pickable) => places.get(home.areaOf(id)?.area_id ?? "") ?? places.size;
  return sorted(list).sort((a, b) => place(a) - place(b));
}

export function deviceOffers({ home }: Editing): Pickable[] {
  return sorted(
    [...home.devices.values()].map((device) => ({
      id: device.id,
      name: deviceName(home, device.id),
      icon: mdiDevices,
      ...(device.model && { note: device.model }),
      ...(device.area_id && { group: home.areas.get(device.area_id)?.name ?? "" }),
    })),
  );
}

// In the home's order.
function areaOffers({ home }: Editing): Pickable[] {
  return orderedAreas(home).map(({ area_id: id, name, icon }) => ({
    id,
    name,
    icon: mdiSofaOutline,
    iconName: icon ?? "",
    group: t("offer.areas"),
  }));
}

// Of a call's target, each id with the key that it stands for.
export function targetOffers(editing: Editing, domains?: string[], sources?: Source[]): Pickable[] {
  const { home, labels } = editing;
  const part = (key: string, list: Pickable[]) => list.map((one) => ({ ...one, id: `${key}:${one.id}` }));
  const named = (list: Pickable[], group: string) => sorted(list).map((one) => ({ ...one, group }));
  return [
    ...part("area_id", areaOffers(editing)),
    ...part(
      "floor_id",
      named(
        [...home.floors.values()].map(({ floor_id: id, name }) => ({ id, name, icon: mdiFloorPlan })),
        t("offer.floors"),
      ),
    ),
    ...part("entity_id", entityOffers(editing, domains, sources)),
    ...part(
      "label_id",
      named(
        labels.map(({ label_id: id, name }) => ({ id, name, icon: mdiLabel })),
        t("offer.labels"),
      ),
    ),
    ...part("device_id", named(deviceOffers(editing), t("offer.devices"))),
  ];
}

export function targetIds(target: unknown): string[] {
  if (!isConfig(target)) return [];
  return targetKeys.flatMap((key) => (textsOf(target[key]) ?? []).map((id) => `${key}:${id}`));
}

export function targetOf(ids: string[]): Config {
  const target: Config = {};
  for (const key of targetKeys) {
    const own = ids.filter((id) => id.startsWith(`${key}:`)).map((id) => id.slice(key.length + 1));
    if (own.length > 0) target[key] = own.length === 1 ? own[0] : own;
  }
  return target;
}

// The triggers or conditions by purpose that a section offers.
export function purposeOffers(section: Section): Pickable[] {
  return purposeKinds(section).map(({ title, icon, begin }) => ({ id: String(begin().trigger ?? begin().condition), name: title(), icon }));
}

// The services, first those for what the call is for.
export function serviceOffers({ services, home }: Editing, target: unknown): Pickable[] {
  const wanted = isConfig(target) ? domainsOfIds(textsOf(target.entity_id) ?? []) : [];
  const isThere = new Set([...home.entities.keys()].map((id) => id.slice(0, id.indexOf("."))));
  const rank = (domain: string) => (wanted.includes(domain) ? 0 : isThere.has(domain) && domainOf(domain) ? 1 : 2);
  const domains = Object.keys(services).sort(
    (a, b) => rank(a) - rank(b) || rankOf(a) - rankOf(b) || domainName(a).localeCompare(domainName(b)),
  );
  return domains.flatMap((domain) =>
    Object.entries(services[domain] ?? {}).map(([name, service]) => ({
      id: `${domain}.${name}`,
      name: service.name || `${domain}.${name}`,
      note: service.description || `${domain}.${name}`,
      icon: iconOfDomain(domain),
      group: domainName(domain),
    })),
  );
}
