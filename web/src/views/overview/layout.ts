// SPDX-License-Identifier: Apache-2.0
// Which cards stand where.
import { orderedAreas } from "../../api/floors";
import type { Home } from "../../api/home";
import { inOrder, type Layout } from "../../api/layout";
import type { Area, Floor } from "../../api/types";
import { looked, rankOf, rowHeight } from "../../cards/domains";
import { heightOf } from "../../cards/height";
import { sortKeyOf } from "../../elements/fields/finder";
import { t } from "../../i18n/catalogue";

export interface Tile {
  id: string;
  // The things that the search looks at, once it has.
  words?: string;
  rank: number;
  sortKey: string;
  // In rem.
  height: number;
  // Two columns wide, where there are two.
  isWide?: boolean;
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
  // Not shown here: an entity that sets up or diagnoses a device stands at the device, a hidden one nowhere. The search finds all.
  others: Tile[];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function byPlace(a: Tile, b: Tile): number {
  return a.rank - b.rank || compare(a.sortKey, b.sortKey) || compare(a.id, b.id);
}

// All sections that have cards: floor by floor, the areas in their order in the settings, and last what is in no area.
export function sectionsOf(home: Home): Section[] {
  const byArea = new Map<Area | undefined, Tile[]>();
  for (const [id, entity] of home.entities) {
    const registered = home.registry.get(id);
    if (registered?.hidden_by || registered?.disabled_by) continue;
    const area = home.areaOf(id);
    const tile = { id, rank: rankOf(id.slice(0, id.indexOf("."))), sortKey: sortKeyOf(home.nameOf(id)), height: heightOf(home, entity) };
    const list = byArea.get(area);
    if (list) list.push(tile);
    else byArea.set(area, [tile]);
  }
  const atDevice = (id: string) => Boolean(home.registry.get(id)?.entity_category);
  const section = (area: Area | undefined, floor: Floor | undefined, isFirst: boolean): Section => ({
    key: area?.area_id ?? "",
    ...(floor && { floor: floor.name }),
    isFirst,
    heading: area?.name ?? t("overview.other"),
    icon: area && area.icon,
    tiles: (byArea.get(area) as Tile[]).filter(({ id }) => !atDevice(id)).sort(byPlace),
    others: (byArea.get(area) as Tile[]).filter(({ id }) => atDevice(id)).sort(byPlace),
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

// As a person has arranged them; rooms in which nothing is shown are left out.
export function arranged(sections: Section[], layout: Layout): Section[] {
  const { rooms, hiddenRooms = [], cards = {}, hidden = [], wide = [] } = layout;
  const [isHidden, isWide] = [new Set(hidden), new Set(wide)];
  const shown = inOrder(sections, rooms, ({ key }) => key)
    .filter(({ key }) => !hiddenRooms.includes(key))
    .map((section): Section => {
      const { key, tiles, others } = section;
      const ordered = inOrder(tiles, Object.hasOwn(cards, key) ? cards[key] : undefined, ({ id }) => id);
      return {
        ...section,
        tiles: ordered.filter(({ id }) => !isHidden.has(id)).map((tile) => (isWide.has(tile.id) ? { ...tile, isWide: true } : tile)),
        others: [...others, ...tiles.filter(({ id }) => isHidden.has(id))],
      };
    })
    .filter(({ tiles }) => tiles.length > 0);
  return shown.map((section, index) => ({
    ...section,
    isFirst: section.floor !== undefined && shown[index - 1]?.floor !== section.floor,
  }));
}

// About so many things stand above the rooms of who has chosen none; on a phone fewer, so that rooms are seen, too.
const suggestions = 8;
const fewSuggestions = 4;

// A device that nobody has named yet has its address for a name.
const isNamed = ({ sortKey }: Tile) => !/^0+x[0-9a-f]{8}/.test(sortKey);

// The things that a family is likely to use by hand: the first of each room, then the second, and so on. High cards are not among them.
function suggested(sections: Section[], columns: number): Tile[] {
  const most = columns === 1 ? fewSuggestions : columns * Math.max(2, Math.round(suggestions / columns)); // whole rows
  const hands = sections.map(({ tiles }) => {
    const own = tiles.filter(({ rank, height }) => rank < looked && height <= rowHeight);
    return [...own.filter(isNamed), ...own.filter((tile) => !isNamed(tile))];
  });
  const chosen: Tile[] = [];
  for (let nth = 0; chosen.length < most && hands.some((hand) => hand.length > nth); nth++)
    chosen.push(...hands.flatMap((hand) => hand[nth] ?? []));
  return chosen.slice(0, most);
}

// The things that stand above the rooms of who has chosen none: a list to begin with.
export function suggestedIds(sections: Section[]): string[] {
  return favoritesOf(sections, {}, 1).map(({ id }) => id);
}

// Above the rooms: a person's favourites, as far as they are there and may be seen, or what the page suggests. `sections` as the
// settings have them: a favourite may be hidden in its room, or its room may be.
export function favoritesOf(sections: Section[], layout: Layout, columns: number): Tile[] {
  const { favorites, wide = [] } = layout;
  if (!favorites) return suggested(arranged(sections, layout), columns);
  const tiles = new Map(sections.flatMap(({ tiles, others }) => [...tiles, ...others].map((tile) => [tile.id, tile])));
  return favorites.flatMap((id) => {
    const tile = tiles.get(id);
    return tile ? [wide.includes(id) ? { ...tile, isWide: true } : tile] : [];
  });
}
