// SPDX-License-Identifier: Apache-2.0
// The last hours of sensors whose cards are seen, asked for together: many cards appear at once.
import { history, numberOf } from "../api/history";
import type { Home } from "../api/home";
import type { Curve } from "../api/recent_values";

const span = 3 * 3600;
// How long what the hub said is good for, in milliseconds; later values come from home.recent.
const fresh = 10 * 60 * 1000;
// Cards that are scrolled past are not asked for.
const patience = 250;
const most = 50;
const points = 80;

interface Known {
  curve: Curve;
  at: number;
}

class RecentHistory {
  private known = new Map<string, Known>();
  private wanted = new Map<string, Set<() => void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private recorded = true;

  constructor(private readonly home: Home) {}

  // The curve of the last hours, as far as it is known.
  of(id: string): Curve {
    const recent = this.home.recent.of(id);
    const past = this.known.get(id)?.curve;
    if (!past || past.times.length === 0) return recent;
    const joint = past.times.at(-1) as number;
    const from = recent.times.findIndex((time) => time > joint);
    if (from < 0) return past;
    return { times: [...past.times, ...recent.times.slice(from)], values: [...past.values, ...recent.values.slice(from)] };
  }

  // Has it asked for; `done` is called when it is there. Returns what gives it up.
  want(id: string, done: () => void): () => void {
    const known = this.known.get(id);
    if (!this.recorded || (known && Date.now() - known.at < fresh)) return () => undefined;
    const waiting = this.wanted.get(id) ?? new Set();
    this.wanted.set(id, waiting.add(done));
    this.timer ??= setTimeout(() => void this.ask(), patience);
    return () => {
      waiting.delete(done);
      if (waiting.size === 0 && this.wanted.get(id) === waiting) this.wanted.delete(id);
    };
  }

  private async ask(): Promise<void> {
    const batch = [...this.wanted].slice(0, most);
    for (const [id] of batch) this.wanted.delete(id);
    const ids = batch.map(([id]) => id);
    const now = Date.now();
    try {
      const answer = ids.length > 0 ? await history(this.home, ids, new Date(now - span * 1000), new Date(now)) : new Map();
      this.recorded = answer !== undefined;
      for (const id of answer ? ids : []) {
        const samples = answer?.get(id) ?? [];
        const curve: Curve = { times: [], values: [] };
        const stride = Math.max(1, samples.length / points);
        for (let index = 0; index < samples.length; index += stride) {
          const { time, state } = samples[Math.floor(index)] as { time: number; state: string };
          const value = numberOf(state);
          if (value === undefined) continue;
          curve.times.push(time);
          curve.values.push(value);
        }
        this.known.set(id, { curve, at: now });
      }
    } catch {
      // The small curve is then of what has been seen.
    }
    for (const [, waiting] of batch) for (const done of waiting) done();
    this.timer = this.wanted.size > 0 && this.recorded ? setTimeout(() => void this.ask(), patience) : undefined;
  }
}

const histories = new WeakMap<Home, RecentHistory>();

export function recentHistory(home: Home): RecentHistory {
  let found = histories.get(home);
  if (!found) histories.set(home, (found = new RecentHistory(home)));
  return found;
}
