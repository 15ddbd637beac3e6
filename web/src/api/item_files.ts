// SPDX-License-Identifier: Apache-2.0
// Automations, scripts and scenes as they stand in their files.
import { pathOf, type Item, type WrittenKind } from "./automations";
import { RestError } from "./errors";
import type { Home } from "./home";
import { fetchAs } from "./session";

// As an item stands in its file.
export interface Written {
  // Its own text, with comments; undefined if it has no lines of its own, or nobody may change them here.
  text: string | undefined;
  // Another one if the item has changed since.
  tag: string;
}

const yaml = "application/yaml";

async function ask(home: Home, path: string, init: RequestInit): Promise<Response> {
  const auth = home.connection.options.auth;
  if (!auth) throw new RestError(401, "");
  const response = await fetchAs(auth, path, init);
  if (response.ok) return response;
  const text = await response.text();
  let message = response.statusText;
  try {
    message = (JSON.parse(text) as { message?: string }).message ?? message;
  } catch {
    // what stands between the hub and the page answered
  }
  throw new RestError(response.status, message);
}

export async function readWritten(home: Home, kind: WrittenKind, id: string): Promise<Written> {
  const response = await ask(home, pathOf(kind, id), { headers: { Accept: `${yaml}, application/json;q=0.5` } });
  const text = response.headers.get("Content-Type")?.startsWith(yaml) ? await response.text() : undefined;
  return { text, tag: response.headers.get("ETag") ?? "" };
}

// `item`: its own text, or what it means, of which only the keys that differ are written. Fails with 412 if the item is not what
// `tag` says; any is replaced if that is empty.
export async function writeItem(home: Home, kind: WrittenKind, id: string, item: Item | string, tag = ""): Promise<void> {
  const isText = typeof item === "string";
  const body = isText ? item : JSON.stringify(kind === "script" ? item : { id, ...item });
  const headers = { "Content-Type": isText ? yaml : "application/json", ...(tag && { "If-Match": tag }) };
  await ask(home, pathOf(kind, id), { method: "POST", body, headers });
}
