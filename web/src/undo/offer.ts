// SPDX-License-Identifier: Apache-2.0
// The changes of a call, and how they are taken back, as long as nobody else has changed it since.
import type { Asked, Home, Unsubscribe } from "../api/home";
import type { Attributes, Entity } from "../api/types";
import { rowOf, type Aim, type Step } from "./table";

// Numbers of an attribute that are the same to people.
const tolerances: Record<string, number> = { brightness: 2 };
const tolerance = 0.004;

function isSame(name: string, a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= (tolerances[name] ?? tolerance);
  if (typeof a === "number" && typeof b === "string" && b !== "") return a === Number(b);
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

const valueOf = (entity: Entity, name: string): unknown => (name === "state" ? entity.state : entity.attributes[name]);

export function meets(aim: Aim, entity: Entity): boolean {
  const wanted = Object.entries(aim);
  return wanted.length > 0 && wanted.every(([name, values]) => values.some((value) => isSame(name, value, valueOf(entity, name))));
}

const listed = (ids: string | string[] | undefined): string[] => (ids === undefined ? [] : Array.isArray(ids) ? ids : [ids]);
const isThere = ({ state }: Entity) => state !== "unavailable" && state !== "unknown";

// The entities that a call is for; of a group its members, in place of it.
export function meant(home: Pick<Home, "areaOf">, { domain, target, before }: Asked): string[] {
  const named = listed(target?.entity_id);
  const areas = listed(target?.area_id);
  const isOfDomain = (id: string) => domain === "homeassistant" || id.startsWith(`${domain}.`);
  const all = named.includes("all") || areas.length > 0 ? [...before.keys()].filter(isOfDomain) : [];
  const first = [
    ...(named.includes("all") ? all : named),
    ...(areas.length > 0 ? all.filter((id) => areas.includes(home.areaOf(id)?.area_id ?? "")) : []),
  ];
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    const members = before.get(id)?.attributes.entity_id;
    if (!Array.isArray(members) || members.length === 0) return void found.push(id);
    for (const member of members) if (typeof member === "string") visit(member);
  };
  first.forEach(visit);
  return found;
}

// Attributes that the services of its domain set: if one of these changes, somebody has moved it.
function controlled(home: Pick<Home, "kinds">, domain: string): string[] {
  const fields = home.kinds.get(domain)?.actions.flatMap((action) => Object.entries(action.fields)) ?? [];
  return ["state", ...new Set(fields.map(([name, { sets }]) => sets ?? name))];
}

// So many changes of one entity are looked at one by one.
const most = 200;

// One entity that a call has changed.
export class Moved {
  private readonly changes: Entity[] = [];
  private readonly names: string[];

  constructor(
    home: Pick<Home, "kinds">,
    readonly before: Entity,
    readonly steps: Step[],
    private readonly aim: Aim,
  ) {
    this.names = controlled(home, before.entity_id.split(".")[0] as string);
  }

  see(now: Entity): void {
    if (now === (this.changes.at(-1) ?? this.before)) return;
    if (this.changes.length === most) this.changes.pop();
    this.changes.push(now);
  }

  // True if somebody else has changed it since; `isOurs`: that a change is one of this page's calls.
  isForeign(isOurs: (now: Entity) => boolean): boolean {
    let last = this.before;
    let reached = false;
    for (const now of this.changes) {
      const before = last;
      last = now;
      if (this.names.every((name) => isSame(name, valueOf(before, name), valueOf(now, name)))) continue;
      const { user_id: user, parent_id: parent } = now.context;
      if (!isOurs(now) && (user || parent)) return true;
      // A device that is moved by hand, soon after the call, reports that as if the call had done it.
      const does = meets(this.aim, now);
      if (reached && !does) return true;
      reached ||= does;
    }
    return false;
  }
}

// The part of a call that can be taken back; `first`: the states before an earlier call of the same kind, which is taken back with it.
export function movedBy(home: Pick<Home, "areaOf" | "kinds">, asked: Asked, first?: ReadonlyMap<string, Entity>): Moved[] {
  return meant(home, asked).flatMap((id) => {
    const before = first?.get(id) ?? asked.before.get(id);
    const row = rowOf(id.split(".")[0] as string, asked.service);
    if (!before || !row || !isThere(before)) return [];
    const aim = row.aim(before, asked.data);
    const back = row.back(before, asked.data);
    if (!back || meets(aim, before)) return [];
    return [new Moved(home, before, Array.isArray(back) ? back : [back], aim)];
  });
}

export interface BackCall {
  domain: string;
  service: string;
  data: Attributes;
  ids: string[];
}

// As few calls as the services allow: entities that are told the same are told together. What one is told keeps its order.
export function callsOf(moved: Moved[]): BackCall[] {
  const calls = new Map<string, BackCall>();
  for (const { before, steps } of moved) {
    steps.forEach(({ service, data = {}, ids = [before.entity_id] }, place) => {
      const domain = before.entity_id.split(".")[0] as string;
      const key = JSON.stringify([place, domain, service, Object.entries(data).sort()]);
      const call = calls.get(key) ?? { domain, service, data, ids: [] };
      calls.set(key, { ...call, ids: [...call.ids, ...ids.filter((id) => !call.ids.includes(id))] });
    });
  }
  return [...calls.values()];
}

// Follows what a call has moved.
export function follow(home: Pick<Home, "entity" | "onEntity">, moved: Moved[]): Unsubscribe {
  const stops = moved.map((one) => {
    const id = one.before.entity_id;
    const see = () => {
      const now = home.entity(id);
      if (now) one.see(now);
    };
    see();
    return home.onEntity(id, see);
  });
  return () => stops.forEach((stop) => stop());
}
