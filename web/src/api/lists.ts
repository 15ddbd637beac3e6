// SPDX-License-Identifier: Apache-2.0
// Long lists over HTTP: compressed, and no more than a word where this page or the browser's cache has them already.
import type { Auth } from "home-assistant-js-websocket";

import { RestError } from "./errors";
import { fetchAs } from "./session";
import type { Area, Device, Floor, Kind, RegisteredEntity } from "./types";

export interface RegistryLists {
  areas: Area[];
  floors: Floor[];
  devices: Device[];
  // Without those that clients write and nobody has edited: a home may have very many of them.
  entities: RegisteredEntity[];
}

export class Lists {
  // The ETag of what the page has; null if that may be older, or newer.
  private tag: string | null = null;
  private changes = 0;

  constructor(private readonly auth: Auth) {}

  // Something has changed: the page will not have what was read last.
  noteChange(): void {
    this.changes += 1;
    this.tag = null;
  }

  // Undefined if all is as it was when it was last read. Throws RestError.
  async read(): Promise<RegistryLists | undefined> {
    const { changes } = this;
    const response = await fetchAs(this.auth, "/api/registry", this.tag ? { headers: { "If-None-Match": this.tag } } : {});
    if (response.status === 304) return undefined;
    if (!response.ok) throw new RestError(response.status, response.statusText);
    const lists = (await response.json()) as RegistryLists;
    if (changes === this.changes) this.tag = response.headers.get("ETag");
    return lists;
  }
}

// Undefined if the hub does not tell.
export async function readKinds(): Promise<Kind[] | undefined> {
  try {
    const response = await fetch("/api/kinds");
    return response.ok ? ((await response.json()) as Kind[]) : undefined;
  } catch {
    return undefined;
  }
}
