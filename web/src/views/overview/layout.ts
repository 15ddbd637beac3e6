// SPDX-License-Identifier: Apache-2.0
// Which cards stand where.
import { orderedAreas } from "../../api/floors";
import type { Home } from "../../api/home";
import type { Area, Floor } from "../../api/types";
import { rankOf } from "../../cards/domains";
import { heightOf } from "../../cards/height";
import { sortKeyOf } from "../../elements/fields/finder";
import { t } from "../../i18n/catalogue";

export interface Tile {
  id: string;
  // What the search looks at, once it has.
  words?: string;
  rank: number;
  sortKey: string;
  // In rem.
  height: number;
}

export interface Section {
  // The area's id; empty for what is in no area.
  key: string;
  floor?: string;
  // The first of its floor.
  isFirst: boolean;
  heading: string;
  // "mdi:sofa"; null if the area names none, undefined for what is in no area.
  icon: string | null | undefined;
  tiles: Tile[];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function byPlace(a: Tile, b: Tile): number {
  return a.rank - b.rank || compare(a.sortKey, b.sortKey) || compare(a.id, b.id);
}

// Settings of devices and their diagnoses come last.
function rank(home: Home, id: string): number {
  const own = rankOf(id.slice(0, id.indexOf(".")));
  return home.registry.get(id)?.entity_category ? own + 100 : own;
}

// All sections that have cards: floor by floor, the areas in their order in the settings, and last what is in no area.
export function sectionsOf(home: Home): Section[] {
  const byArea = new Map<Area | undefined, Tile[]>();
  for (const [id, entity] of home.entities) {
    const registered = home.registry.get(id);
    if (registered?.hidden_by || registered?.disabled_by) continue;
    const area = home.areaOf(id);
    const tile = { id, rank: rank(home, id), sortKey: sortKeyOf(home.nameOf(id)), height: heightOf(home, entity) };
    const list = byArea.get(area);
    if (list) list.push(tile);
    else byArea.set(area, [tile]);
  }
  const section = (area: Area | undefined, floor: Floor | undefined, isFirst: boolean): Section => ({
    key: area?.area_id ?? "",
    ...(floor && { floor: floor.name }),
    isFirst,
    heading: area?.name ?? t("overview.other"),
    icon: area && area.icon,
    tiles: (byArea.get(area) as Tile[]).sort(byPlace),
  });

  const areas = orderedAreas(home).filter((area) => byArea.has(area));
  return [
    ...areas.map((area, index) => {
      const floor = home.floors.get(area.floor_id ?? "");
      return section(area, floor, floor !== undefined && areas[index - 1]?.floor_id !== area.floor_id);
    }),
    ...(byArea.has(undefined) ? [section(undefined, undefined, false)] : []),
  ];
}
