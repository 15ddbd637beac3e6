// SPDX-License-Identifier: Apache-2.0
// Why an entity is as it is: the links from its last change to the root, the newest first.
import type { Home } from "./home";

export interface Link {
  kind: "state" | "call" | "run" | "trigger" | "time" | "user" | "report";
  at: string;
  entity_id?: string | null;
  // Of a state; `from` is null if it was new.
  from?: string | null;
  to?: string;
  service?: string;
  automation?: string;
  script?: string;
  run_id?: string;
  alias?: string;
  platform?: string | null;
  // Of a user; null if nobody knows the name.
  name?: string | null;
  integration?: string | null;
  // In English.
  text: string;
}

export async function explain(home: Home, entityId: string): Promise<Link[]> {
  return (await home.command<{ chain: Link[] }>("automation/explain", { entity_id: entityId })).chain;
}
