// SPDX-License-Identifier: Apache-2.0
// What the states were.
import type { Home } from "./home";
import type { Entity } from "./types";

// From `time` on, in seconds since 1970, the state was this.
export interface Sample {
  time: number;
  state: string;
}

interface Row {
  s: string;
  lu: number;
  lc?: number;
}

// The states of entities between two times, oldest first; the first of each is the one that held at `start`. An entity of which nothing
// is known is not in the map. Undefined where the hub records no history.
export async function history(home: Home, ids: string[], start: Date, end: Date): Promise<Map<string, Sample[]> | undefined> {
  if (ids.length === 0) return new Map();
  let answer: Record<string, Row[]>;
  try {
    answer = await home.command("history/history_during_period", {
      start_time: start.toISOString(),
      end_time: end.toISOString(),
      entity_ids: ids,
      minimal_response: true,
      no_attributes: true,
    });
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === "unknown_command") return undefined;
    throw error;
  }
  const first = start.getTime() / 1000;
  const samples = new Map<string, Sample[]>();
  for (const [id, rows] of Object.entries(answer)) {
    if (rows.length > 0) samples.set(id, rows.map(({ s, lu, lc }) => ({ time: Math.max(first, lc ?? lu), state: s })));
  }
  return samples;
}

// A number as states write it; undefined for "unavailable", "", "on".
export function numberOf(state: string): number | undefined {
  const value = state.trim() === "" ? NaN : Number(state);
  return Number.isFinite(value) ? value : undefined;
}

// Whether the states of an entity are drawn as a curve rather than as bands.
export function isMeasured(entity: Entity | undefined, samples: Sample[] = []): boolean {
  const { unit_of_measurement: unit, state_class } = entity?.attributes ?? {};
  if (unit !== undefined || state_class !== undefined) return true;
  const domain = entity?.entity_id.split(".")[0];
  return (
    (domain === "sensor" || domain === "input_number" || domain === "number" || domain === "counter") &&
    samples.some(({ state }) => numberOf(state) !== undefined)
  );
}
