// SPDX-License-Identifier: Apache-2.0
// Counts of things that are on, open, unlocked or wrong among some entities, and how warm it is there.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Alert } from "../../api/alerts";
import type { Home, Unsubscribe } from "../../api/home";
import type { Entity } from "../../api/types";
import { countOf, counts, domainOf, type Count } from "../../cards/domains";
import { withUnit } from "../../cards/state_text";
import { formatNumber, t } from "../../i18n/catalogue";
import { numberOf } from "../../api/samples";
import { temperatureIn, thermometersIn } from "./room_temperature";

// The people at one place. `zone` is "home", "not_home" or the name of a zone.
export interface Place {
  zone: string;
  names: string[];
}

export interface Summary {
  counted: Record<Count, string[]>;
  // The entities of what needs attention, danger first, without what this user has snoozed; and these alerts themselves.
  alerts: string[];
  told: Alert[];
  // How many others are snoozed.
  snoozed: number;
  // Where the persons are that say so, at home first; of the whole home only.
  places: Place[];
  // "21.5 °C"; empty if nothing measures it.
  temperature: string;
  // "45 %"; empty if none was chosen.
  humidity: string;
}

// A change is counted after this, together with those that come meanwhile; later if there is much to count. Milliseconds.
const patience = 250;
const longPatience = 1500;
const many = 500;

export function isThere(entity: Entity): boolean {
  return entity.state !== "unavailable" && entity.state !== "unknown";
}

// The parts of a room's summary that change with its structure alone.
interface Counted {
  ids: string[];
  thermometers: string[];
  // The sensor that was chosen for the room.
  hygrometer: string | undefined;
  // Rooms; null for what is in none.
  areas: Set<string | null>;
  persons: string[];
}

function countedOf(home: Home, ids: string[], isAll: boolean): Counted {
  return {
    ids: ids.filter((id) => domainOf(id.slice(0, id.indexOf(".")))?.counted !== undefined),
    thermometers: thermometersIn(home, ids),
    hygrometer: (ids[0] !== undefined && home.areaOf(ids[0])?.humidity_entity_id) || undefined,
    areas: new Set(ids.map((id) => home.areaOf(id)?.area_id ?? null)),
    persons: isAll ? [...home.entities.keys()].filter((id) => id.startsWith("person.")) : [],
  };
}

const order = (zone: string) => (zone === "home" ? 0 : zone === "not_home" ? 2 : 1);

export function placesOf(home: Pick<Home, "entity" | "nameOf">, persons: string[]): Place[] {
  const places = new Map<string, string[]>();
  for (const id of persons) {
    const entity = home.entity(id);
    if (entity && isThere(entity)) places.set(entity.state, [...(places.get(entity.state) ?? []), home.nameOf(id)]);
  }
  return [...places].map(([zone, names]) => ({ zone, names: names.sort() })).sort((a, b) => order(a.zone) - order(b.zone));
}

function summaryOf(home: Home, { ids, thermometers, hygrometer, areas, persons }: Counted, isAll: boolean): Summary {
  const summary: Summary = {
    counted: { lights: [], open: [], unlocked: [], playing: [] },
    alerts: [],
    told: [],
    snoozed: 0,
    places: placesOf(home, persons),
    temperature: "",
    humidity: "",
  };
  for (const id of ids) {
    const entity = home.entity(id);
    const count = entity && isThere(entity) && countOf(entity);
    if (count) summary.counted[count].push(id);
  }
  for (const alert of home.alerts.values()) {
    if (!isAll && !areas.has(alert.area_id)) continue;
    if (alert.snoozed_until) {
      summary.snoozed += 1;
      continue;
    }
    summary.alerts.push(alert.entity_id);
    summary.told.push(alert);
  }
  const unit = home.configuration.unit_system.temperature ?? "°C";
  const warmth = temperatureIn(home, thermometers, unit);
  if (warmth !== undefined) summary.temperature = withUnit(formatNumber(warmth, { maximumFractionDigits: 1 }), unit);
  const damp = hygrometer === undefined ? undefined : home.entity(hygrometer);
  const share = damp && numberOf(damp.state);
  if (share !== undefined) summary.humidity = withUnit(formatNumber(share, { maximumFractionDigits: 0 }), "%");
  return summary;
}

// "2 lights on", "1 open".
export function countText(count: Count, amount: number): string {
  return t(`summary.${count}`, { count: amount });
}

// Keeps the summary of some entities, and redraws its host when it changes. Alerts are those of their rooms, also of entities that have
// no card; with `isAll`, all that there are.
export class SummaryController implements ReactiveController {
  summary: Summary | undefined;
  private ids: string[] | undefined;
  private telling: Counted = { ids: [], thermometers: [], hygrometer: undefined, areas: new Set(), persons: [] };
  private stops: Unsubscribe[] = [];
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
    private readonly wanted: () => string[],
    private readonly isAll = false,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    queueMicrotask(() => {
      if (this.stops.length > 0) return;
      this.stops = [
        this.home().on("any", () => {
          this.waiting ??= setTimeout(() => this.look(), this.telling.ids.length > many ? longPatience : patience);
        }),
        this.home().on("alerts", () => this.look()),
      ];
    });
  }

  hostUpdate(): void {
    const ids = this.wanted();
    if (ids === this.ids) return;
    this.ids = ids;
    this.telling = countedOf(this.home(), ids, this.isAll);
    this.summary = summaryOf(this.home(), this.telling, this.isAll);
  }

  hostDisconnected(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private look(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    if (this.ids === undefined) return;
    const summary = summaryOf(this.home(), this.telling, this.isAll);
    if (JSON.stringify(summary) === JSON.stringify(this.summary)) return;
    this.summary = summary;
    this.host.requestUpdate();
  }
}

// A summary in words: "2 lights on · 1 open · 21.5 °C · 45 %".
export function summaryText({ counted, temperature, humidity }: Summary): string {
  const said = counts.filter((count) => counted[count].length > 0).map((count) => countText(count, counted[count].length));
  return [...said, temperature, humidity].filter(Boolean).join(" · ");
}
