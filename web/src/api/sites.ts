// SPDX-License-Identifier: Apache-2.0
import type { Home } from "./home";

// One home of a fleet, as its portal has it. Times are ISO 8601, spans are seconds.
export interface Site {
  site: string;
  name: string;
  reachable: boolean;
  heard: string | null;
  version: string;
  behind: number;
  clock_off: number;
  entities: number;
  issues: number;
  newest: string | null;
  refused: number;
  problem: string;
}

export interface Fleet {
  portal: boolean;
  sites: Site[];
}

export function readSites(home: Home): Promise<Fleet> {
  return home.connection.sendMessagePromise<Fleet>({ type: "hearth/sites" });
}

export function removeSite(home: Home, site: string): Promise<void> {
  return home.connection.sendMessagePromise<void>({ type: "hearth/sites/remove", site });
}
