// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "./home";

export const helperKinds = ["input_boolean", "input_button", "input_number", "input_select", "input_text", "input_datetime", "counter", "timer", "schedule", "group", "person", "zone", "tag"] as const;
export type HelperKind = (typeof helperKinds)[number];

// A helper that people made, with the fields of its kind.
export interface Helper {
  id: string;
  name: string;
  icon?: string;
  [field: string]: unknown;
}

export interface KnownHelper {
  kind: HelperKind;
  helper: Helper;
}

// Those of one kind. Persons of files are not made here.
export async function readHelpers(home: Home, kind: HelperKind): Promise<Helper[]> {
  const listed = await home.command<Helper[] | { storage: Helper[] }>(`${kind}/list`);
  return Array.isArray(listed) ? listed : listed.storage;
}

// The helpers that people made, by name, kept current while the host is there. Undefined until they are known.
export class HelpersController implements ReactiveController {
  all: KnownHelper[] | undefined;
  private listening: Promise<Unsubscribe | undefined> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
  ) {
    host.addController(this);
  }

  // The host's properties are set before its first update.
  hostUpdate(): void {
    if (this.listening) return;
    const { connection } = this.home();
    this.listening = connection
      .subscribeEvents(() => void this.load(), "collection_updated")
      .then((stop) => () => void stop().catch(() => undefined)) // a lost connection has no subscription
      .catch(() => undefined);
    void this.load();
  }

  hostDisconnected(): void {
    void this.listening?.then((stop) => stop?.());
    this.listening = undefined;
  }

  private async load(): Promise<void> {
    const lists = helperKinds.map(async (kind) => {
      const helpers = await readHelpers(this.home(), kind);
      return helpers.map((helper): KnownHelper => ({ kind, helper }));
    });
    try {
      this.all = (await Promise.all(lists)).flat();
    } catch {
      return; // the connection is lost; the next change, or the next visit, asks again
    }
    this.host.requestUpdate();
  }
}

// The entity of a helper, whatever its id is by now.
export function entityOf(home: Pick<Home, "registry">, { kind, helper }: KnownHelper): string | undefined {
  for (const { entity_id, platform, unique_id } of home.registry.values()) {
    if (platform === kind && unique_id === helper.id) return entity_id;
  }
  return undefined;
}
