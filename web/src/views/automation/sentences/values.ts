// SPDX-License-Identifier: Apache-2.0
// Kinds of values.
import { offsetOf } from "./durations";
import { isConfig } from "./edit";

export function isTemplate(value: unknown): value is string {
  return typeof value === "string" && /\{[{%]/.test(value);
}

export const isText = (value: unknown) => typeof value === "string" || typeof value === "number";
export const isTime = (value: unknown): value is string => typeof value === "string" && /^\d\d?:\d\d(:\d\d)?$/.test(value);
export const isEntityId = (value: unknown): boolean => typeof value === "string" && /^[a-z0-9_]+\.[a-z0-9_]+$/.test(value);
// The time of an entity, some time before or after it.
export function isShifted(value: unknown): value is { entity_id: string; offset: unknown } {
  return (
    isConfig(value) &&
    Object.keys(value).length === 2 &&
    isEntityId(value.entity_id) &&
    value.offset !== undefined &&
    offsetOf(value.offset) !== undefined
  );
}
export const weekdays: readonly string[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const targetKeys = ["entity_id", "device_id", "area_id", "floor_id", "label_id"] as const;

// Red, green and blue.
export function isColor(value: unknown): value is [number, number, number] {
  return Array.isArray(value) && value.length === 3 && value.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
}
