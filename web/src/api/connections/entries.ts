// SPDX-License-Identifier: Apache-2.0
// The connections of the home's integrations, which the hub calls config entries; docs/api.md describes them.
import type { ReactiveControllerHost } from "lit";

import { deviceName } from "../devices";
import type { Home } from "../home";
import type { Device } from "../types";
import { LiveList } from "./live";

export interface ConfigEntry {
  entry_id: string;
  // The integration.
  domain: string;
  title: string;
  source: "yaml" | "user" | "zeroconf" | "ignore";
  state: "loaded" | "setup_in_progress" | "setup_retry" | "setup_error" | "not_loaded";
  // Why it does not run, as the hub says it.
  reason: string | null;
  disabled_by: string | null;
  // A flow can give it another address or secret.
  supports_reconfigure: boolean;
  // Seconds since 1970.
  created_at: number;
  modified_at: number;
}

interface EntryChange {
  // Null for the first list.
  type: string | null;
  entry: ConfigEntry;
}

// How a connection is, for people.
export type EntryStatus = ConfigEntry["state"] | "disabled";

export function statusOf({ state, disabled_by }: ConfigEntry): EntryStatus {
  return disabled_by ? "disabled" : state;
}

const isIgnored = ({ source }: ConfigEntry) => source === "ignore";

// All connections. Each message of the hub has all of them.
export class EntriesController extends LiveList<ConfigEntry, EntryChange[]> {
  constructor(host: ReactiveControllerHost, home: () => Home) {
    super(host, home, "config_entries/subscribe", (_, changes) => changes.map(({ entry }) => entry).filter((entry) => !isIgnored(entry)));
  }

  named(entry_id: string): ConfigEntry | undefined {
    return this.items?.find((entry) => entry.entry_id === entry_id);
  }
}

// A found device that is ignored; removing such an entry takes that back.
export class IgnoredController extends LiveList<ConfigEntry, EntryChange[]> {
  constructor(host: ReactiveControllerHost, home: () => Home) {
    super(host, home, "config_entries/subscribe", (_, changes) => changes.map(({ entry }) => entry).filter(isIgnored));
  }
}

export interface EntryGroup {
  domain: string;
  name: string;
  entries: ConfigEntry[];
}

// The connections by integration, both by name.
export function groupsOf(entries: readonly ConfigEntry[], nameOf: (domain: string) => string, language: string): EntryGroup[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const groups = new Map<string, EntryGroup>();
  for (const entry of entries) {
    const group = groups.get(entry.domain) ?? { domain: entry.domain, name: nameOf(entry.domain), entries: [] };
    group.entries.push(entry);
    groups.set(entry.domain, group);
  }
  for (const group of groups.values()) group.entries.sort((a, b) => collator.compare(a.title, b.title));
  return [...groups.values()].sort((a, b) => collator.compare(a.name, b.name));
}

// The devices that a connection brings, by name.
export function devicesOf({ devices }: Pick<Home, "devices">, { entry_id }: Pick<ConfigEntry, "entry_id">, language: string): Device[] {
  const collator = new Intl.Collator(language, { numeric: true });
  return [...devices.values()]
    .filter(({ primary_config_entry }) => primary_config_entry === entry_id)
    .sort((a, b) => collator.compare(deviceName(a), deviceName(b)));
}

// The ids of the entities that a connection brings, those without a device among them.
export function entitiesOf({ registry }: Pick<Home, "registry">, { entry_id }: Pick<ConfigEntry, "entry_id">): string[] {
  return [...registry.values()].filter(({ config_entry_id }) => config_entry_id === entry_id).map((entity) => entity.entity_id);
}

// The entities among them that belong to no device.
export function entitiesAlone(home: Pick<Home, "registry">, entry: Pick<ConfigEntry, "entry_id">): string[] {
  return entitiesOf(home, entry).filter((id) => !home.registry.get(id)?.device_id);
}

// Of so many devices it is asked what names them.
const mostAsked = 40;

// The automations and scripts that name one of these devices, or an entity of theirs.
export async function usersOf(home: Home, devices: Device[]): Promise<string[]> {
  const asked = devices
    .slice(0, mostAsked)
    .map(({ id }) => home.command<{ automation?: string[]; script?: string[] }>("search/related", { item_type: "device", item_id: id }));
  const found = await Promise.all(asked);
  return [...new Set(found.flatMap(({ automation = [], script = [] }) => [...automation, ...script]))];
}

const pathOf = ({ entry_id }: ConfigEntry) => `/api/config/config_entries/entry/${encodeURIComponent(entry_id)}`;

export const reloadEntry = (home: Home, entry: ConfigEntry): Promise<unknown> => home.rest("POST", `${pathOf(entry)}/reload`);

export const removeEntry = (home: Home, entry: ConfigEntry): Promise<unknown> => home.rest("DELETE", pathOf(entry));

export const renameEntry = (home: Home, { entry_id }: ConfigEntry, title: string): Promise<unknown> =>
  home.command("config_entries/update", { entry_id, title });

export const disableEntry = (home: Home, { entry_id }: ConfigEntry, disabled: boolean): Promise<unknown> =>
  home.command("config_entries/disable", { entry_id, disabled_by: disabled ? "user" : null });

// Facts that help to find a fault; no secret is in them.
export const diagnosisOf = (home: Home, { entry_id }: ConfigEntry): Promise<unknown> =>
  home.rest("GET", `/api/diagnostics/config_entry/${encodeURIComponent(entry_id)}`);
