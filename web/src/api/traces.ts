// SPDX-License-Identifier: Apache-2.0
// The steps of runs of automations and scripts.
import { kindOf, type WrittenKind } from "./automations";
import type { Home } from "./home";

export interface Run {
  run_id: string;
  state: "running" | "stopped";
  // How it ended; null while it runs.
  script_execution: string | null;
  timestamp: { start: string; finish: string | null };
  domain: WrittenKind;
  item_id: string;
  error?: string;
  // Its cause; null if somebody began it.
  trigger?: string | null;
  // The path of the step that it began last.
  last_step?: string | null;
}

export interface TracedStep {
  path: string;
  timestamp: string;
  result?: unknown;
  error?: string;
  changed_variables?: Record<string, unknown>;
  rendered?: Record<string, unknown>;
  states?: Record<string, unknown>;
  // The run that the step began.
  child_id?: RunName;
}

export interface RunName {
  domain: string;
  item_id: string;
  run_id: string;
}

export interface Trace extends Run {
  trace: Record<string, TracedStep[]>;
  config: Record<string, unknown> | null;
  context?: { id: string; parent_id: string | null; user_id: string | null };
  // How many steps there was no room for.
  left_out?: number;
}

export interface Missed {
  entity_id: string;
  at: string;
  trigger: string | null;
  why: string;
}

// By what the hub keeps the runs of an entity.
export function tracedAs(home: Pick<Home, "entity" | "registry">, entityId: string): { domain: string; item_id: string } {
  const id = home.entity(entityId)?.attributes.id;
  const known = home.registry.get(entityId)?.unique_id ?? (typeof id === "string" ? id : undefined);
  return { domain: kindOf(entityId) ?? "", item_id: known ?? entityId.slice(entityId.indexOf(".") + 1) };
}

// The entity of what the hub keeps runs of; undefined if it is gone.
export function tracedEntity(
  home: Pick<Home, "entity" | "entities" | "registry">,
  { domain, item_id }: Pick<RunName, "domain" | "item_id">,
): string | undefined {
  return [...home.entities.keys()].find((id) => id.startsWith(`${domain}.`) && tracedAs(home, id).item_id === item_id);
}

// The runs by their contexts.
export function readContexts(home: Home): Promise<Record<string, RunName>> {
  return home.command<Record<string, RunName>>("trace/contexts");
}

// The newest first.
export async function readRuns(home: Home, entityId: string): Promise<Run[]> {
  return (await home.command<Run[]>("trace/list", tracedAs(home, entityId))).sort((a, b) =>
    a.timestamp.start < b.timestamp.start ? 1 : -1,
  );
}

export function readTrace(home: Home, { domain, item_id, run_id }: Run): Promise<Trace> {
  return home.command<Trace>("trace/get", { domain, item_id, run_id });
}

// Of the whole home if there is no `entityId`; the newest first.
export async function readMissed(home: Home, entityId: string): Promise<Missed[]> {
  const all = await home.command<Missed[]>("automation/missed");
  return entityId ? all.filter(({ entity_id }) => entity_id === entityId) : all;
}

// The last run of each automation or script that began, by what the hub keeps it as.
export async function readLastRuns(home: Home, domain: WrittenKind): Promise<Map<string, Run>> {
  const last = new Map<string, Run>();
  for (const run of await home.command<Run[]>("trace/list", { domain })) {
    if (run.script_execution?.startsWith("failed_")) continue; // its conditions or the mode stopped it
    const other = last.get(run.item_id);
    if (!other || other.timestamp.start < run.timestamp.start) last.set(run.item_id, run);
  }
  return last;
}
