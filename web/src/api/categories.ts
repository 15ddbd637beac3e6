// SPDX-License-Identifier: Apache-2.0
// Categories of automations, scripts, scenes and helpers. The hub keeps them by scope; people see one category of a name, in whichever scopes it is.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import { kindOf, writtenKinds } from "./automations";
import type { Home, Unsubscribe } from "./home";

const scopes = [...writtenKinds, "helpers"] as const;
type Scope = (typeof scopes)[number];

const scopeOf = (entityId: string): Scope => kindOf(entityId) ?? "helpers";

export interface Category {
  scope: Scope;
  category_id: string;
  name: string;
  icon: string | null;
}

// All of them, kept current while the host is there.
export class CategoriesController implements ReactiveController {
  all: Category[] = [];
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
    this.listening = this.home()
      .connection.subscribeEvents(() => void this.load(), "category_registry_updated")
      .then((stop) => () => void stop().catch(() => undefined)) // a lost connection has no subscription
      .catch(() => undefined);
    void this.load();
  }

  hostDisconnected(): void {
    void this.listening?.then((stop) => stop?.());
    this.listening = undefined;
  }

  get names(): string[] {
    return namesOf(this.all);
  }

  of(entityId: string): string {
    return categoryOf(this.home(), this.all, entityId);
  }

  private async load(): Promise<void> {
    const list = async (scope: Scope) =>
      (await this.home().command<Omit<Category, "scope">[]>("config/category_registry/list", { scope })).map((each) => ({
        ...each,
        scope,
      }));
    this.all = await Promise.all(scopes.map(list)).then(
      (lists) => lists.flat(),
      () => this.all,
    );
    this.host.requestUpdate();
  }
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

// Each once, however many scopes have it.
export function namesOf(all: readonly Category[]): string[] {
  return all.map(({ name }) => name).filter((name, index, names) => names.findIndex((one) => same(one, name)) === index);
}

// The name of the entity's category; empty if it has none.
export function categoryOf({ registry }: Pick<Home, "registry">, all: readonly Category[], entityId: string): string {
  const scope = scopeOf(entityId);
  const id = registry.get(entityId)?.categories?.[scope];
  const name = all.find((each) => each.scope === scope && each.category_id === id)?.name;
  return name === undefined ? "" : (namesOf(all).find((one) => same(one, name)) ?? name);
}

type Commands = Pick<Home, "command">;

// Empty: it has none from then on. A category that a scope lacks is made there.
export async function setCategory(home: Commands, all: readonly Category[], entityIds: string[], name: string): Promise<void> {
  for (const scope of scopes) {
    const ids = entityIds.filter((id) => scopeOf(id) === scope);
    if (ids.length === 0) continue;
    const known = all.find((each) => each.scope === scope && same(each.name, name))?.category_id;
    const made = () => home.command<Category>("config/category_registry/create", { scope, name: name.trim() });
    const category = name.trim() === "" ? null : (known ?? (await made()).category_id);
    for (const entity_id of ids) await home.command("config/entity_registry/update", { entity_id, categories: { [scope]: category } });
  }
}

export async function renameCategory(home: Commands, all: readonly Category[], from: string, to: string): Promise<void> {
  for (const { scope, category_id, name } of all)
    if (same(name, from)) await home.command("config/category_registry/update", { scope, category_id, name: to.trim() });
}

// Its items stay, without a category.
export async function deleteCategory(home: Commands, all: readonly Category[], name: string): Promise<void> {
  for (const each of all)
    if (same(each.name, name)) await home.command("config/category_registry/delete", { scope: each.scope, category_id: each.category_id });
}
