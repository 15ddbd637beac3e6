// SPDX-License-Identifier: Apache-2.0
import type { Attributes, Entity } from "../api/types";

// The attribute that tells the colour, and the field of turn_on that sets it, by colour mode.
const colourFields: Record<string, string> = {
  color_temp: "color_temp_kelvin",
  hs: "hs_color",
  xy: "xy_color",
  rgb: "rgb_color",
  rgbw: "rgbw_color",
  rgbww: "rgbww_color",
};

const isKnown = (value: unknown) => value !== undefined && value !== null;

// The data of turn_on that makes a lamp shine as it does now.
export function shineOf({ attributes }: Entity): Attributes {
  const { brightness, effect, color_mode: mode } = attributes;
  const field = Object.hasOwn(colourFields, String(mode)) ? colourFields[String(mode)] : undefined;
  return {
    ...(mode === "white" ? { white: brightness } : typeof brightness === "number" && { brightness }),
    ...(field && isKnown(attributes[field]) && { [field]: attributes[field] }),
    ...(typeof effect === "string" && { effect }),
  };
}
