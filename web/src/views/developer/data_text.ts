// SPDX-License-Identifier: Apache-2.0
// Data as text that people write: JSON, or YAML, whose library is fetched when it is first needed.
import { parseJsonObject } from "./json";
import { TextError, errorAt } from "./text_error";

export type Format = "json" | "yaml";

// Throws TextError where the text is not what its format says, or no object. An empty text is an empty object.
export async function parseData(text: string, format: Format): Promise<Record<string, unknown>> {
  if (format === "json") return parseJsonObject(text);
  const { load, CORE_SCHEMA, YAMLException } = await import("js-yaml");
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA }) ?? {};
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new TextError((error.mark?.line ?? 0) + 1, (error.mark?.column ?? 0) + 1, error.reason);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw errorAt(text, 0, "developer.json.notObject");
  return value as Record<string, unknown>;
}

export async function printData(data: Record<string, unknown>, format: Format): Promise<string> {
  if (Object.keys(data).length === 0) return format === "json" ? "{}" : "";
  if (format === "json") return JSON.stringify(data, null, 2);
  const { dump, CORE_SCHEMA } = await import("js-yaml");
  return dump(data, { schema: CORE_SCHEMA, lineWidth: 100, noRefs: true, flowLevel: 2 });
}
