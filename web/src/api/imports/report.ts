// SPDX-License-Identifier: Apache-2.0
// The report of an import from Home Assistant, as `hearth import-ha --json` prints it.

// carried: works as before; reserved: waits for an integration; left: is not carried; lost: should have come.
export type Fate = "carried" | "reserved" | "left" | "lost";

export interface ReportCounts {
  found: number;
  carried: number;
  reserved: number;
  left: number;
  lost: number;
}

export interface ReportItem {
  // The kind, in the singular: "entity", "user".
  what: string;
  id: string;
  name?: string;
  fate: Fate;
  // One of a closed list: "no_provider".
  why?: string;
  // Of the things that it stands for, if they are not one.
  count?: number;
  // Of a user: "administrator", "user", "reader".
  role?: string;
  text?: string;
  // The integration there.
  platform?: string;
  file?: string;
  line?: number;
  // The replacement for it; "bridge" for keeping Home Assistant.
  instead?: string;
  // A word for the cause, if a person should do something, and what.
  attention?: string;
  do?: string;
}

export interface ReportAutomation {
  id: string;
  entity_id: string;
  // Its state there; empty if it had none.
  was: string;
  errors: { line: number; text: string }[];
}

export interface Report {
  format: 1;
  source: { kind: string; version: string; running: boolean };
  dry_run: boolean;
  // Seconds.
  took_s: number;
  // By the plural of the kind: "entities".
  counts: Record<string, ReportCounts>;
  attentions: { attention: string; text: string; do: string }[];
  notes: string[];
  items: ReportItem[];
  automations: ReportAutomation[];
}
