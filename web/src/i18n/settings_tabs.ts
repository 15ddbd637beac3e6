// SPDX-License-Identifier: Apache-2.0
// The tabs of the settings, and what they are called.
import { t } from "./catalogue";

export const settingsTabs = [
  "",
  "users",
  "areas",
  "devices",
  "automations",
  "energy",
  "mqtt",
  "sites",
  "security",
  "backups",
  "import",
  "system",
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export function isSettingsTab(tab: string): tab is SettingsTab {
  return (settingsTabs as readonly string[]).includes(tab);
}

export function settingsTabName(tab: SettingsTab): string {
  return t(`settings.${tab || "home"}`);
}
