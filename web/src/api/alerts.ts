// SPDX-License-Identifier: Apache-2.0
// The alerts, as `alerts/subscribe` tells of them: docs/overview.md says what is in it.

export interface Alert {
  alert_id: string;
  kind: string;
  grade: "danger" | "warning";
  // Of a device that does not answer: one of its entities.
  entity_id: string;
  device_id: string | null;
  area_id: string | null;
  // ISO times.
  since: string;
  // This user does not want to see it until then.
  snoozed_until: string | null;
}

// The first one has `alerts`, which is everything.
export interface AlertChanges {
  alerts?: Alert[];
  changed?: Alert[];
  removed?: string[];
}

// The table of alerts by entity after some changes. One entity has one alert.
export function changedAlerts(
  alerts: ReadonlyMap<string, Alert>,
  { alerts: all, changed = [], removed = [] }: AlertChanges,
): Map<string, Alert> {
  const byId = new Map<string, Alert>();
  if (!all) for (const alert of alerts.values()) byId.set(alert.alert_id, alert);
  for (const id of removed) byId.delete(id);
  for (const alert of [...(all ?? []), ...changed]) byId.set(alert.alert_id, alert);
  return new Map([...byId.values()].sort(compare).map((alert) => [alert.entity_id, alert]));
}

// Danger first, then the latest.
function compare(one: Alert, other: Alert): number {
  if (one.grade !== other.grade) return one.grade === "danger" ? -1 : 1;
  return one.since === other.since ? (one.alert_id < other.alert_id ? -1 : 1) : one.since < other.since ? 1 : -1;
}

// The entities of one kind of alerts, without those that this user has snoozed.
export function idsOf(alerts: Iterable<Alert>, kind: string): string[] {
  return [...alerts].filter((alert) => alert.kind === kind && !alert.snoozed_until).map(({ entity_id }) => entity_id);
}

// True if the hub tells of a low battery in the device of an entity.
export function hasLowBattery(
  home: { alerts: ReadonlyMap<string, Alert>; registry: ReadonlyMap<string, { device_id: string | null }> },
  entityId: string,
): boolean {
  const { alerts, registry } = home;
  const device = registry.get(entityId)?.device_id;
  const isOfIt = ({ kind, entity_id }: Alert) => kind === "battery" && registry.get(entity_id)?.device_id === device;
  return typeof device === "string" && [...alerts.values()].some(isOfIt);
}

export interface AlertGroup {
  kind: string;
  grade: Alert["grade"];
  alerts: Alert[];
}

// Each danger by itself, and then warnings by their kind, in the order of the first of each.
export function groupsOf(alerts: Iterable<Alert>): AlertGroup[] {
  const groups: AlertGroup[] = [];
  const byKind = new Map<string, AlertGroup>();
  for (const alert of alerts) {
    const { kind, grade } = alert;
    const group = grade === "danger" ? undefined : byKind.get(kind);
    if (group) {
      group.alerts.push(alert);
      continue;
    }
    const made = { kind, grade, alerts: [alert] };
    if (grade === "warning") byKind.set(kind, made);
    groups.push(made);
  }
  return groups;
}
