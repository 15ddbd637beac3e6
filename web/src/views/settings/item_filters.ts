// SPDX-License-Identifier: Apache-2.0
// Which automations, scripts and scenes a list shows by their categories, rooms and labels, and how it groups them.

export const groupings = ["none", "category", "area"] as const;
export type Grouping = (typeof groupings)[number];

export interface Facts {
  // Names; empty if it has none.
  category: string;
  area: string;
  labels: string[];
}

// Any; or those that have none.
export const any = "";
export const none = "-";

export interface Wanted {
  category: string;
  area: string;
  label: string;
}

export const all: Wanted = { category: any, area: any, label: any };

export function isAll(wanted: Wanted): boolean {
  return Object.values(wanted).every((value) => value === any);
}

export function fits({ category, area, labels }: Facts, wanted: Wanted): boolean {
  const has = (own: string[], value: string) => value === any || (value === none ? own.length === 0 : own.includes(value));
  return has(category ? [category] : [], wanted.category) && has(area ? [area] : [], wanted.area) && has(labels, wanted.label);
}

// Rows in the order that they have, in groups by name; those of none come last.
export function grouped<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  compare: (a: string, b: string) => number,
): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row]);
  return [...groups].sort(([a], [b]) => Number(a === "") - Number(b === "") || compare(a, b));
}
