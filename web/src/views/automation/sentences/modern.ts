// SPDX-License-Identifier: Apache-2.0
// An item with the keys and lists of today: `service` is `action`, a single trigger a list of one. Its meaning stays.
import { inherit, isConfig, type Config } from "./edit";
import { findPurpose } from "./purpose_table";
import { thresholdOfLimits } from "./threshold";

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];
}

// "light.a, light.b", or a list.
export function textsOf(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? value.split(",").map((part) => part.trim()) : value === undefined || value === null ? [] : value;
  return Array.isArray(list) && list.every((part) => typeof part === "string") ? list.filter(Boolean) : undefined;
}

// With other keys, in the same order; a key that is there already keeps its value.
function renamed(config: Config, names: Record<string, string>): Config {
  const clear = Object.entries(names).filter(([old, name]) => old in config && !(name in config));
  if (clear.length === 0) return config;
  const changes = Object.fromEntries(clear);
  return inherit(Object.fromEntries(Object.entries(config).map(([key, value]) => [changes[key] ?? key, value])), config);
}

function changed(config: Config, changes: Record<string, (value: unknown) => unknown>): Config {
  const entries = Object.entries(config).map(
    ([key, value]) => [key, Object.hasOwn(changes, key) && value !== undefined ? changes[key]?.(value) : value] as const,
  );
  if (entries.every(([key, value]) => value === config[key])) return config;
  return inherit(Object.fromEntries(entries), config);
}

// The same list if it stays as it is: what has not changed need not be read again.
function each(value: unknown, change: (part: unknown) => unknown[]): unknown[] {
  const list = listOf(value);
  const result = list.flatMap(change);
  return result.length === list.length && result.every((part, index) => part === list[index]) ? list : result;
}

export function modernItem(item: Config): Config {
  const named = renamed(item, { trigger: "triggers", condition: "conditions", action: "actions" });
  return changed(named, { triggers: modernTriggers, conditions: modernConditions, actions: modernSteps, sequence: modernSteps });
}

export function modernTriggers(value: unknown): unknown[] {
  return each(value, (trigger) => {
    if (!isConfig(trigger)) return [trigger];
    if (Object.keys(trigger).length === 1 && "triggers" in trigger) return modernTriggers(trigger.triggers);
    return [modernTrigger(renamed(trigger, { platform: "trigger" }))];
  });
}

// Of those by purpose, other keys may have stood under `options`, too; what was called otherwise there is called as today.
function modernTrigger(trigger: Config): Config {
  const purpose = findPurpose("triggers", trigger.trigger);
  if (purpose?.isSunTime && trigger.options === undefined) return modernTime(trigger);
  const { options } = trigger;
  if (!isConfig(options)) return trigger;
  if (!purpose) return flat(trigger, trigger.trigger, options);
  const behavior = ({ any: "each", last: "all" } as Config)[String(options.behavior)];
  const limits = purpose.number ? thresholdOfLimits(options, purpose.number === "within") : undefined;
  const offset = purpose.isSunTime ? modernOffset(options) : undefined;
  if (behavior === undefined && !limits && !offset) return trigger;
  const next = {
    ...(limits ? { threshold: limits.threshold, ...limits.rest } : options),
    ...offset,
    ...(behavior !== undefined && { behavior }),
  };
  return inherit({ ...trigger, options: next }, trigger);
}

// A time of the sun has its offset under `options` today.
function modernTime(trigger: Config): Config {
  const { offset, offset_type, type, ...rest } = trigger;
  const given = Object.entries({ offset, offset_type, type }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? trigger : modernTrigger(inherit({ ...rest, options: Object.fromEntries(given) }, trigger));
}

// "-00:30:00", or without a word after it, says whether it is before or after.
function modernOffset({ offset, offset_type: given = "after" }: Config): Config | undefined {
  const isNegative = typeof offset === "string" && offset.startsWith("-");
  if (isNegative && (given === "after" || given === "before"))
    return { offset: offset.slice(1), offset_type: given === "after" ? "before" : "after" };
  return offset === undefined ? undefined : { offset_type: given };
}

// The keys of other kinds may stand under `options`.
function flat(config: Config, name: unknown, options: Config): Config {
  if (String(name).includes(".") || Object.keys(options).some((key) => key in config)) return config;
  return inherit(
    Object.fromEntries(Object.entries(config).flatMap(([key, value]) => (key === "options" ? Object.entries(options) : [[key, value]]))),
    config,
  );
}

export function modernConditions(value: unknown): unknown[] {
  return each(value, (condition) => [modernCondition(condition)]);
}

const logic = ["and", "or", "not"];

function modernCondition(condition: unknown): unknown {
  if (typeof condition === "string") return { condition: "template", value_template: condition };
  if (!isConfig(condition)) return condition;
  const short = logic.find((word) => word in condition);
  if (short && !("condition" in condition)) {
    const { [short]: conditions, ...rest } = condition;
    return inherit({ condition: short, ...rest, conditions: modernConditions(conditions) }, condition);
  }
  const plain = isConfig(condition.options) ? flat(condition, condition.condition, condition.options) : condition;
  return logic.includes(plain.condition as string) ? changed(plain, { conditions: modernConditions }) : plain;
}

export function modernSteps(value: unknown): unknown[] {
  return each(value, (step) => [modernStep(step)]);
}

// Each is a step or, as a bare list, several in their order.
export function modernBranches(value: unknown): unknown[] {
  return each(value, (branch) => [Array.isArray(branch) ? inherit({ sequence: modernSteps(branch) }, branch) : modernStep(branch)]);
}

function modernStep(step: unknown): unknown {
  if (!isConfig(step)) return modernCondition(step);
  if ("condition" in step || logic.some((word) => word in step)) return modernCondition(step);
  const named = renamed(step, { service: "action", service_template: "action", event_data_template: "event_data" });
  return modernCall(
    changed(named, {
      if: modernConditions,
      then: modernSteps,
      else: modernSteps,
      default: modernSteps,
      sequence: modernSteps,
      parallel: modernBranches,
      wait_for_trigger: modernTriggers,
      choose: (options) => each(options, (option) => [isConfig(option) ? modernOption(option) : option]),
      repeat: (loop) =>
        isConfig(loop) ? changed(loop, { while: modernConditions, until: modernConditions, sequence: modernSteps }) : loop,
    }),
  );
}

function modernOption(option: Config): Config {
  const named = renamed(option, { condition: "conditions" });
  return changed(named, { conditions: modernConditions, sequence: modernSteps });
}

// A call has its entities in `target`, and its data in `data`.
function modernCall(step: Config): Config {
  if (!("action" in step)) return step;
  const { entity_id, data_template, ...rest } = step;
  if (entity_id === undefined && data_template === undefined) return step;
  const target = rest.target ?? {};
  const data = rest.data ?? {};
  if (!isConfig(target) || !isConfig(data) || "entity_id" in target || (data_template !== undefined && !isConfig(data_template)))
    return step;
  return inherit(
    {
      ...rest,
      ...(entity_id !== undefined && { target: { ...target, entity_id } }),
      ...(data_template !== undefined && { data: { ...data, ...data_template } }),
    },
    step,
  );
}
