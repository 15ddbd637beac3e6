// SPDX-License-Identifier: Apache-2.0
// Former versions of automations, scripts and scenes before each change, as the hub keeps them.
import type { WrittenKind } from "./automations";
import type { Home } from "./home";

// A key or step by its path: "triggers[0].to".
export interface Change {
  path: string;
  kind: "added" | "removed" | "changed";
}

export interface Revision {
  revision: string;
  at: string;
  kind: Change["kind"];
  // The author of the change, and their name; null if that is not known.
  user_id: string | null;
  user: string | null;
  changes: Change[];
  // The item's text before it; null if it was not there.
  before: string | null;
}

export interface Revisions {
  // Null if it is deleted.
  current: string | null;
  // The newest first.
  revisions: Revision[];
}

export interface Deleted {
  item_id: string;
  name: string;
  revision: string;
  at: string;
  user: string | null;
}

export function readRevisions(home: Home, domain: WrittenKind, item_id: string): Promise<Revisions> {
  return home.command<Revisions>("config/revisions/list", { domain, item_id });
}

export function readDeleted(home: Home, domain: WrittenKind): Promise<Deleted[]> {
  return home.command<Deleted[]>("config/revisions/deleted", { domain });
}

export function restoreRevision(home: Home, domain: WrittenKind, item_id: string, revision: string): Promise<unknown> {
  return home.command("config/revisions/restore", { domain, item_id, revision });
}
