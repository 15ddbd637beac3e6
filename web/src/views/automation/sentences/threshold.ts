// SPDX-License-Identifier: Apache-2.0
// The `threshold` of a trigger or condition by purpose: above or below a number or that of an entity, or a range.
import { isConfig, type Config } from "./edit";

export const thresholdTypes = ["any", "above", "below", "between", "outside"] as const;
export type ThresholdType = (typeof thresholdTypes)[number];
export type EdgeKey = "value" | "value_min" | "value_max";

export function edgesOf(type: unknown): EdgeKey[] {
  if (type === "above" || type === "below") return ["value"];
  return type === "between" || type === "outside" ? ["value_min", "value_max"] : [];
}

const isNumeric = (value: unknown) =>
  value === null || typeof value === "number" || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));

// A number or an entity; one that is still to be chosen is "".
export function isEntityEdge(edge: unknown): boolean {
  return isConfig(edge) && "entity" in edge;
}

function isEdge(edge: unknown): boolean {
  if (!isConfig(edge) || ("number" in edge && "entity" in edge)) return false;
  const { number, entity, unit_of_measurement: unit, active_choice: choice, ...others } = edge;
  if (Object.keys(others).length > 0 || (choice !== undefined && !(String(choice) in edge))) return false;
  if (unit !== undefined && typeof unit !== "string") return false;
  return entity === undefined ? isNumeric(number ?? null) : typeof entity === "string" && unit === undefined && !/\{[{%]/.test(entity);
}

// True if a sentence can show it.
export function isThreshold(value: unknown, types: readonly unknown[]): boolean {
  if (!isConfig(value) || !types.includes(value.type)) return false;
  const edges = edgesOf(value.type);
  return Object.entries(value).every(([key, edge]) => key === "type" || (edges.includes(key as EdgeKey) && isEdge(edge)));
}

// True if a limit is still to be chosen.
export function isOpenThreshold(value: unknown): boolean {
  if (!isConfig(value)) return true;
  return edgesOf(value.type).some((key) => {
    const { number, entity } = isConfig(value[key]) ? value[key] : {};
    return (number ?? "") === "" && (entity ?? "") === "";
  });
}

// A limit that is still to be chosen.
export function newEdge(ofEntity: boolean, unit: string): Config {
  return ofEntity ? { entity: "" } : { number: null, ...(unit && { unit_of_measurement: unit }) };
}

// With the limits that the other type has, too.
export function withType(value: unknown, type: ThresholdType, unit: string): Config {
  const { type: _, ...before } = isConfig(value) ? value : {};
  const given = Object.values(before);
  const [low, high] = ["value_min" in before ? before.value_min : given[0], "value_max" in before ? before.value_max : given.at(-1)];
  const fresh = () => newEdge(false, unit);
  const edges = edgesOf(type);
  if (edges.length === 1) return { type, value: (type === "below" ? high : low) ?? fresh() };
  if (edges.length === 0) return { type };
  if (given.length === 2) return { type, value_min: low, value_max: high };
  const wasBelow = isConfig(value) && value.type === "below";
  return { type, value_min: wasBelow ? fresh() : (low ?? fresh()), value_max: wasBelow ? (high ?? fresh()) : fresh() };
}

// With another number or entity at this limit; what else it has stays.
export function withEdge(value: Config, key: EdgeKey, part: Config): Config {
  const edge = isConfig(value[key]) ? value[key] : {};
  return { ...value, [key]: { ...edge, ...part } };
}

// Limits are numbers, or those of entities.
export function withEntities(value: unknown, wanted: boolean, unit: string): unknown {
  if (!isConfig(value)) return value;
  const changed = edgesOf(value.type).filter((key) => isEntityEdge(value[key]) !== wanted);
  const marked = (edge: unknown) => (isConfig(edge) && "active_choice" in edge ? { active_choice: wanted ? "entity" : "number" } : {});
  return { ...value, ...Object.fromEntries(changed.map((key) => [key, { ...marked(value[key]), ...newEdge(wanted, unit) }])) };
}

const edgeOfLimit = (limit: unknown): Config =>
  typeof limit === "string" && /^\s*[a-z]\w*\.\w+\s*$/i.test(limit) ? { entity: limit.trim().toLowerCase() } : { number: limit };

// As `above` and `below`, of a crossing `threshold_type`, `lower_limit` and `upper_limit` were written before; undefined if they do not
// stand there, or say something that has no such place.
export function thresholdOfLimits(options: Config, isCrossing: boolean): { threshold: Config; rest: Config } | undefined {
  const [lowKey, highKey] = isCrossing ? ["lower_limit", "upper_limit"] : ["above", "below"];
  const { [lowKey as string]: low, [highKey as string]: high, threshold_type: named, ...rest } = options;
  if ("threshold" in options || (named !== undefined && !isCrossing) || (low === undefined && high === undefined)) return undefined;
  const type = isCrossing ? named : low !== undefined && high !== undefined ? "between" : low !== undefined ? "above" : "below";
  const edges = edgesOf(type);
  const needed = edges.length === 2 ? [low, high] : type === "above" ? [low] : [high];
  const given = [low, high].filter((limit) => limit !== undefined);
  if (
    edges.length === 0 ||
    given.length !== edges.length ||
    needed.some((limit) => limit === undefined || limit === null || typeof limit === "object")
  )
    return undefined;
  return { threshold: { type, ...Object.fromEntries(edges.map((key, index) => [key, edgeOfLimit(needed[index])])) }, rest };
}
