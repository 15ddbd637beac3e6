// SPDX-License-Identifier: Apache-2.0
// The last hours of sensors whose cards are seen. They are asked for together, as statistics of five minutes: many cards appear at once,
// and a sensor may report each second. From then on they go on with what the home reports.
import type { Home } from "../api/home";
import { recentSpan } from "../api/recent_values";
import { periodsOf, type Period } from "./sparkline";

// How long an answer is good for, in milliseconds; but not beyond a lost connection.
const fresh = 30 * 60 * 1000;
// Cards that are scrolled past are not asked for.
const patience = 250;
const most = 200;

interface Statistics {
  // Milliseconds since 1970.
  end: number;
  mean?: number;
  min?: number;
  max?: number;
  // Of totals, which have no mean.
  state?: number;
}

class RecentHistory {
  private known = new Map<string, { periods: Period[]; until: number }>();
  private watched = new Map<string, Set<() => void>>();
  private wanted = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly home: Home) {
    home.on("connection", () => {
      for (const one of this.known.values()) one.until = 0;
      if (home.connectionState === "connected") for (const id of this.watched.keys()) this.want(id);
    });
  }

  // The last hours, as far as they are known; undefined until the hub has been asked.
  of(id: string, now: number): Period[] | undefined {
    const recorded = this.known.get(id)?.periods;
    return recorded && periodsOf(recorded, this.home.recent.of(id), now);
  }

  // Has it asked for, and calls `done` when it is there, until what is returned is called.
  watch(id: string, done: () => void): () => void {
    const set = this.watched.get(id) ?? new Set();
    this.watched.set(id, set.add(done));
    if ((this.known.get(id)?.until ?? 0) < Date.now()) this.want(id);
    return () => {
      set.delete(done);
      if (set.size > 0 || this.watched.get(id) !== set) return;
      this.watched.delete(id);
      this.wanted.delete(id);
    };
  }

  private want(id: string): void {
    this.wanted.add(id);
    this.timer ??= setTimeout(() => void this.ask(), patience);
  }

  private async ask(): Promise<void> {
    const ids = [...this.wanted].slice(0, most);
    for (const id of ids) this.wanted.delete(id);
    const now = Date.now();
    let answer: Record<string, Statistics[]> | undefined;
    try {
      if (ids.length > 0) {
        answer = await this.home.command<Record<string, Statistics[]>>("recorder/statistics_during_period", {
          start_time: new Date(now - recentSpan * 1000).toISOString(),
          statistic_ids: ids,
          period: "5minute",
          types: ["mean", "min", "max", "state"],
        });
      }
    } catch {
      // The small curves are then of what has been seen.
    }
    for (const id of ids) {
      if (answer) this.known.set(id, { periods: recordedOf(answer[id] ?? [], now), until: now + fresh });
      else if (!this.known.has(id)) this.known.set(id, { periods: [], until: 0 });
      for (const done of this.watched.get(id) ?? []) done();
    }
    this.timer = this.wanted.size > 0 ? setTimeout(() => void this.ask(), patience) : undefined;
  }
}

// Without the period under way, of which the page draws what is reported.
function recordedOf(statistics: Statistics[], now: number): Period[] {
  const periods: Period[] = [];
  for (const { end, mean, min, max, state } of statistics) {
    const value = mean ?? state;
    if (value === undefined || end > now) continue;
    periods.push({ end: end / 1000, low: min ?? value, mean: value, high: max ?? value });
  }
  return periods;
}

const histories = new WeakMap<Home, RecentHistory>();

export function recentHistory(home: Home): RecentHistory {
  let found = histories.get(home);
  if (!found) histories.set(home, (found = new RecentHistory(home)));
  return found;
}
