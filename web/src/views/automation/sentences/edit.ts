// SPDX-License-Identifier: Apache-2.0
// Changing a part of an item, which stays as it is: what has changed is new, the rest is shared.
export type Path = readonly (string | number)[];
export type Config = Record<string, unknown>;

export function isConfig(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The place that a slot's key names: "choose.0.conditions". A dot that is part of a name has a backslash before it, as keyPart() writes it.
export function pathOf(key: string): Path {
  const parts = key.match(/(?:\\.|[^.\\])+/g) ?? [];
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll(/\\(.)/g, "$1")));
}

export function keyPart(name: string): string {
  return name.replaceAll(/[.\\]/g, "\\$&");
}

export function at(root: unknown, path: Path): unknown {
  let part = root;
  for (const step of path) {
    if (typeof part !== "object" || part === null) return undefined;
    part = Object.hasOwn(part, step) ? (part as Config)[step] : undefined;
  }
  return part;
}

// As the hub names it: "actions[0].choose[1].sequence[0]".
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`), "");
}

// True if "actions[0].delay" is "actions[0]", or within it.
export function isPartOf(path: string, part: string): boolean {
  return path.startsWith(part) && /^([.[]|$)/.test(path.slice(part.length));
}

// With another value there; `undefined` removes it, and objects that are then empty on the way there, but for the first.
export function withAt(root: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return isConfig(value) && isConfig(root) ? inherit(value, root) : value;
  if (Array.isArray(root)) {
    const list = [...(root as unknown[])];
    const part = withAt(list[Number(step)], rest, value);
    if (part === undefined) list.splice(Number(step), 1);
    else list[Number(step)] = part;
    return list;
  }
  const before: Config = isConfig(root) ? root : {};
  const part = withAt(before[step], rest, value);
  const after = { ...before };
  if (part === undefined || (value === undefined && isConfig(part) && Object.keys(part).length === 0)) delete after[step];
  else after[step] = part;
  return inherit(after, before);
}

export function inserted(list: readonly unknown[], index: number, value: unknown): unknown[] {
  return [...list.slice(0, index), value, ...list.slice(index)];
}

export function moved(list: readonly unknown[], from: number, to: number): unknown[] {
  const rest = list.filter((_, index) => index !== from);
  return inserted(rest, to, list[from]);
}

// A row stays the same row while it changes and moves: pages draw it by this key.
const keys = new WeakMap<object, number>();
let next = 1;

export function keyOf(row: unknown, index: number): number | string {
  if (typeof row !== "object" || row === null) return `at ${index}`;
  const key = keys.get(row) ?? next++;
  keys.set(row, key);
  return key;
}

export function inherit<Of extends object>(after: Of, before: object): Of {
  const key = keys.get(before);
  if (key !== undefined) keys.set(after, key);
  return after;
}
