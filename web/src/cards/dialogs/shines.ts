// SPDX-License-Identifier: Apache-2.0
// The colours and whites that lamps can be told, and how they are drawn.
import type { Attributes, Entity } from "../../api/types";
import { numberIn } from "../attributes";

export const mostFavourites = 12;
const fields = ["brightness", "white", "color_temp_kelvin", "hs_color", "xy_color", "rgb_color", "rgbw_color", "rgbww_color", "effect"];

// White from candle light to daylight, within what the lamp can.
export function whites(entity: Entity): number[] {
  const low = numberIn(entity, "min_color_temp_kelvin") ?? 2000;
  const high = numberIn(entity, "max_color_temp_kelvin") ?? 6500;
  const within = [2200, 2700, 3000, 4000, 5000, 6500].filter((kelvin) => kelvin >= low && kelvin <= high);
  return within.length > 0 ? within : [low, high].filter((kelvin, index, all) => all.indexOf(kelvin) === index);
}

const isPlain = (value: unknown) =>
  typeof value === "number" || typeof value === "string" || (Array.isArray(value) && value.length <= 5 && value.every(Number.isFinite));

// The kept favourites that this lamp can show.
export function favouritesOf(value: unknown): Attributes[] {
  const { favourites } = (value ?? {}) as { favourites?: unknown };
  if (!Array.isArray(favourites)) return [];
  return favourites
    .slice(0, mostFavourites)
    .map((each: unknown) =>
      typeof each === "object" && each !== null
        ? Object.fromEntries(Object.entries(each).filter(([name, part]) => fields.includes(name) && isPlain(part)))
        : {},
    )
    .filter((each) => Object.keys(each).length > 0);
}

const isNear = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((part, i) => isNear(part, b[i]));
  return typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= Math.max(1, Math.abs(b) * 0.01) : a === b;
};

// True if the lamp shines in that now. White that was made from colours is no colour.
export function isShining({ state, attributes }: Entity, data: Attributes): boolean {
  if (state !== "on") return false;
  const { color_mode: mode } = attributes;
  if ("color_temp_kelvin" in data && mode !== "color_temp") return false;
  if ("hs_color" in data && (mode === "color_temp" || mode === "white")) return false;
  return Object.entries(data).every(([name, value]) => isNear(attributes[name === "white" ? "brightness" : name], value));
}

// Between candle light and daylight, as the slider draws it.
function whiteOf(kelvin: number): string {
  const share = Math.min(1, Math.max(0, (kelvin - 2000) / 4500));
  const [from, to, part] = share < 0.5 ? [[255, 176, 87], [255, 243, 224], share * 2] : [[255, 243, 224], [207, 227, 255], share * 2 - 1];
  return `rgb(${(from as number[]).map((each, i) => Math.round(each + ((to as number[])[i]! - each) * (part as number))).join(" ")})`;
}

// A colour of CSS for it.
export function colourOf(data: Attributes): string {
  const numbers = (name: string) => (Array.isArray(data[name]) ? (data[name] as number[]).map(Number) : undefined);
  const hs = numbers("hs_color");
  if (hs && hs.length >= 2) return `hsl(${hs[0]} 100% ${100 - (hs[1] as number) / 2}%)`;
  const rgb = numbers("rgb_color") ?? numbers("rgbw_color") ?? numbers("rgbww_color");
  if (rgb && rgb.length >= 3) {
    const white = Math.max(0, ...rgb.slice(3));
    return `rgb(${rgb
      .slice(0, 3)
      .map((part) => Math.min(255, part + white))
      .join(" ")})`;
  }
  return whiteOf(Number(data.color_temp_kelvin) || 2700);
}
