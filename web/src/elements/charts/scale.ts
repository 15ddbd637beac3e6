// SPDX-License-Identifier: Apache-2.0

// The root font size divided by 16 pixels, for sizes that are not in rem. Above 1 on a 4K screen, for example.
export function scale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
