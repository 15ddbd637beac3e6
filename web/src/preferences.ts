// SPDX-License-Identifier: Apache-2.0
// Language and theme: of the user, kept by the hub, and in the browser for the time before logging in.
import type { Home } from "./api/home";
import { bestLanguage, language, loadLanguage } from "./i18n/catalogue";

export type Theme = "auto" | "light" | "dark";

export interface Preferences {
  // A tag as "de", or "auto" for what the browser prefers.
  language: string;
  theme: Theme;
}

const key = "hearth.preferences";
const defaults: Preferences = { language: "auto", theme: "auto" };
const dark = window.matchMedia("(prefers-color-scheme: dark)");

let preferences = read();
let printing = false;
let starting = Promise.resolve();

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Preferences>) };
  } catch {
    return defaults;
  }
}

export function currentPreferences(): Preferences {
  return preferences;
}

function applyTheme(): void {
  const theme = preferences.theme === "auto" ? (dark.matches ? "dark" : "light") : preferences.theme;
  document.documentElement.dataset.theme = printing ? "light" : theme; // paper is white
}

function setPrinting(now: boolean): void {
  printing = now;
  applyTheme();
}

// Applies what this browser remembers; resolves when the language is there.
export async function startPreferences(): Promise<void> {
  dark.addEventListener("change", applyTheme);
  window.addEventListener("beforeprint", () => setPrinting(true));
  window.addEventListener("afterprint", () => setPrinting(false));
  applyTheme();
  starting = loadLanguage(bestLanguage(preferences.language));
  await starting;
}

// Resolves to whether texts have to be drawn anew.
async function adopt(next: Preferences): Promise<boolean> {
  preferences = next;
  localStorage.setItem(key, JSON.stringify(next));
  applyTheme();
  const wanted = bestLanguage(next.language);
  if (wanted === language()) return false;
  await loadLanguage(wanted);
  return true;
}

// Asks the hub what the user prefers, and adopts it.
export async function loadPreferences(home: Home): Promise<boolean> {
  const { value } = await home.command<{ value: Partial<Preferences> | null }>("frontend/get_user_data", { key: "hearth" });
  await starting; // of two languages the one that comes last would stay
  return value ? adopt({ ...defaults, ...value }) : false;
}

// Adopts a choice at once. Resolves to whether texts have to be drawn anew.
export function choosePreferences(changes: Partial<Preferences>): Promise<boolean> {
  return adopt({ ...preferences, ...changes });
}

// Has the hub keep the choice for its user.
export async function keepPreferences(home: Home): Promise<void> {
  await home.command("frontend/set_user_data", { key: "hearth", value: preferences });
}
