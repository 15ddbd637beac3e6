// SPDX-License-Identifier: Apache-2.0
import type { Missed } from "../api/traces";

// Several times that the same automation missed for the same reason.
export interface MissedGroup {
  entity_id: string;
  why: string;
  newest: string;
  oldest: string;
  count: number;
}

// Of the hub's list, whose newest is the first: what one automation missed for one reason is one row, until it missed something for
// another.
export function groupsOf(missed: Missed[]): MissedGroup[] {
  const groups: MissedGroup[] = [];
  const lastOf = new Map<string, MissedGroup>();
  for (const { entity_id, why, at } of missed) {
    const last = lastOf.get(entity_id);
    if (last?.why === why) {
      last.oldest = at;
      last.count += 1;
      continue;
    }
    const group = { entity_id, why, newest: at, oldest: at, count: 1 };
    lastOf.set(entity_id, group);
    groups.push(group);
  }
  return groups;
}
