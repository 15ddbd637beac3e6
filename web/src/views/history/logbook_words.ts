// SPDX-License-Identifier: Apache-2.0
// The words of entries of the logbook: the cause of an automation, and devices that came into the home.
import type { Entry as EntityEntry } from "../../api/cause";
import { nameOnDevice } from "../../api/devices";
import type { Home } from "../../api/home";
import { stateText } from "../../cards/state_text";
import { maybeT, t } from "../../i18n/catalogue";

export interface Entry extends EntityEntry {
  name: string;
  entity_id?: string;
  // Of an automation: what triggered it, "state of light.hall".
  source?: string;
}

type Names = Pick<Home, "entity" | "nameOf">;

const simple = {
  "by hand": "logbook.byHand",
  time: "logbook.byTime",
  "time pattern": "logbook.byPattern",
  sunrise: "logbook.bySunrise",
  sunset: "logbook.bySunset",
  template: "logbook.byTemplate",
} as const;

// The trigger of an automation, in the page's language; `stateOf` tells the state of an entity then.
export function sourceText(home: Names, source: string, stateOf: (id: string) => string | undefined): string {
  if (source === "by hand") return t("logbook.byHand");
  const by = (cause: string) => t("logbook.by", { cause });
  if (Object.hasOwn(simple, source)) return by(t(simple[source as keyof typeof simple]));
  const id = /^(?:numeric )?state of (\S+)$/.exec(source)?.[1];
  if (id) {
    const [entity, state] = [home.entity(id), stateOf(id)];
    const name = home.nameOf(id);
    return by(state === undefined ? name : t("logbook.byState", { name, state: entity ? stateText(home as Home, entity, state) : state }));
  }
  const calendar = /^calendar (\S+)$/.exec(source)?.[1];
  if (calendar) return by(t("logbook.byCalendar", { name: home.nameOf(calendar) }));
  const sentence = /^sentence '(.*)'$/s.exec(source)?.[1];
  if (sentence !== undefined) return by(t("logbook.bySentence", { text: sentence }));
  const event = /^event '?([^']+)'?$/.exec(source)?.[1];
  return by(event === undefined ? source : t("logbook.byEvent", { name: event }));
}

// The change of the thing that an entry is about. `stateOf`: of another one, then.
export function whatText(
  home: Names,
  { entity_id, state, message = "", source }: Entry,
  stateOf: (id: string) => string | undefined,
): string {
  if (state === undefined)
    return source ? `${t("logbook.triggered")} ${sourceText(home, source, stateOf)}` : (maybeT(`logbook.${message}`) ?? message);
  const entity = entity_id === undefined ? undefined : home.entity(entity_id);
  return entity ? stateText(home as Home, entity, state) : state;
}

// So long after a device its entities come with their first states, in seconds.
const joining = 10;

export type Row<Of extends Entry> = Of | { added: string; when: number; names: string[] };

// The device that an entry's entity came with, just then; not if somebody is behind it.
function joined(
  home: Pick<Home, "registry" | "devices">,
  { entity_id, state, when, context_user_id, context_name }: Entry,
): string | undefined {
  if (entity_id === undefined || state === undefined || context_user_id !== undefined || context_name !== undefined) return undefined;
  const device = home.devices.get(home.registry.get(entity_id)?.device_id ?? "");
  const isNew = device !== undefined && device.created_at > 0 && when >= device.created_at - 1 && when <= device.created_at + joining;
  return isNew ? device.id : undefined;
}

// With the first states of a device that came as one row. In the order of the entries.
export function withAdded<Of extends Entry>(home: Pick<Home, "registry" | "devices" | "nameOf">, entries: Of[]): Row<Of>[] {
  const rows: Row<Of>[] = [];
  const added = new Map<string, { added: string; when: number; names: string[] }>();
  // The last states of its entities: the first that they know follows "unknown".
  const states = new Map<string, string>();
  const isFirst = ({ entity_id = "" }: Entry) => ["unknown", "unavailable"].includes(states.get(entity_id) ?? "unknown");
  for (const entry of entries) {
    const device = isFirst(entry) ? joined(home, entry) : undefined;
    if (entry.entity_id !== undefined && entry.state !== undefined) states.set(entry.entity_id, entry.state);
    if (device === undefined) {
      rows.push(entry);
      continue;
    }
    let row = added.get(device);
    if (!row) {
      row = { added: device, when: entry.when, names: [] };
      added.set(device, row);
      rows.push(row);
    }
    const known = home.devices.get(device);
    const name = known && entry.entity_id ? nameOnDevice(home as Home, entry.entity_id, known) : entry.name;
    if (!row.names.includes(name)) row.names.push(name);
  }
  return rows;
}
