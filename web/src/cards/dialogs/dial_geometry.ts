// SPDX-License-Identifier: Apache-2.0
// A dial is an arc that is open below. Angles are in degrees, clockwise from where it begins at the lower left.

export const sweep = 270;
const start = 135; // from the right, clockwise, as the axes of SVG have it

export interface Scale {
  min: number;
  max: number;
  step: number;
}

export function shareOf(value: number, { min, max }: Scale): number {
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
}

export const angleOf = (value: number, scale: Scale): number => shareOf(value, scale) * sweep;

// The place on a circle around 0.
export function pointAt(angle: number, radius: number): { x: number; y: number } {
  const radians = ((start + angle) * Math.PI) / 180;
  return { x: radius * Math.cos(radians), y: radius * Math.sin(radians) };
}

// The angle of a place, beyond the ends up to the middle of the gap: from -45 to 315.
export function angleAt(x: number, y: number): number {
  const angle = (Math.atan2(y, x) * 180) / Math.PI - start;
  const turned = ((angle % 360) + 360) % 360;
  return turned > sweep + (360 - sweep) / 2 ? turned - 360 : turned;
}

export function stepped(value: number, { min, max, step }: Scale): number {
  const last = Math.floor((max - min) / step + 1e-9);
  const steps = Math.min(last, Math.max(0, Math.round((value - min) / step)));
  return Number((min + steps * step).toFixed(6));
}

// Where a drag leads: from `value` by as much as the pointer has turned. It never jumps from one end to the other.
export function dragged(value: number, from: number, to: number, scale: Scale): number {
  const turn = ((to - from + 540) % 360) - 180;
  const angle = Math.min(sweep, Math.max(0, angleOf(value, scale) + turn));
  return stepped(scale.min + (angle / sweep) * (scale.max - scale.min), scale);
}

// An arc of a circle, as SVG draws it.
export function arc(from: number, to: number, radius: number): string {
  const [a, b] = [pointAt(from, radius), pointAt(to, radius)];
  const round = (value: number) => Number(value.toFixed(3));
  return `M ${round(a.x)} ${round(a.y)} A ${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${round(b.x)} ${round(b.y)}`;
}
