// SPDX-License-Identifier: Apache-2.0
import type { User } from "../../../api/types";

export type Role = "administrator" | "user" | "reader";

// The hub knows roles as groups here.
export const groups: Record<Role, string> = {
  administrator: "system-admin",
  user: "system-users",
  reader: "system-read-only",
};

export const roles = Object.keys(groups) as Role[];

export function roleOf(user: Pick<User, "group_ids">): Role {
  return roles.find((role) => user.group_ids.includes(groups[role])) ?? "reader";
}
