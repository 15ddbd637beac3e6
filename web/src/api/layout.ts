// SPDX-License-Identifier: Apache-2.0
// How a person wants the home to be shown: what stands first, what is hidden, what is wide. Kept by the hub for each person, for one
// screen of theirs if they want that, and by administrators for those who have arranged nothing.

export type View = "rooms" | "list";

// An absent part stands as it does for people who arrange nothing. It may name what is gone, or what one may no longer see.
export interface Layout {
  view?: View;
  // Entities above the rooms, in their order; absent: the hub's page chooses some.
  favorites?: string[];
  // Areas that come first, in their order; "" is what is in no area.
  rooms?: string[];
  hiddenRooms?: string[];
  // By area: the entities that come first there, in their order.
  cards?: Record<string, string[]>;
  // Entities that stand neither in their rooms nor in lists. They are found by the search.
  hidden?: string[];
  // Entities whose cards are two columns wide.
  wide?: string[];
}

// Of the form in which a layout is kept.
const version = 1;
// So many names of a list are read. The hub keeps fewer.
const most = 20_000;

export interface Read {
  layout: Layout;
  // It was written by pages of another version, and is not understood.
  isForeign: boolean;
}

function texts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter((one): one is string => typeof one === "string"))].slice(0, most);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

// Of what the hub has kept; null and undefined are a layout that changes nothing.
export function readLayout(value: unknown): Read {
  if (value === null || value === undefined) return { layout: {}, isForeign: false };
  if (!isObject(value) || value.version !== version) return { layout: {}, isForeign: true };
  const layout: Layout = {};
  if (value.view === "rooms" || value.view === "list") layout.view = value.view;
  for (const key of ["favorites", "rooms", "hiddenRooms", "hidden", "wide"] as const) {
    const names = texts(value[key]);
    if (names) layout[key] = names;
  }
  if (isObject(value.cards)) {
    layout.cards = {};
    for (const [area, ids] of Object.entries(value.cards)) {
      const names = texts(ids);
      if (names) layout.cards[area] = names;
    }
  }
  return { layout, isForeign: false };
}

// For the hub. Null if the layout changes nothing.
export function writeLayout(layout: Layout): object | null {
  return Object.keys(layout).length === 0 ? null : { version, ...layout };
}

// With other names of the entities.
export function withNames(layout: Layout, name: (entity: string) => string): Layout {
  const named = { ...layout };
  for (const key of ["favorites", "hidden", "wide"] as const) {
    const ids = layout[key];
    if (ids) named[key] = ids.map(name);
  }
  if (layout.cards) named.cards = Object.fromEntries(Object.entries(layout.cards).map(([area, ids]) => [area, ids.map(name)]));
  return named;
}

// With one part changed, or back as it is for everybody.
export function withPart<Part extends keyof Layout>(layout: Layout, part: Part, value: Layout[Part] | undefined): Layout {
  const next = { ...layout };
  if (value === undefined) delete next[part];
  else next[part] = value;
  return next;
}

// The items that `first` names, in its order, and then the others in theirs.
export function inOrder<T>(items: readonly T[], first: readonly string[] | undefined, idOf: (item: T) => string): T[] {
  if (!first || first.length === 0) return [...items];
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const named = first.flatMap((id) => {
    const item = byId.get(id);
    byId.delete(id);
    return item === undefined ? [] : [item];
  });
  return [...named, ...byId.values()];
}

// The list that keeps an order of `ids` after one was moved: as short as it can be, because what follows stands as it did. What
// `former` names beside them, such as what is hidden now, keeps a place at the end.
export function orderAfterMove(ids: readonly string[], from: number, to: number, former: readonly string[] = []): string[] {
  const moved = [...ids];
  moved.splice(to, 0, ...moved.splice(from, 1));
  const known = new Set(ids);
  const kept = former.filter((id) => known.has(id)).length;
  const shown = moved.slice(0, Math.max(kept, from + 1, to + 1));
  return [...shown, ...former.filter((id) => !known.has(id))];
}

// With a thing as a favourite, or not; `suggested` stand there until a person has chosen some. No favourites at all is a choice.
export function withFavorite(layout: Layout, suggested: readonly string[], id: string, isFavorite: boolean): Layout {
  const favorites = layout.favorites ?? suggested;
  const without = favorites.filter((one) => one !== id);
  return { ...layout, favorites: !isFavorite ? without : favorites.includes(id) ? [...favorites] : [...favorites, id] };
}

export function toggled(list: readonly string[] | undefined, id: string): string[] {
  const without = (list ?? []).filter((one) => one !== id);
  return without.length === (list ?? []).length ? [...without, id] : without;
}
