// SPDX-License-Identifier: Apache-2.0
// The last hours of sensors whose cards are seen. They are asked for together, as means of five minutes: many cards appear at once, and
// a sensor may report each second. From then on they go on with what the home reports.
import type { Home } from "../api/home";
import { recentSpan, type Curve } from "../api/recent_values";

// How long an answer is good for, in milliseconds; but not beyond a lost connection.
const fresh = 30 * 60 * 1000;
// Cards that are scrolled past are not asked for.
const patience = 250;
const most = 200;

interface Period {
  // Milliseconds since 1970.
  end: number;
  mean?: number;
  // Of totals, which have no mean.
  state?: number;
}

class RecentHistory {
  private known = new Map<string, { curve: Curve; until: number }>();
  private watched = new Map<string, Set<() => void>>();
  private wanted = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly home: Home) {
    home.on("connection", () => {
      for (const one of this.known.values()) one.until = 0;
      if (home.connectionState === "connected") for (const id of this.watched.keys()) this.want(id);
    });
  }

  // The curve of the last hours, as far as it is known; undefined until the hub has been asked.
  of(id: string): Curve | undefined {
    const recent = this.home.recent.of(id);
    const past = this.known.get(id)?.curve;
    if (!past) return undefined;
    const joint = past.times.at(-1) ?? -Infinity;
    const from = recent.times.findIndex((time) => time > joint);
    if (from < 0) return past;
    return { times: [...past.times, ...recent.times.slice(from)], values: [...past.values, ...recent.values.slice(from)] };
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
    let answer: Record<string, Period[]> | undefined;
    try {
      if (ids.length > 0) {
        answer = await this.home.command<Record<string, Period[]>>("recorder/statistics_during_period", {
          start_time: new Date(now - recentSpan * 1000).toISOString(),
          statistic_ids: ids,
          period: "5minute",
          types: ["mean", "state"],
        });
      }
    } catch {
      // The small curves are then of what has been seen.
    }
    for (const id of ids) {
      if (answer) this.known.set(id, { curve: curveOf(answer[id] ?? [], now), until: now + fresh });
      else if (!this.known.has(id)) this.known.set(id, { curve: { times: [], values: [] }, until: 0 });
      for (const done of this.watched.get(id) ?? []) done();
    }
    this.timer = this.wanted.size > 0 ? setTimeout(() => void this.ask(), patience) : undefined;
  }
}

// A mean stands where its period ends, so that what is reported then comes behind it. The period under way has what is reported.
function curveOf(periods: Period[], now: number): Curve {
  const curve: Curve = { times: [], values: [] };
  for (const { end, mean, state } of periods) {
    const value = mean ?? state;
    if (value === undefined || end > now) continue;
    curve.times.push(end / 1000);
    curve.values.push(value);
  }
  return curve;
}

const histories = new WeakMap<Home, RecentHistory>();

export function recentHistory(home: Home): RecentHistory {
  let found = histories.get(home);
  if (!found) histories.set(home, (found = new RecentHistory(home)));
  return found;
}
