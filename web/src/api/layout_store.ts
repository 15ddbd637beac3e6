// SPDX-License-Identifier: Apache-2.0
// The layout that is in force on this screen, and where it is kept: as data of this user, or of the home as a whole.
import type { Connection } from "home-assistant-js-websocket";

import { readLayout, withNames, writeLayout, type Layout } from "./layout";
import type { RegisteredEntity } from "./types";

// Of this screen alone; of this person on all others; of everybody who has arranged nothing.
export type Scope = "screen" | "person" | "home";

const key = "hearth.layout";
// In the browser's storage: the name of this screen, if its person wants a layout of its own here.
const screenKey = "hearth.screen";

// Why nothing was kept: another screen was quicker. What is in force is the newer one.
export class LayoutChanged extends Error {}

type Listener = () => void;

function nameOfScreen(): string | undefined {
  const name = localStorage.getItem(screenKey) ?? "";
  return /^[0-9a-f]{8}$/.test(name) ? name : undefined;
}

export class LayoutStore {
  private readonly values: Record<Scope, unknown> = { screen: null, person: null, home: null };
  private readonly listeners = new Set<Listener>();
  private screen = nameOfScreen();
  private stopScreen: (() => Promise<void>) | undefined;
  layout: Layout = {};
  // It was written by pages of another version.
  isForeign = false;
  // Whose layout is in force; undefined if nobody has arranged anything.
  scope: Scope | undefined;

  // The hub keeps an entity's id in the registry, so that it has its place under another entity id, too. What is not there, or was
  // kept by earlier pages, is named by its entity id.
  constructor(
    private readonly connection: Connection,
    private readonly registry: ReadonlyMap<string, RegisteredEntity>,
  ) {}

  // Resolves when the layout is known, and follows it from then on.
  async follow(): Promise<void> {
    await Promise.all([
      this.subscribe("person", "frontend/subscribe_user_data", key),
      this.subscribe("home", "frontend/subscribe_system_data", key),
      this.followScreen(),
    ]);
  }

  on(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Whose layout a change is kept in.
  get ownScope(): "screen" | "person" {
    return this.screen ? "screen" : "person";
  }

  // Keeps a layout that was made of the one in force. Rejects with LayoutChanged if that is another by now.
  async keep(layout: Layout, scope: Scope = this.ownScope): Promise<void> {
    const value = writeLayout(withNames(layout, (id) => this.registry.get(id)?.id ?? id));
    if (scope === "home") await this.send("frontend/set_system_data", { key, value });
    else {
      const former = this.values[scope];
      await this.send("frontend/set_user_data", { key: this.keyOf(scope), value, former }).catch((error: unknown) => {
        throw (error as { code?: unknown } | null)?.code === "conflict" ? new LayoutChanged() : error;
      });
    }
    this.take(scope, value);
  }

  // Gives this screen a layout of its own, which begins as the one in force, or takes it away.
  async useOwn(isOwn: boolean): Promise<void> {
    if (isOwn === (this.screen !== undefined)) return;
    if (isOwn) {
      const { layout } = this;
      this.screen = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      localStorage.setItem(screenKey, this.screen);
      await this.followScreen();
      return this.keep(layout, "screen");
    }
    await this.send("frontend/set_user_data", { key: this.keyOf("screen"), value: null });
    localStorage.removeItem(screenKey);
    void this.stopScreen?.().catch(() => undefined);
    this.screen = undefined;
    this.take("screen", null);
  }

  private keyOf(scope: "screen" | "person"): string {
    return scope === "screen" && this.screen ? `${key}.${this.screen}` : key;
  }

  private async followScreen(): Promise<void> {
    if (this.screen) this.stopScreen = await this.subscribe("screen", "frontend/subscribe_user_data", this.keyOf("screen"));
  }

  private send(type: string, data: object): Promise<unknown> {
    return this.connection.sendMessagePromise({ type, ...data });
  }

  private async subscribe(scope: Scope, type: string, name: string): Promise<() => Promise<void>> {
    let first: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (first = resolve));
    const stop = await this.connection.subscribeMessage<{ value: unknown }>(
      ({ value }) => {
        this.take(scope, value);
        first();
      },
      { type, key: name },
    );
    await told;
    return stop;
  }

  private take(scope: Scope, value: unknown): void {
    this.values[scope] = value;
    const { screen, person, home } = this.values;
    this.scope = screen !== null && this.screen ? "screen" : person !== null ? "person" : home !== null ? "home" : undefined;
    this.resolve();
    for (const listener of [...this.listeners]) listener();
  }

  // After changes of the registry. Its listeners draw again anyway.
  resolve(): void {
    const { layout, isForeign } = readLayout(this.scope && this.values[this.scope]);
    const now = new Map<string, string>();
    for (const { id, entity_id } of this.registry.values()) if (id) now.set(id, entity_id);
    this.layout = withNames(layout, (id) => now.get(id) ?? id);
    this.isForeign = isForeign;
  }
}
