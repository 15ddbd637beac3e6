// SPDX-License-Identifier: Apache-2.0
// The content of a wall panel: a room, a person's favourites, or a page of one's own, which the hub keeps for each person.
import type { Home } from "../../../api/home";
import { t } from "../../../i18n/catalogue";
import { arranged, favoritesOf, sectionsOf } from "../layout";

// The favourites of the user, as the home screen has them.
export const favoritesPanel = "favorites";
export const pagePrefix = "page:";
const areaPrefix = "area:";

// A page of one's own.
export interface OwnPage {
  id: string;
  name: string;
  // Entities, and areas as "area:kitchen".
  things: string[];
}

export interface Content {
  heading: string;
  ids: string[];
  // The problem in a sentence; empty if there is none.
  problem: string;
}

// Of a user's data.
const key = "hearth_panels";
const mostPages = 50;
const mostThings = 500;

const isText = (value: unknown): value is string => typeof value === "string";

// Whatever is kept there: what is no page is left out.
export function pagesIn(value: unknown): OwnPage[] {
  const pages = (value as { pages?: unknown } | null | undefined)?.pages;
  if (!Array.isArray(pages)) return [];
  return pages
    .filter((page): page is Partial<OwnPage> => typeof page === "object" && page !== null)
    .filter(({ id, name }) => isText(id) && isText(name))
    .slice(0, mostPages)
    .map(({ id, name, things }) => ({
      id: id as string,
      name: name as string,
      things: Array.isArray(things) ? things.filter(isText).slice(0, mostThings) : [],
    }));
}

export async function readPages(home: Home): Promise<OwnPage[]> {
  return pagesIn((await home.command<{ value: unknown }>("frontend/get_user_data", { key })).value);
}

export async function writePages(home: Home, pages: OwnPage[]): Promise<void> {
  await home.command("frontend/set_user_data", { key, value: { pages } });
}

export const areaThing = (area: string): string => areaPrefix + area;

export function nameOfThing(home: Home, thing: string): string {
  if (!thing.startsWith(areaPrefix)) return home.nameOf(thing);
  const area = thing.slice(areaPrefix.length);
  return home.areas.get(area)?.name ?? area;
}

function inArea(home: Home, area: string): string[] {
  return (
    arranged(sectionsOf(home), { ...home.layouts.layout, hiddenRooms: [] })
      .find((section) => section.key === area)
      ?.tiles.map(({ id }) => id) ?? []
  );
}

// Things that are gone are left out, and counted in words.
function ofThings(home: Home, heading: string, things: string[]): Content {
  let gone = 0;
  const ids = things.flatMap((thing) => {
    if (thing.startsWith(areaPrefix)) {
      const area = thing.slice(areaPrefix.length);
      if (home.areas.has(area)) return inArea(home, area);
    } else if (home.entity(thing)) return [thing];
    gone += 1;
    return [];
  });
  return { heading, ids: [...new Set(ids)], problem: gone > 0 ? t("panel.gone", { count: gone }) : "" };
}

// `own`: pages of the user.
export function contentOf(home: Home, shows: string, own: OwnPage[]): Content {
  if (shows.startsWith(pagePrefix)) {
    const page = own.find(({ id }) => id === shows.slice(pagePrefix.length));
    return page ? ofThings(home, page.name, page.things) : { heading: t("panel.name"), ids: [], problem: t("panel.noPage") };
  }
  if (shows === favoritesPanel) {
    const { layout } = home.layouts;
    const ids = favoritesOf(sectionsOf(home), layout, 2).map(({ id }) => id);
    return { heading: t("overview.favorites"), ids, problem: ids.length === 0 ? t("panel.noFavorites") : "" };
  }
  const area = home.areas.get(shows);
  if (!area) return { heading: t("panel.name"), ids: [], problem: shows === "" ? t("panel.nothing") : t("panel.noRoom") };
  const ids = inArea(home, shows);
  return { heading: area.name, ids, problem: ids.length === 0 ? t("panel.empty") : "" };
}
