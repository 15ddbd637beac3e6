// SPDX-License-Identifier: Apache-2.0
import type { Entity } from "./types";

export interface Curve {
  // Seconds since 1970, rising; as many as values.
  times: number[];
  values: number[];
}

const most = 120;

// The last values of entities whose state is a number with a unit, for the small curves: what has been seen, at most 120 each.
export class RecentValues {
  private curves = new Map<string, Curve>();

  add(entity: Entity): void {
    if (entity.attributes.unit_of_measurement === undefined) return;
    const value = Number(entity.state);
    if (entity.state.trim() === "" || !Number.isFinite(value)) return;
    let curve = this.curves.get(entity.entity_id);
    if (!curve) this.curves.set(entity.entity_id, (curve = { times: [], values: [] }));
    const last = curve.times.at(-1);
    if (last !== undefined && entity.last_updated <= last) return;
    curve.times.push(entity.last_updated);
    curve.values.push(value);
    if (curve.times.length > most) {
      curve.times.shift();
      curve.values.shift();
    }
  }

  forget(id: string): void {
    this.curves.delete(id);
  }

  of(id: string): Curve {
    return this.curves.get(id) ?? { times: [], values: [] };
  }
}
