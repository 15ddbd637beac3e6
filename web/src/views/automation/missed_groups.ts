// SPDX-License-Identifier: Apache-2.0
import type { Missed } from "../../api/traces";

// Several times that the same automation missed for the same reason, with nothing of others in between.
export interface MissedGroup {
  entity_id: string;
  why: string;
  newest: string;
  oldest: string;
  count: number;
}

// Of the hub's list, in which what was noticed last is the first. After a start that is one automation after the other, whenever their
// times were; here the newest comes first.
export function groupsOf(missed: Missed[]): MissedGroup[] {
  const groups: MissedGroup[] = [];
  for (const { entity_id, why, at } of missed) {
    const last = groups.at(-1);
    if (last?.entity_id === entity_id && last.why === why) {
      last.oldest = at;
      last.count += 1;
    } else groups.push({ entity_id, why, newest: at, oldest: at, count: 1 });
  }
  return groups.sort((one, other) => Date.parse(other.newest) - Date.parse(one.newest));
}
