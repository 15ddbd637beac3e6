// SPDX-License-Identifier: Apache-2.0
import { numberOf } from "./samples";
import type { Entity } from "./types";

export interface Curve {
  // Seconds since 1970, rising; as many as values.
  times: number[];
  values: number[];
}

// For how long values are kept, in seconds, and how many of an entity.
export const recentSpan = 3 * 3600;
const most = 120;

// The last values of entities whose state is a number with a unit, for the small curves: what has been seen, at most 120 each. Of a
// lively entity some are left out, evenly.
export class RecentValues {
  private curves = new Map<string, Curve & { step: number }>();

  add(entity: Entity): void {
    if (entity.attributes.unit_of_measurement === undefined) return;
    const value = numberOf(entity.state);
    if (value === undefined) return;
    const time = entity.last_updated;
    let curve = this.curves.get(entity.entity_id);
    if (!curve) this.curves.set(entity.entity_id, (curve = { times: [], values: [], step: 0 }));
    const { times, values } = curve;
    if (time <= (times.at(-1) ?? -Infinity)) return;
    if (time - (times.at(-2) ?? -Infinity) < curve.step) {
      times.pop();
      values.pop();
    }
    times.push(time);
    values.push(value);
    while ((times[1] ?? Infinity) < time - recentSpan) {
      times.shift();
      values.shift();
    }
    if (times.length > most) thin(curve);
  }

  forget(id: string): void {
    this.curves.delete(id);
  }

  of(id: string): Curve {
    return this.curves.get(id) ?? { times: [], values: [] };
  }
}

// Leaves at least `step` between two values, but before the last.
function thin(curve: Curve & { step: number }): void {
  const { times, values } = curve;
  const first = times[0] as number;
  const last = times.at(-1) as number;
  curve.step = Math.max(curve.step * 2, (2 * (last - first)) / most);
  let kept = -Infinity;
  const keep = times.map((time, index) => {
    const wanted = time - kept >= curve.step || index === times.length - 1;
    if (wanted) kept = time;
    return wanted;
  });
  curve.times = times.filter((_, index) => keep[index]);
  curve.values = values.filter((_, index) => keep[index]);
}
