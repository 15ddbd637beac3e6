// SPDX-License-Identifier: Apache-2.0
// A request of the tab API: its address, its line for curl, and what is shown of its answer.
import type { Home } from "../../api/home";
import { endlessAs, type Endpoint } from "./openapi";

export interface Request {
  endpoint: Endpoint;
  // Of parameters, by name; those of the query only where they are sent.
  path: Map<string, string>;
  query: Map<string, string>;
  body?: { type: string; text: string } | undefined;
}

export interface Answer {
  status: number;
  statusText: string;
  milliseconds: number;
  headers: [string, string][];
  text: string;
}

// Of many, those that say something.
const telling = ["content-type", "location", "allow", "etag", "last-modified", "cache-control", "retry-after", "www-authenticate", "vary"];

export function addressOf({ endpoint, path, query }: Request): string {
  const address = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path.get(name) ?? ""));
  const parameters = new URLSearchParams([...query]).toString();
  return parameters ? `${address}?${parameters}` : address;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function curlOf(request: Request): string {
  const { endpoint, body } = request;
  const parts = ["curl"];
  if (endlessAs(endpoint) === "stream") parts.push("-N");
  if (endpoint.method !== "GET") parts.push("-X", endpoint.method);
  if (endpoint.operation.security?.length !== 0) parts.push("-H", '"Authorization: Bearer $TOKEN"');
  if (body?.text) parts.push("-H", quoted(`Content-Type: ${body.type}`), "-d", quoted(body.text));
  parts.push(quoted(location.origin + addressOf(request)));
  return parts.join(" ");
}

export async function send(home: Home, request: Request): Promise<Answer> {
  const { endpoint, body } = request;
  const begin = performance.now();
  const content = body?.type.includes("urlencoded") ? new URLSearchParams(body.text) : body?.text || undefined;
  const response = await home.fetch(endpoint.method, addressOf(request), content);
  const raw = await response.text();
  const milliseconds = performance.now() - begin;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds,
    headers: telling.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    text: isJson ? JSON.stringify(JSON.parse(raw), null, 2) : raw,
  };
}
