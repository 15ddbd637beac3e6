// SPDX-License-Identifier: Apache-2.0
// The last choices in the palette, kept by the browser for each user: the ids of entries, and commands as they were typed.
import type { Home } from "../../api/home";

const most = 6;
const commandPrefix = "say:";

const keyOf = (home: Home): string => `hearth.palette.${home.user.id}`;

export const commandKey = (text: string): string => commandPrefix + text;

export function commandText(key: string): string | undefined {
  return key.startsWith(commandPrefix) ? key.slice(commandPrefix.length) : undefined;
}

export function recentKeys(home: Home): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(home)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((key): key is string => typeof key === "string").slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberKey(home: Home, key: string): void {
  const keys = [key, ...recentKeys(home).filter((known) => known !== key)].slice(0, most);
  try {
    localStorage.setItem(keyOf(home), JSON.stringify(keys));
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
}
