// SPDX-License-Identifier: Apache-2.0
// An item as it is drawn: lists of rows, with the lists that stand in each, by the paths that the hub's traces have.
import type { TracedStep } from "../../../api/traces";
import { isConfig, type Config } from "../sentences/edit";
import type { Section } from "../sentences/kinds";
import { listOf, modernItem } from "../sentences/modern";

export interface DrawnRow {
  // "action/1/choose/0/sequence/0"
  path: string;
  section: Section;
  config: unknown;
  lanes: Lane[];
}

// A part beside others of its kind: an option, "then", a branch of what is done at a time.
export interface Lane {
  heading: "if" | "then" | "else" | "option" | "default" | "repeat" | "branch" | "sequence" | "group" | "wait";
  // From 0, of options and branches.
  number: number;
  alias: string;
  lists: DrawnList[];
}

export interface DrawnList {
  heading: "" | "if" | "then" | "while" | "until";
  path: string;
  rows: DrawnRow[];
}

// The lists of an automation or a script, in the order in which they count.
export function drawnItem(config: Config): Record<Section, DrawnList> {
  const item = modernItem(config);
  const steps =
    "sequence" in item && !("actions" in item) ? listAt("sequence", item.sequence, "actions") : listAt("action", item.actions, "actions");
  return {
    triggers: listAt("trigger", item.triggers, "triggers"),
    conditions: listAt("condition", item.conditions, "conditions"),
    actions: steps,
  };
}

function listAt(path: string, value: unknown, section: Section, heading: DrawnList["heading"] = ""): DrawnList {
  return { heading, path, rows: listOf(value).map((row, index) => rowAt(`${path}/${index}`, row, section)) };
}

function rowAt(path: string, config: unknown, section: Section): DrawnRow {
  return { path, section, config, lanes: isConfig(config) && section !== "triggers" ? lanesOf(path, config) : [] };
}

function lane(heading: Lane["heading"], lists: DrawnList[], number = 0, alias: unknown = ""): Lane {
  return { heading, lists, number, alias: typeof alias === "string" ? alias : "" };
}

function lanesOf(path: string, config: Config): Lane[] {
  const steps = (key: string, heading?: DrawnList["heading"]) => listAt(`${path}/${key}`, config[key], "actions", heading);
  if ("condition" in config)
    return "conditions" in config ? [lane("group", [listAt(`${path}/conditions`, config.conditions, "conditions")])] : [];
  if ("if" in config) {
    const lanes = [lane("if", [listAt(`${path}/if`, config.if, "conditions")]), lane("then", [steps("then")])];
    return "else" in config ? [...lanes, lane("else", [steps("else")])] : lanes;
  }
  if ("choose" in config) return choice(path, config);
  if (isConfig(config.repeat)) return [loop(`${path}/repeat/sequence`, config.repeat)];
  if ("parallel" in config)
    return listOf(config.parallel).map((branch, index) => parallel(`${path}/parallel/${index}/sequence`, branch, index));
  if ("sequence" in config) return [lane("sequence", [steps("sequence")])];
  if ("wait_for_trigger" in config) return [lane("wait", [listAt(`${path}/wait_for_trigger`, config.wait_for_trigger, "triggers")])];
  return [];
}

function choice(path: string, config: Config): Lane[] {
  const lanes = listOf(config.choose).map((option, index) => {
    const { conditions, sequence, alias } = isConfig(option) ? option : {};
    const own = `${path}/choose/${index}`;
    return lane(
      "option",
      [listAt(`${own}/conditions`, conditions, "conditions", "if"), listAt(`${own}/sequence`, sequence, "actions", "then")],
      index,
      alias,
    );
  });
  return "default" in config ? [...lanes, lane("default", [listAt(`${path}/default`, config.default, "actions")])] : lanes;
}

function loop(path: string, repeat: Config): Lane {
  const conditions = (key: "while" | "until") => (key in repeat ? [listAt(`${path}/${key}`, repeat[key], "conditions", key)] : []);
  return lane("repeat", [...conditions("while"), listAt(path, repeat.sequence, "actions"), ...conditions("until")]);
}

// Each step is a branch, and so is a sequence.
function parallel(path: string, branch: unknown, number: number): Lane {
  const isSequence = isConfig(branch) && Object.keys(branch).length === 1 && "sequence" in branch;
  return lane("branch", [listAt(path, isSequence ? branch.sequence : branch, "actions")], number);
}

// All rows of a list and those in them, each before its own.
export function* allRows({ rows }: DrawnList): Generator<DrawnRow> {
  for (const row of rows) {
    yield row;
    for (const { lists } of row.lanes) for (const list of lists) yield* allRows(list);
  }
}

// A span of the run, by times of its steps; one pass of a loop.
export interface Span {
  from: string;
  // The first moment after it; none of the last.
  to: string | undefined;
}
export const wholeRun: Span = { from: "", to: undefined };

type Records = Record<string, TracedStep[]>;

export function recordsOf(trace: Records, path: string, { from, to }: Span): TracedStep[] {
  return (Object.hasOwn(trace, path) ? (trace[path] ?? []) : []).filter(
    ({ timestamp }) => timestamp >= from && (to === undefined || timestamp < to),
  );
}

// True if anything of a list was done.
export function hasRun(trace: Records, path: string, span: Span): boolean {
  return Object.keys(trace).some((each) => each.startsWith(`${path}/`) && recordsOf(trace, each, span).length > 0);
}

// The passes of a loop within a span: each begins with the condition before it, or with its first step.
export function passesOf(trace: Records, path: string, span: Span): Span[] {
  const body = `${path}/repeat/sequence`;
  const first = Object.keys(trace)
    .flatMap((each) =>
      each.startsWith(`${body}/`) && /^\d+$/.test(each.slice(body.length + 1)) ? [Number(each.slice(body.length + 1))] : [],
    )
    .sort((a, b) => a - b)[0];
  if (first === undefined) return [];
  const checks = recordsOf(trace, `${body}/while/0`, span);
  const begins = recordsOf(trace, `${body}/${first}`, span).map(
    ({ timestamp }) => checks.findLast((check) => check.timestamp <= timestamp)?.timestamp ?? timestamp,
  );
  return begins.map((from, index) => ({ from, to: begins[index + 1] ?? span.to }));
}
