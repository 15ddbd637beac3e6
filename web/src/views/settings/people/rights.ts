// SPDX-License-Identifier: Apache-2.0
// A person's rights to see and control, as the pages change it.
import type { Rights, Selection, User } from "../../../api/types";
import { selects, type Parts } from "../../../api/people/part_of_home";
import { roleOf, type Role } from "./roles";

// The parts of a home that are chosen by name.
export type PartName = "areas" | "domains" | "labels" | "entities";
export const partNames: readonly PartName[] = ["areas", "domains", "labels", "entities"];

export type Level = "none" | "sees" | "controls";

// `rights` is null where the role alone decides.
export interface Given {
  role: Role;
  rights: Rights | null;
}

// The choices that an administrator begins with; "own" is what is there already.
export type Start = "administrator" | "family" | "child" | "guest" | "panel" | "own";

export const starts: Record<Exclude<Start, "own">, Given> = {
  administrator: { role: "administrator", rights: null },
  family: { role: "user", rights: null },
  child: { role: "user", rights: { read: { all: true }, control: { domains: ["light", "media_player"] } } },
  guest: { role: "user", rights: { read: {}, control: {} } },
  panel: { role: "reader", rights: null },
};

export function givenTo(user: User): Given {
  return { role: roleOf(user), rights: user.rights ?? null };
}

export function startOf({ role, rights }: Given): Exclude<Start, "child" | "guest"> {
  if (rights) return "own";
  return role === "administrator" ? "administrator" : role === "user" ? "family" : "panel";
}

function without(selection: Selection, part: PartName, id: string): Selection {
  const { [part]: before = [], ...rest } = selection;
  const left = before.filter((each) => each !== id);
  return left.length > 0 ? { ...rest, [part]: left } : rest;
}

function including(selection: Selection, part: PartName, id: string): Selection {
  return { ...selection, [part]: [...(selection[part] ?? []).filter((each) => each !== id), id] };
}

export function levelOf({ read, control }: Rights, part: PartName, id: string): Level {
  if (control[part]?.includes(id)) return "controls";
  return read[part]?.includes(id) ? "sees" : "none";
}

// Control includes sight.
export function withLevel({ read, control }: Rights, part: PartName, id: string, level: Level): Rights {
  return {
    read: level === "none" ? without(read, part, id) : including(read, part, id),
    control: level === "controls" ? including(control, part, id) : without(control, part, id),
  };
}

export function namesAt(rights: Rights, part: PartName, level: Level): string[] {
  const all = new Set([...(rights.read[part] ?? []), ...(rights.control[part] ?? [])]);
  return [...all].filter((id) => levelOf(rights, part, id) === level);
}

export interface Seen {
  sees: string[];
  controls: Set<string>;
}

// As the hub decides, of what is there now.
export function seenBy({ role, rights }: Given, home: Parts, ids: Iterable<string>): Seen {
  const all = [...ids];
  const sees = rights ? all.filter((id) => selects(home, rights.read, id)) : all;
  const controls = role === "reader" ? [] : rights ? sees.filter((id) => selects(home, rights.control, id)) : sees;
  return { sees, controls: new Set(controls) };
}
