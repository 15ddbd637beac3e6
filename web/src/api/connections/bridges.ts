// SPDX-License-Identifier: Apache-2.0
// Other hubs that are mirrored here; docs/bridge.md describes them. For administrators.
import type { Home } from "../home";

export type BridgeState = "connecting" | "starting" | "connected" | "lost" | "refused" | "self" | "twice";

export interface Bridge {
  entry_id: string;
  // The short one, which paths have.
  name: string;
  title: string;
  // One of BridgeState, or how the connection is if it does not run.
  state: string;
  url?: string;
  version?: string | null;
  is_hearth?: boolean;
  user?: string | null;
  administrator?: boolean | null;
  // Commands that the version there lacks.
  missing?: string[];
  entities?: Record<string, number>;
  services?: number;
  changes_per_second?: number;
  latency_ms?: number | null;
  last_error?: string | null;
  next_try?: string | null;
}

export interface BridgeEntity {
  instance: string;
  // Its id here.
  entity_id: string | null;
  entity_id_there: string;
  why: string;
  detail: string | null;
}

export interface Difference {
  // Of an entity or a device here.
  id: string;
  field: string;
  here: unknown;
  there: unknown;
}

export interface DoubleAutomation {
  id: string;
  name: string;
  entity_id: string;
  entity_id_there: string;
  on_here: boolean;
  on_there: boolean;
}

export interface BridgeTest {
  location_name: string | null;
  version: string;
  is_hearth: boolean;
  entities: number;
  running: boolean;
  user: string;
  administrator: boolean;
}

const root = "/api/home_assistant";
const of = (what: string, name: string) => `${root}/${what}/${encodeURIComponent(name)}`;

export const bridgeOf = async (home: Home, entryId: string): Promise<Bridge | undefined> =>
  (await home.rest<{ instances: Bridge[] }>("GET", root)).instances.find(({ entry_id }) => entry_id === entryId);

export const bridgeEntities = async (home: Home, instance: string, why: string): Promise<BridgeEntity[]> =>
  (await home.rest<{ entities: BridgeEntity[] }>("GET", `${root}/entities?${new URLSearchParams({ instance, why }).toString()}`)).entities;

export const differencesOf = async (home: Home, instance: string): Promise<Difference[]> =>
  (await home.rest<{ differences: Difference[] }>("GET", of("differences", instance))).differences;

export const takeNames = (home: Home, instance: string, ids: string[]): Promise<{ changed: number }> =>
  home.rest("POST", of("take_names", instance), { ids });

export const doubleAutomations = async (home: Home, instance: string): Promise<DoubleAutomation[]> =>
  (await home.rest<{ automations: DoubleAutomation[] }>("GET", of("automations", instance))).automations;

export const switchAutomation = async (home: Home, instance: string, id: string, on: "here" | "there"): Promise<DoubleAutomation[]> =>
  (await home.rest<{ automations: DoubleAutomation[] }>("POST", of("automations", instance), { id, on })).automations;

export const testBridge = (home: Home, instance: string): Promise<BridgeTest> => home.rest("POST", of("test", instance));
