// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { derivedKinds, type DerivedKinds } from "./derived";
import type { Home, Unsubscribe } from "./home";

export const helperKinds = [
  "input_boolean",
  "input_button",
  "input_number",
  "input_select",
  "input_text",
  "input_datetime",
  "counter",
  "timer",
  "schedule",
  "local_todo",
  "local_calendar",
  "group",
  "person",
  "zone",
  "tag",
] as const;
export type HelperKind = (typeof helperKinds)[number];
export const isHelperKind = (kind: string): kind is HelperKind => (helperKinds as readonly string[]).includes(kind);

// A helper that people made, with the fields of its kind.
export interface Helper {
  id: string;
  name: string;
  icon?: string;
  [field: string]: unknown;
}

export interface KnownHelper {
  // Or the platform of a sensor that is made of others.
  kind: string;
  helper: Helper;
}

// The helpers of one kind. Persons of files are not made here.
export async function readHelpers(home: Home, kind: string): Promise<Helper[]> {
  const listed = await home.command<Helper[] | { storage: Helper[] }>(`${kind}/list`);
  return Array.isArray(listed) ? listed : listed.storage;
}

export function deleteHelper(home: Pick<Home, "command">, { kind, helper }: KnownHelper): Promise<unknown> {
  return home.command(`${kind}/delete`, { [`${kind}_id`]: helper.id });
}

// The helpers that people made, by name, kept current while the host is there. Undefined until they are known.
export class HelpersController implements ReactiveController {
  all: KnownHelper[] | undefined;
  // Sensors made of others, which are among them.
  derived: DerivedKinds = {};
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
    const list = async (kind: string) => (await readHelpers(this.home(), kind)).map((helper): KnownHelper => ({ kind, helper }));
    try {
      this.derived = await derivedKinds(this.home());
      this.all = (await Promise.all([...helperKinds, ...Object.keys(this.derived)].map(list))).flat();
    } catch {
      return; // the connection is lost; the next change, or the next visit, asks again
    }
    this.host.requestUpdate();
  }
}

// True if it is the entity of a helper, or one of them: a meter has one for each tariff.
export function isOf({ platform, unique_id }: { platform: string; unique_id: string }, { kind, helper }: KnownHelper): boolean {
  return platform === kind && (unique_id === helper.id || (!isHelperKind(kind) && unique_id.startsWith(`${helper.id}_`)));
}

// The entities of a helper, whatever their ids are by now: only the one that it is itself, if there is one.
export function entitiesOf(home: Pick<Home, "registry">, known: KnownHelper): { ids: string[]; isItself: boolean } {
  const all = [...home.registry.values()].filter((entity) => isOf(entity, known));
  const own = all.find(({ unique_id }) => unique_id === known.helper.id);
  return { ids: (own ? [own] : all).map(({ entity_id }) => entity_id), isItself: own !== undefined };
}
