// SPDX-License-Identifier: Apache-2.0
// The cause of a change of an entity.
import { t } from "../i18n/catalogue";
import type { Home } from "./home";
import type { Entity } from "./types";

interface User {
  id: string;
  name: string;
}

const users = new WeakMap<Home, Promise<Map<string, string>>>();

// The names of all users, for administrators; asked for once.
export function namesOfUsers(home: Home): Promise<Map<string, string>> {
  if (!home.user.is_admin) return Promise.resolve(new Map());
  let names = users.get(home);
  if (!names) {
    names = home.command<User[]>("config/auth/list").then(
      (list) => new Map(list.map(({ id, name }) => [id, name])),
      () => {
        users.delete(home);
        return new Map<string, string>();
      },
    );
    users.set(home, names);
  }
  return names;
}

// An entry of the logbook about an entity.
export interface Entry {
  // Seconds since 1970.
  when: number;
  state?: string;
  message?: string;
  context_user_id?: string;
  // The name of the cause: an automation, a script, another entity.
  context_name?: string;
  context_entity_id_name?: string;
}

export function logbook(home: Home, id: string, start: number, end: number, more: object = {}): Promise<Entry[]> {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  return home.command<Entry[]>("logbook/get_events", { start_time: iso(start), end_time: iso(end), entity_ids: [id], ...more });
}

export async function nameOfUser(home: Home, id: string): Promise<string> {
  if (id === home.user.id) return t("entity.causeYou", { name: home.user.name });
  return (await namesOfUsers(home)).get(id) ?? t("entity.causeUser");
}

// The person or thing behind an entry; undefined if nobody is known.
export async function causeOfEntry(home: Home, entry: Entry): Promise<string | undefined> {
  if (entry.context_user_id) return nameOfUser(home, entry.context_user_id);
  return entry.context_name ?? entry.context_entity_id_name;
}

// The person or thing that brought the entity into its present state.
export async function causeOf(home: Home, entity: Entity): Promise<string> {
  const { id, user_id, parent_id } = entity.context;
  if (user_id) return nameOfUser(home, user_id);
  if (parent_id) {
    const time = entity.last_changed;
    const [entry] = await logbook(home, entity.entity_id, time - 1, time + 1, { context_id: id }).catch(() => []);
    return (entry && (await causeOfEntry(home, entry))) ?? t("entity.causeAutomation");
  }
  return t(home.registry.get(entity.entity_id)?.device_id ? "entity.causeDevice" : "entity.causeHub");
}
