// SPDX-License-Identifier: Apache-2.0
// The flows that make and change connections: what the hub asks, and what is answered; docs/api.md describes them.
import type { ReactiveControllerHost } from "lit";

import { RestError } from "../errors";
import type { Home } from "../home";
import type { ConfigEntry } from "./entries";
import { LiveList } from "./live";

export interface FlowField {
  name: string;
  type: "string" | "integer" | "boolean" | "select";
  required: boolean;
  default?: string | number | boolean;
  // Of a select.
  options?: string[];
  // It is not shown as it is typed.
  secret?: boolean;
}

export interface FlowForm {
  type: "form";
  flow_id: string;
  handler: string;
  step_id: string;
  data_schema: FlowField[];
  // Codes, by field, or of `base`.
  errors: Record<string, string>;
  description_placeholders: Record<string, string>;
  // Null if that is not known.
  last_step: boolean | null;
}

export interface FlowCreated {
  type: "create_entry";
  flow_id: string;
  handler: string;
  title: string;
  result: ConfigEntry;
}

export interface FlowAbort {
  type: "abort";
  flow_id: string;
  handler: string;
  reason: string;
}

export type FlowStep = FlowForm | FlowCreated | FlowAbort;

// Something that was found in the network.
export interface FoundFlow {
  flow_id: string;
  handler: string;
  context: { source: string; unique_id: string; title_placeholders: Record<string, string> };
  step_id: string | null;
}

export interface FlowChange {
  // Null for the first list.
  type: "added" | "removed" | null;
  flow_id: string;
  flow: FoundFlow;
}

// The list after a message. One without a change is the first of a connection, in a home in which nothing is found.
export function flowsAfter(flows: FoundFlow[], changes: FlowChange[]): FoundFlow[] {
  if (changes.length === 0) return [];
  let after = flows;
  if (changes.some(({ type }) => type === null)) after = [];
  for (const { type, flow_id, flow } of changes) {
    after = after.filter((known) => known.flow_id !== flow_id);
    if (type !== "removed") after = [...after, flow];
  }
  return after;
}

// Devices that were found in the network and await a person.
export class FoundController extends LiveList<FoundFlow, FlowChange[]> {
  constructor(host: ReactiveControllerHost, home: () => Home) {
    super(host, home, "config_entries/flow/subscribe", flowsAfter);
  }
}

const flows = "/api/config/config_entries/flow";
const pathOf = (flow_id: string) => `${flows}/${encodeURIComponent(flow_id)}`;

// The integrations that can be added on a page.
export const flowHandlers = (home: Home): Promise<string[]> => home.rest("GET", "/api/config/config_entries/flow_handlers");

// With an entry it changes that connection; the last step is then an abort with the reason `reconfigure_successful`.
export const beginFlow = (home: Home, handler: string, entry_id?: string): Promise<FlowStep> =>
  home.rest("POST", flows, { handler, ...(entry_id ? { entry_id } : {}) });

export const showFlow = (home: Home, flow_id: string): Promise<FlowStep> => home.rest("GET", pathOf(flow_id));

export const answerFlow = (home: Home, flow_id: string, fields: object): Promise<FlowStep> => home.rest("POST", pathOf(flow_id), fields);

// Gives it up: what is under way at the device ends.
export const endFlow = (home: Home, flow_id: string): Promise<unknown> => home.rest("DELETE", pathOf(flow_id));

export const ignoreFound = (home: Home, { flow_id }: FoundFlow, title: string): Promise<unknown> =>
  home.command("config_entries/ignore_flow", { flow_id, title });

export interface Answers {
  fields: Record<string, string | number | boolean>;
  // Missing fields and wrong numbers, by field.
  problems: Record<string, "missing" | "number">;
}

// The fields as the hub wants them, from what a form has: texts, "on" for a box that is ticked. What is empty is left out. Space
// around a text goes, but not around a secret.
export function answersOf(schema: readonly FlowField[], values: Readonly<Record<string, string>>): Answers {
  const answers: Answers = { fields: {}, problems: {} };
  for (const { name, type, required, secret, default: otherwise } of schema) {
    const typed = values[name] ?? "";
    const text = secret ? typed : typed.trim();
    if (type === "boolean") answers.fields[name] = text === "on";
    else if (text === "" && required && otherwise === undefined) answers.problems[name] = "missing";
    else if (text === "") continue;
    else if (type !== "integer") answers.fields[name] = text;
    else if (/^[-+]?\d+$/.test(text) && Number.isSafeInteger(Number(text))) answers.fields[name] = Number(text);
    else answers.problems[name] = "number";
  }
  return answers;
}

// The field that an answer of the hub names, and what is wrong there; undefined if it names none.
export function fieldOf(error: unknown, schema: readonly FlowField[]): { name: string; problem: string } | undefined {
  if (!(error instanceof RestError) || error.status !== 400) return undefined;
  const [, name = "", problem = ""] = /^([^:\s]+): (.+)$/s.exec(error.message) ?? [];
  return schema.some((field) => field.name === name) ? { name, problem } : undefined;
}
