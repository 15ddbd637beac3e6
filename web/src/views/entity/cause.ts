// SPDX-License-Identifier: Apache-2.0
// Who or what brought an entity into its state.
import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { t } from "../../i18n/catalogue";

interface User {
  id: string;
  name: string;
}

const users = new WeakMap<Home, Promise<Map<string, string>>>();

// The names of all users, for administrators; asked for once.
function namesOfUsers(home: Home): Promise<Map<string, string>> {
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

export async function causeOf(home: Home, entity: Entity): Promise<string> {
  const { user_id, parent_id } = entity.context;
  if (user_id === home.user.id) return t("entity.causeYou", { name: home.user.name });
  if (user_id) return (await namesOfUsers(home)).get(user_id) ?? t("entity.causeUser");
  if (parent_id) return t("entity.causeAutomation");
  return t(home.registry.get(entity.entity_id)?.device_id ? "entity.causeDevice" : "entity.causeHub");
}
