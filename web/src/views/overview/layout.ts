// SPDX-License-Identifier: Apache-2.0
// Which cards stand where.
import type { Home } from "../../api/home";
import type { Area, Floor } from "../../api/types";
import { rankOf } from "../../cards/domains";
import { t } from "../../i18n/catalogue";

export interface Tile {
  id: string;
  // What the search looks at, in lower case.
  words: string;
}

export interface Section {
  key: string;
  // Over the first section of a floor.
  floor?: string;
  // Below a floor its areas are a level deeper.
  isOnFloor: boolean;
  heading: string;
  // "mdi:sofa"; null where the area names none, undefined for what is in no area.
  icon: string | null | undefined;
  tiles: Tile[];
}

interface Candidate extends Tile {
  rank: number;
  sortKey: string;
}

// Names in this key's order stand as people sort them: case and accents count little, "Lamp 9" comes before "Lamp 10". A collator does
// it better, and needs a second for 10,000 names on an old tablet.
function sortKeyOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const byName = (a: { name: string }, b: { name: string }) => compare(sortKeyOf(a.name), sortKeyOf(b.name));

// Settings of devices and their diagnoses come last.
function rank(home: Home, id: string): number {
  const own = rankOf(id.slice(0, id.indexOf(".")));
  return home.registry.get(id)?.entity_category ? own + 100 : own;
}

// All sections that have cards, floor by floor from the lowest, areas by name, and last what is in no area.
export function sectionsOf(home: Home): Section[] {
  const byArea = new Map<Area | undefined, Candidate[]>();
  for (const id of home.entities.keys()) {
    const registered = home.registry.get(id);
    if (registered?.hidden_by || registered?.disabled_by) continue;
    const area = home.areaOf(id);
    const name = home.nameOf(id);
    const words = `${name}\n${id}\n${area?.name ?? ""}`.toLowerCase();
    const candidate = { id, words, rank: rank(home, id), sortKey: sortKeyOf(name) };
    const list = byArea.get(area);
    if (list) list.push(candidate);
    else byArea.set(area, [candidate]);
  }
  const section = (area: Area | undefined, isOnFloor: boolean): Section[] => {
    const tiles = byArea.get(area);
    if (!tiles) return [];
    tiles.sort((a, b) => a.rank - b.rank || compare(a.sortKey, b.sortKey) || compare(a.id, b.id));
    return [{ key: area?.area_id ?? "", isOnFloor, heading: area?.name ?? t("overview.other"), icon: area && area.icon, tiles }];
  };

  const areas = [...byArea.keys()].filter((area) => area !== undefined).sort(byName);
  const level = (floor: Floor) => floor.level ?? Infinity;
  const floors = [...home.floors.values()].sort((a, b) => (level(a) === level(b) ? byName(a, b) : level(a) - level(b)));
  const placed = new Set<Area>();
  const sections: Section[] = [];
  for (const floor of floors) {
    const ofFloor = areas.filter(({ floor_id }) => floor_id === floor.floor_id);
    ofFloor.forEach((area, index) => {
      placed.add(area);
      sections.push(...section(area, true).map((made) => (index === 0 ? { ...made, floor: floor.name } : made)));
    });
  }
  for (const area of areas) if (!placed.has(area)) sections.push(...section(area, false));
  return [...sections, ...section(undefined, false)];
}

// The sections with what every word of `text` is found in.
export function search(sections: Section[], text: string): Section[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sections;
  const found: Section[] = [];
  let floor: string | undefined;
  for (const section of sections) {
    floor = section.isOnFloor ? (section.floor ?? floor) : undefined;
    const tiles = section.tiles.filter((tile) => words.every((word) => tile.words.includes(word)));
    if (tiles.length === 0) continue;
    const { floor: _, ...rest } = section;
    found.push({ ...rest, ...(floor !== undefined && { floor }), tiles });
    floor = undefined;
  }
  return found;
}
