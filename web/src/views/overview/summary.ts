// SPDX-License-Identifier: Apache-2.0
// What is on, open, unlocked or wrong among some entities, and how warm it is there.
import type { ReactiveController, ReactiveControllerHost } from "lit";

import type { Home, Unsubscribe } from "../../api/home";
import { numberOf } from "../../api/samples";
import type { Entity } from "../../api/types";
import { alertOf, countOf, counts, domainOf, type Count } from "../../cards/domains";
import { withUnit } from "../../cards/state_text";
import { formatNumber, t } from "../../i18n/catalogue";
import { silentAmong } from "./silent";

export interface Summary {
  counted: Record<Count, string[]>;
  alerts: string[];
  // One of each device that does not answer.
  silent: string[];
  // "21.5 °C"; empty if nothing measures it.
  temperature: string;
}

// A change is counted after this, together with those that come meanwhile; later if there is much to count. Milliseconds.
const patience = 250;
const longPatience = 1500;
const many = 500;
const pace = 60_000;

export function isThere(entity: Entity): boolean {
  return entity.state !== "unavailable" && entity.state !== "unknown";
}

// The entities that a summary tells of.
function counted(home: Home, ids: string[]): string[] {
  return ids.filter((id) => {
    const domain = domainOf(id.slice(0, id.indexOf(".")));
    if (id.startsWith("sensor.")) return ["temperature", "battery"].includes(String(home.entity(id)?.attributes.device_class));
    return domain?.counted !== undefined || domain?.alert !== undefined || id.startsWith("climate.");
  });
}

function temperatureIn({ entity_id, state, attributes }: Entity): number | undefined {
  if (entity_id.startsWith("climate."))
    return typeof attributes.current_temperature === "number" ? attributes.current_temperature : undefined;
  return attributes.device_class === "temperature" ? numberOf(state) : undefined;
}

// `all`: also those that are not counted, whose devices may not answer.
function summaryOf(home: Home, ids: string[], all: string[]): Summary {
  const summary: Summary = {
    counted: { lights: [], open: [], unlocked: [], playing: [] },
    alerts: [],
    silent: silentAmong(home, all, Date.now() / 1000),
    temperature: "",
  };
  let warmth: number | undefined;
  for (const id of ids) {
    const entity = home.entity(id);
    if (!entity || !isThere(entity)) continue;
    const count = countOf(entity);
    if (count) summary.counted[count].push(id);
    const alert = alertOf(entity);
    if (alert === "danger") summary.alerts.unshift(id);
    else if (alert) summary.alerts.push(id);
    if (warmth === undefined && home.registry.get(id)?.entity_category == null) warmth = temperatureIn(entity);
  }
  if (warmth !== undefined) {
    const unit = home.configuration.unit_system.temperature ?? "°C";
    summary.temperature = withUnit(formatNumber(warmth, { maximumFractionDigits: 1 }), unit);
  }
  return summary;
}

// "2 lights on", "1 open".
export function countText(count: Count, amount: number): string {
  return t(`summary.${count}`, { count: amount });
}

// Keeps the summary of some entities, and redraws its host when it changes.
export class SummaryController implements ReactiveController {
  summary: Summary | undefined;
  private ids: string[] | undefined;
  private telling: string[] = [];
  private stop: Unsubscribe | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly home: () => Home,
    private readonly wanted: () => string[],
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    queueMicrotask(() => {
      this.stop ??= this.home().on("any", () => {
        this.waiting ??= setTimeout(() => this.look(), this.telling.length > many ? longPatience : patience);
      });
      this.timer ??= setInterval(() => this.look(), pace); // a silence grows longer without a change
    });
  }

  hostUpdate(): void {
    const ids = this.wanted();
    if (ids === this.ids) return;
    this.ids = ids;
    this.telling = counted(this.home(), ids);
    this.summary = summaryOf(this.home(), this.telling, ids);
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
    clearTimeout(this.waiting);
    this.waiting = undefined;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    this.waiting = undefined;
    const summary = summaryOf(this.home(), this.telling, this.ids ?? []);
    if (JSON.stringify(summary) === JSON.stringify(this.summary)) return;
    this.summary = summary;
    this.host.requestUpdate();
  }
}

// What a summary says in words: "2 lights on · 1 open · 21.5 °C".
export function summaryText({ counted, temperature }: Summary): string {
  const said = counts.filter((count) => counted[count].length > 0).map((count) => countText(count, counted[count].length));
  return [...said, temperature].filter(Boolean).join(" · ");
}
