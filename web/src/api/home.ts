// SPDX-License-Identifier: Apache-2.0
// The home as this page knows it: one connection, the states, the registries, the user; kept current, and telling who listens.
import { createConnection, ERR_INVALID_AUTH, type Auth, type Connection } from "home-assistant-js-websocket";

import { changedAlerts, type Alert, type AlertChanges } from "./alerts";
import { apply, type EntityChanges } from "./entity_table";
import { isCommandError, isPinNeeded, RestError } from "./errors";
import { LayoutStore } from "./layout_store";
import { Lists, readKinds, type RegistryLists } from "./lists";
import { Reading } from "./reading";
import { RecentValues } from "./recent_values";
import { Registry, replace } from "./registry";
import { fetchAs } from "./session";
import { createSocket, wasRefused } from "./socket";
import type { Area, Attributes, Context, CurrentUser, Device, Entity, Floor, HomeConfiguration, Kind, RegisteredEntity } from "./types";

type Listener = () => void;

// Milliseconds.
const patience = 100;
export type Unsubscribe = () => void;

export type ConnectionState = "connected" | "lost";

export interface Target {
  entity_id?: string | string[];
  area_id?: string | string[];
}

// A service that somebody has called here.
export interface Asked {
  domain: string;
  service: string;
  data: Attributes;
  target: Target | undefined;
  // The states when it was called.
  before: ReadonlyMap<string, Entity>;
  // The context of its changes.
  done: Promise<Context>;
  // It brings back what was before another call.
  takesBack: boolean;
  // Of several calls that are one thing to people, and taken back together: settles after the last of them.
  batch: Promise<unknown> | undefined;
}

interface Calling {
  takesBack?: boolean;
  batch?: Promise<unknown> | undefined;
}

// The data of `…_registry_updated`.
interface RegistryEvent {
  data: { area_id?: string; floor_id?: string; device_id?: string; entity_id?: string; old_entity_id?: string };
}

export class Home {
  private readonly registries = {
    area: this.registryOf<Area>("area", ({ area_id }) => area_id),
    floor: this.registryOf<Floor>("floor", ({ floor_id }) => floor_id),
    device: this.registryOf<Device>("device", ({ id }) => id),
    entity: this.registryOf<RegisteredEntity>(
      "entity",
      ({ entity_id }) => entity_id,
      (entity_id) => this.found("config/entity_registry/get", { entity_id }),
      { registered_only: true },
    ),
  };
  readonly entities = new Map<string, Entity>();
  readonly areas = this.registries.area.items;
  readonly floors = this.registries.floor.items;
  readonly devices = this.registries.device.items;
  // Without the entities that clients write and nobody has edited: a home may have very many of them.
  readonly registry = this.registries.entity.items;
  // Values and services of the entities of a domain; empty if the hub does not tell.
  readonly kinds = new Map<string, Kind>();
  // The last values of each numeric sensor since the page was opened.
  readonly recent = new RecentValues();
  // The alerts, by entity, the gravest first.
  alerts: ReadonlyMap<string, Alert> = new Map();
  // How the home is arranged for this person.
  readonly layouts: LayoutStore;
  configuration!: HomeConfiguration;
  user!: CurrentUser;
  connectionState: ConnectionState = "connected";
  // Told of each service that is called here.
  onCall: ((asked: Asked) => void) | undefined;
  // Asks for the PIN that the hub demands for a call, and does it with that; rejects with Cancelled.
  onPin: (<T>(asked: Pick<Asked, "service" | "data" | "target">, send: (pin: string) => Promise<T>) => Promise<T>) | undefined;

  private entityListeners = new Map<string, Set<Listener>>();
  private listeners = {
    any: new Set<Listener>(),
    structure: new Set<Listener>(),
    connection: new Set<Listener>(),
    alerts: new Set<Listener>(),
  };
  private nextIsFresh = false;
  private itemChanges = new Map<string, number>();
  private reconnections = 0;
  private readonly settings = new Reading(() => this.readSettings());

  private constructor(
    readonly auth: Auth,
    readonly connection: Connection,
    private readonly lists: Lists,
  ) {
    this.layouts = new LayoutStore(connection, this.registry);
    this.on("structure", () => this.layouts.resolve());
  }

  // Connects and returns when everything is there. Rejects with ERR_INVALID_AUTH if the session is no longer valid. What else is
  // to be read before, `also` reads: all questions leave together. What is long comes over HTTP, where it is compressed and may be in
  // the browser's cache, while the connection is being made.
  static async open(auth: Auth, also?: (home: Home) => Promise<unknown>): Promise<Home> {
    const lists = new Lists(auth);
    const first = lists.read();
    first.catch(() => undefined); // it is read again then, when there is a connection
    const kindsRead = readKinds();
    const connection = await createConnection({ auth, setupRetry: -1, createSocket });
    const home = new Home(auth, connection, lists);
    connection.addEventListener("disconnected", () => home.setConnection("lost"));
    connection.addEventListener("ready", () => {
      home.setConnection("connected");
      void home.load().catch(() => undefined); // it was lost again, and will be ready again
      void home.learnKinds(readKinds());
    });
    const known = Promise.all([home.follow(), home.load(first.catch(() => lists.read())), also?.(home)]);
    const kinds = home.learnKinds(kindsRead);
    try {
      await known;
    } catch (error) {
      home.close();
      throw wasRefused(auth) ? ERR_INVALID_AUTH : error;
    }
    void home.loadLists(lists.read()).catch(() => undefined); // they may have changed before they were followed
    // Over a slow line the pages show first what they can show without them.
    await Promise.race([kinds, new Promise((resume) => setTimeout(resume, patience))]);
    return home;
  }

  close(): void {
    this.connection.close();
  }

  entity(id: string): Entity | undefined {
    return this.entities.get(id);
  }

  // The name for people: what the user or the integration calls it, else its id.
  nameOf(id: string): string {
    const friendly = this.entities.get(id)?.attributes.friendly_name;
    const registered = this.registry.get(id);
    const name = registered?.name ?? (typeof friendly === "string" ? friendly : undefined) ?? registered?.original_name;
    return name?.trim() || id;
  }

  // The area of an entity, or of its device.
  areaOf(id: string): Area | undefined {
    const registered = this.registry.get(id);
    if (!registered) return undefined;
    const device = registered.device_id ? this.devices.get(registered.device_id) : undefined;
    const area = registered.area_id ?? device?.area_id;
    return area ? this.areas.get(area) : undefined;
  }

  // Another one whenever the entity's items, such as those of a to-do list, may have changed.
  itemsVersion(id: string): number {
    return (this.itemChanges.get(id) ?? 0) + this.reconnections;
  }

  private noteItems(id: string): void {
    this.itemChanges.set(id, (this.itemChanges.get(id) ?? 0) + 1);
    this.tellOf(id);
  }

  onEntity(id: string, listener: Listener): Unsubscribe {
    const set = this.entityListeners.get(id) ?? new Set();
    this.entityListeners.set(id, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.entityListeners.get(id) === set) this.entityListeners.delete(id);
    };
  }

  // "any": some state has changed. "structure": entities came or went, or names, areas, devices, the configuration or the user changed.
  // "connection": it was lost or is back. "alerts": they are others.
  on(topic: keyof Home["listeners"], listener: Listener): Unsubscribe {
    this.listeners[topic].add(listener);
    return () => this.listeners[topic].delete(listener);
  }

  // Sends a command of the WebSocket API. Rejects with {code, message}; errorText() makes a sentence of it.
  command<T>(type: string, data: object = {}): Promise<T> {
    return this.connection.sendMessagePromise<T>({ type, ...data });
  }

  async call(
    domain: string,
    service: string,
    data: object = {},
    target?: Target,
    { takesBack = false, batch }: Calling = {},
  ): Promise<void> {
    const before = new Map(this.entities);
    const send = (pin: { pin?: string } = {}) =>
      this.command<{ context: Context }>("call_service", { domain, service, service_data: { ...data, ...pin }, ...(target && { target }) });
    const done = send()
      .catch((error: unknown) => {
        if (!this.onPin || !isPinNeeded(error)) throw error;
        return this.onPin({ service, data: data as Attributes, target }, (pin) => send({ pin }));
      })
      .then(({ context }) => context);
    this.onCall?.({ domain, service, data: data as Attributes, target, before, done, takesBack, batch });
    await done;
  }

  // Calls the REST interface with the session's token. Throws RestError where the answer is no success.
  async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.fetch(method, path, body === undefined ? undefined : JSON.stringify(body));
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    const answer: unknown = isJson ? JSON.parse(text) : text;
    if (!response.ok) {
      throw new RestError(response.status, (answer as { message?: string }).message ?? response.statusText);
    }
    return answer as T;
  }

  // The same without judging the answer.
  fetch(method: string, path: string, body?: string | URLSearchParams): Promise<Response> {
    return fetchAs(this.auth, path, { method, ...(body !== undefined && { body }) });
  }

  // Reads again what registries, configuration and user are, or takes the lists that have just been asked for.
  async load(asked = this.lists.read()): Promise<void> {
    await Promise.all([this.loadLists(asked), this.settings.again()]);
  }

  private async loadLists(asked: Promise<RegistryLists | undefined>): Promise<void> {
    const { area, floor, device, entity } = this.registries;
    const part = <Name extends keyof RegistryLists>(name: Name) => asked.then((lists) => lists?.[name]);
    await Promise.all([area.load(part("areas")), floor.load(part("floors")), device.load(part("devices")), entity.load(part("entities"))]);
  }

  private async readSettings(): Promise<void> {
    [this.configuration, this.user] = await Promise.all([
      this.command<HomeConfiguration>("get_config"),
      this.command<CurrentUser>("auth/current_user"),
    ]);
    this.tell("structure");
  }

  // Once per connection: the hub may be another version after it.
  private async learnKinds(read: Promise<Kind[] | undefined>): Promise<void> {
    const kinds = await read;
    if (!kinds) return;
    replace(this.kinds, kinds, ({ domain }) => domain);
    this.tell("structure");
  }

  private registryOf<T>(
    name: string,
    key: (item: T) => string,
    one?: (id: string) => Promise<T | undefined>,
    which: object = {},
  ): Registry<T> {
    const list = () => this.command<T[]>(`config/${name}_registry/list`, which);
    return new Registry<T>({ key, list, ...(one && { one }) }, (ids) => {
      // Its name and icon may be others; the state that came with the event was drawn with the old ones.
      if (name === "entity") for (const id of ids ?? [...this.entityListeners.keys()]) this.tellOf(id);
      this.tell("structure");
    });
  }

  // The result of a command; undefined if there is no such thing.
  private async found<T>(type: string, data: object): Promise<T | undefined> {
    try {
      return await this.command<T>(type, data);
    } catch (error) {
      if (isCommandError(error) && error.code === "not_found") return undefined;
      throw error;
    }
  }

  // Follows all changes. What is asked for after this call cannot be older than what it tells.
  private async follow(): Promise<void> {
    const changes = Object.entries(this.registries).map(([name, registry]) =>
      this.connection.subscribeEvents<RegistryEvent>(({ data }) => {
        this.lists.noteChange();
        const named = [data[`${name as keyof Home["registries"]}_id`], data.old_entity_id];
        registry.note(named.filter((id) => id !== undefined));
      }, `${name}_registry_updated`),
    );
    const settings = this.connection.subscribeEvents(() => void this.settings.again().catch(() => undefined), "core_config_updated");
    const items = this.connection.subscribeEvents<{ data: { entity_id?: string } }>(({ data }) => {
      if (data.entity_id) this.noteItems(data.entity_id);
    }, "collection_updated");
    await Promise.all([...changes, settings, items, this.followEntities(), this.followAlerts()]);
  }

  private async followEntities(): Promise<void> {
    this.nextIsFresh = true;
    await new Promise<void>((resolve, reject) => {
      this.connection
        .subscribeMessage<EntityChanges>(
          (changes) => {
            this.applyChanges(changes);
            resolve();
          },
          { type: "subscribe_entities" },
        )
        .catch(reject);
    });
  }

  private async followAlerts(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.connection
        .subscribeMessage<AlertChanges>(
          (changes) => {
            this.applyAlerts(changes);
            resolve();
          },
          { type: "alerts/subscribe" },
        )
        .catch(reject);
    });
  }

  private applyAlerts(changes: AlertChanges): void {
    const former = this.alerts;
    this.alerts = changedAlerts(former, changes);
    this.tell("alerts");
    // Cards have their grade.
    for (const id of new Set([...former.keys(), ...this.alerts.keys()])) {
      if (former.get(id)?.grade !== this.alerts.get(id)?.grade) this.tellOf(id);
    }
  }

  private applyChanges(changes: EntityChanges): void {
    const applied = apply(this.entities, changes, this.nextIsFresh);
    this.nextIsFresh = false;
    for (const id of applied.changed) {
      const entity = this.entities.get(id);
      if (entity) this.recent.add(entity);
      else this.recent.forget(id);
      this.tellOf(id);
    }
    if (applied.membership) this.tell("structure");
    if (applied.changed.length > 0) this.tell("any");
  }

  private setConnection(state: ConnectionState): void {
    // After a reconnection the library subscribes again, and the first event has everything.
    if (state === "lost") {
      this.nextIsFresh = true;
      this.reconnections += 1;
    }
    if (this.connectionState === state) return;
    this.connectionState = state;
    this.tell("connection");
  }

  private tellOf(id: string): void {
    for (const listener of [...(this.entityListeners.get(id) ?? [])]) listener();
  }

  private tell(topic: keyof Home["listeners"]): void {
    for (const listener of [...this.listeners[topic]]) listener();
  }
}
