// SPDX-License-Identifier: Apache-2.0
// Moving rows from one list of the item to another, also into and out of blocks.
import { t } from "../../../i18n/catalogue";
import { blocksOf, kindOf } from "./classify";
import { at, inserted, isConfig, moved, pathOf, withAt, type Config, type Path } from "./edit";
import type { Knowledge } from "./home_words";
import type { Section } from "./kinds";
import { sentenceText } from "./words";

export interface ListPlace {
  path: Path;
  section: Section;
  // "Then do › If all of this holds › Then"
  label: string;
  count: number;
}

// True if a row of one kind of list may stand in another: conditions also stand among steps.
export function mayStand(config: unknown, from: Section, to: Section): boolean {
  if (from === to || (from === "conditions" && to === "actions")) return true;
  return from === "actions" && to === "conditions" && isConfig(config) && "condition" in config;
}

export function isWithin(path: Path, outer: Path): boolean {
  return path.length >= outer.length && outer.every((step, index) => step === path[index]);
}

export function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && isWithin(one, other);
}

// Where a row is to stand: before the row that now has that index.
export interface Move {
  from: Path;
  list: Path;
  index: number;
}

// The item with the row there, and the row's path then.
export function withMove(item: Config, { from, list, index }: Move): { item: Config; path: Path } {
  const own = from.slice(0, -1);
  const place = Number(from.at(-1));
  const rows = (root: unknown, path: Path) => (at(root, path) as unknown[] | undefined) ?? [];
  if (samePath(own, list)) {
    const to = index > place ? index - 1 : index;
    return { item: withAt(item, own, moved(rows(item, own), place, to)) as Config, path: [...own, to] };
  }
  const row = at(item, from);
  const without = withAt(
    item,
    own,
    rows(item, own).filter((_, each) => each !== place),
  ) as Config;
  // A list in a later row of the same list has moved up.
  const next = list[own.length];
  const target = isWithin(list, own) && typeof next === "number" && next > place ? [...own, next - 1, ...list.slice(own.length + 1)] : list;
  return { item: withAt(without, target, inserted(rows(without, target), index, row)) as Config, path: [...target, index] };
}

// All lists in which the row may stand, in the order of the item; its own is not among them, nor those in it.
export function listsFor(know: Knowledge, item: Config, path: Path, section: Section): ListPlace[] {
  const row = at(item, path);
  const found: ListPlace[] = [];
  const visit = (list: Path, of: Section, label: string): void => {
    if (isWithin(list, path)) return;
    const value = at(item, list);
    const rows = Array.isArray(value) ? (value as unknown[]) : [];
    if (mayStand(row, section, of) && !samePath(list, path.slice(0, -1)))
      found.push({ path: list, section: of, label, count: rows.length });
    rows.forEach((config, index) => {
      const kind = kindOf(of, config);
      if (!kind?.blocks?.length || !isConfig(config)) return;
      for (const block of blocksOf(kind, config)) {
        const option = /^choose\.(\d+)\./.exec(block.key)?.[1];
        const parts = [
          label,
          sentenceText(know, of, config),
          ...(option ? [t("block.option", { number: Number(option) + 1 })] : []),
          block.heading(),
        ];
        visit([...list, index, ...pathOf(block.key)], block.section, parts.join(" › "));
      }
    });
  };
  const top: [string, Section][] =
    "sequence" in item && !("actions" in item)
      ? [["sequence", "actions"]]
      : [
          ["triggers", "triggers"],
          ["conditions", "conditions"],
          ["actions", "actions"],
        ];
  for (const [key, of] of top) visit([key], of, t(`sentences.${of}`));
  return found;
}
