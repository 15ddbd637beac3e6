// SPDX-License-Identifier: Apache-2.0
// The choices of a home that pickers offer.
import { orderedAreas } from "../api/floors";
import type { Home } from "../api/home";
import { maybeT } from "../i18n/catalogue";
import type { Choice } from "./fields/picker";

export function domainName(domain: string): string {
  return maybeT(`domain.${domain}`) ?? maybeT(`derived.${domain}`) ?? domain;
}

function byName(a: Choice, b: Choice): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

// The entities of these domains, or all.
export function entityChoices(home: Home, domains?: string[]): Choice[] {
  const choices: Choice[] = [];
  for (const id of home.entities.keys()) {
    if (domains && !domains.includes(id.slice(0, id.indexOf(".")))) continue;
    choices.push({ id, name: home.nameOf(id) });
  }
  return choices.sort(byName);
}

// The domains that have entities.
export function domainChoices(home: Home): Choice[] {
  const domains = new Set([...home.entities.keys()].map((id) => id.slice(0, id.indexOf("."))));
  return [...domains].map((id) => ({ id, name: domainName(id) })).sort(byName);
}

export function areaChoices(home: Home): Choice[] {
  return orderedAreas(home).map(({ area_id, name }) => ({ id: area_id, name }));
}

// The domains of the entities that a target, or a selector of entities, wants; undefined for any.
export function domainsOf(wanted: unknown): string[] | undefined {
  const filters = (Array.isArray(wanted) ? wanted : [wanted]) as ({ domain?: string | string[] } | null | undefined)[];
  const domains = filters.map((filter) => filter?.domain);
  if (domains.some((domain) => domain === undefined)) return undefined;
  return domains.flat() as string[];
}
