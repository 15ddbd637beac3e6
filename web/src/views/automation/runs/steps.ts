// SPDX-License-Identifier: Apache-2.0
// The steps of a run in the order in which they began, with what stands at each in the item.
import type { Trace, TracedStep } from "../../../api/traces";

export interface Step extends TracedStep {
  // How far it is within others.
  depth: number;
  // Its name: its alias, its action, its template; empty if nothing is known of it.
  title: string;
  part: "trigger" | "condition" | "action";
}

const firstKeys: Record<string, string[]> = {
  trigger: ["triggers", "trigger"],
  condition: ["conditions", "condition"],
  action: ["actions", "action"],
  conditions: ["conditions", "condition"],
};

export function stepsOf({ trace, config }: Pick<Trace, "trace" | "config">): Step[] {
  const steps = Object.values(trace).flat();
  const order = steps.map((step, index) => ({ step, index }));
  order.sort((a, b) => (a.step.timestamp === b.step.timestamp ? a.index - b.index : a.step.timestamp < b.step.timestamp ? -1 : 1));
  return order.map(({ step }) => ({
    ...step,
    depth: depthOf(step.path),
    title: titleOf(partAt(config, step.path)),
    part: kindOfPart(step),
  }));
}

// "action/2/choose/0/sequence/0" is within another, which is within "action/2".
function depthOf(path: string): number {
  return Math.max(0, path.split("/").filter((part) => /^\d+$/.test(part)).length - 1);
}

function kindOfPart({ path, result }: TracedStep): Step["part"] {
  if (path.startsWith("trigger")) return "trigger";
  const isChecked = typeof result === "object" && result !== null && "result" in result;
  return path.startsWith("condition") || isChecked ? "condition" : "action";
}

// The step there in the item; undefined if the path leads nowhere, as it does for short forms.
export function partAt(config: unknown, path: string): unknown {
  let part = config;
  for (const name of path.split("/")) {
    if (/^\d+$/.test(name)) {
      const list = listOf(part);
      // A list may be written as its single item.
      part = Array.isArray(list) ? list[Number(name)] : name === "0" ? list : undefined;
    } else {
      if (typeof part !== "object" || part === null) return undefined;
      const found = (firstKeys[name] ?? [name]).find((key) => key in (part as object));
      if (found === undefined && name === "sequence") continue; // one of parallel steps that is a single step
      part = found === undefined ? undefined : (part as Record<string, unknown>)[found];
    }
    if (part === undefined) return undefined;
  }
  return part;
}

// Parallel steps may be a sequence each.
function listOf(part: unknown): unknown {
  if (typeof part === "object" && part !== null && !Array.isArray(part) && "sequence" in part)
    return (part as { sequence: unknown }).sequence;
  return part;
}

function titleOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null || Array.isArray(part)) return "";
  const { alias, action, service, trigger, platform, condition } = part as Record<string, unknown>;
  for (const name of [alias, action, service, trigger ?? platform, condition]) if (typeof name === "string" && name !== "") return name;
  return Object.keys(part).find((key) => !["id", "enabled", "continue_on_error"].includes(key)) ?? "";
}

// A value as people read it: a text as it is, all else as JSON, on one line if it is short.
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  const line = JSON.stringify(value) ?? "";
  return line.length <= 60 ? line : JSON.stringify(value, null, 2);
}
