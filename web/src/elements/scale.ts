// SPDX-License-Identifier: Apache-2.0

// By how much everything is larger than at a root font of 16 pixels, as on a screen of 4K: for what is not measured in rem.
export function scale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
