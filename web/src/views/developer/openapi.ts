// SPDX-License-Identifier: Apache-2.0
// The hub's OpenAPI 3.1 document, as far as the tab API reads it.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  example?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: unknown[];
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

export const groups = ["states", "events", "services", "history", "hub", "login"] as const;
export type Group = (typeof groups)[number];

function groupOf(path: string): Group {
  const [, first, second] = path.split("/");
  if (first === "auth" || second === "onboarding") return "login";
  if (second === "states" || second === "services") return second;
  if (second === "events" || second === "stream" || second === "websocket") return "events";
  if (second === "history" || second === "logbook") return "history";
  return "hub";
}

// In the order of the document.
export function endpointsOf(document: OpenApi): Map<Group, Endpoint[]> {
  const found = new Map<Group, Endpoint[]>(groups.map((group) => [group, []]));
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      found.get(groupOf(path))?.push({ method: method.toUpperCase(), path, operation });
    }
  }
  return found;
}

// Follows references and puts what `allOf` lists into one.
export function resolve(document: OpenApi, schema: Schema): Schema {
  if (schema.$ref) {
    const { $ref, ...own } = schema;
    const named = document.components.schemas[$ref.slice("#/components/schemas/".length)];
    return named ? { ...resolve(document, named), ...own } : own;
  }
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map((part) => resolve(document, part));
  return {
    ...schema,
    type: "object",
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>,
    required: parts.flatMap((part) => part.required ?? []),
  };
}

// "string or null", "list of strings".
export function typeOf(document: OpenApi, schema: Schema): string {
  const { type, enum: values, items, oneOf } = resolve(document, schema);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (oneOf) return oneOf.map((one) => typeOf(document, one)).join(" | ");
  const types = typeof type === "string" ? [type] : (type ?? ["any"]);
  return types.map((one) => (one === "array" && items ? `${typeOf(document, items)}[]` : one)).join(" | ");
}

// A value that fits: the document's example, else one made from its parts.
export function exampleOf(document: OpenApi, schema: Schema, depth = 0): unknown {
  const resolved = resolve(document, schema);
  if (resolved.example !== undefined) return resolved.example;
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.enum) return resolved.enum[0];
  if (resolved.oneOf?.[0]) return exampleOf(document, resolved.oneOf[0], depth);
  const type = typeof resolved.type === "string" ? resolved.type : resolved.type?.[0];
  switch (type) {
    case "object": {
      if (depth > 6) return {};
      const all = Object.entries(resolved.properties ?? {});
      return Object.fromEntries(all.map(([name, part]) => [name, exampleOf(document, part, depth + 1)]));
    }
    case "array":
      return resolved.items && depth <= 6 ? [exampleOf(document, resolved.items, depth + 1)] : [];
    case "number":
    case "integer":
      return resolved.minimum ?? 0;
    case "boolean":
      return false;
    case "string":
      return "";
    default:
      return null;
  }
}

// Why an endpoint cannot be tried here; undefined where it can.
export function endlessAs({ operation }: Endpoint): "stream" | "websocket" | undefined {
  if ("101" in operation.responses) return "websocket";
  const streams = Object.values(operation.responses).some(({ content }) => content && "text/event-stream" in content);
  return streams ? "stream" : undefined;
}

// Which of the formats of a body is offered: JSON where there is the choice.
export function bodyOf({ operation }: Endpoint): { type: string; schema: Schema } | undefined {
  const content = operation.requestBody?.content;
  if (!content) return undefined;
  const type = "application/json" in content ? "application/json" : Object.keys(content)[0];
  return type ? { type, schema: content[type]?.schema ?? {} } : undefined;
}
