// SPDX-License-Identifier: Apache-2.0
// States over time.
import type { Entity } from "./types";

// From `time` on, in seconds since 1970, the state was this; or, where `low` and `high` are given, the value was so in the mean, and
// between these, until the next sample.
export interface Sample {
  time: number;
  state: string;
  low?: number;
  high?: number;
  // Its attributes that are drawn, by name.
  numbers?: Record<string, number>;
}

// A number as states write it; undefined for "unavailable", "", "on".
export function numberOf(state: string): number | undefined {
  const value = state.trim() === "" ? NaN : Number(state);
  return Number.isFinite(value) ? value : undefined;
}

// True if an entity says itself that it measures something. Of such the hub keeps statistics.
export function measures(entity: Entity | undefined): boolean {
  const { unit_of_measurement: unit, state_class } = entity?.attributes ?? {};
  return unit !== undefined || state_class !== undefined;
}

// True if the states of an entity are drawn as a curve rather than as bands.
export function isMeasured(entity: Entity | undefined, samples: Sample[] = []): boolean {
  if (measures(entity)) return true;
  const domain = entity?.entity_id.split(".")[0];
  return (
    (domain === "sensor" || domain === "input_number" || domain === "number" || domain === "counter") &&
    samples.some(({ state }) => numberOf(state) !== undefined)
  );
}
