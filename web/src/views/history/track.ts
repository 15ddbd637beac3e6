// SPDX-License-Identifier: Apache-2.0
// The states of some entities: what the hub recorded, and what has changed since it was asked.
import { history, numberOf, type Sample } from "../../api/history";
import type { Home, Unsubscribe } from "../../api/home";

// Of each entity; then the oldest go.
const mostLive = 5000;

export class Track {
  // Whether the hub records history; undefined until it has been asked.
  recorded: boolean | undefined;
  private past = new Map<string, Sample[]>();
  private live = new Map<string, Sample[]>();
  private stops = new Map<string, Unsubscribe>();
  private turn = 0;

  constructor(
    private readonly home: Home,
    private readonly changed: () => void,
  ) {}

  // From now on these entities.
  follow(ids: string[]): void {
    for (const [id, stop] of this.stops) {
      if (ids.includes(id)) continue;
      stop();
      this.stops.delete(id);
      this.live.delete(id);
    }
    for (const id of ids) {
      if (this.stops.has(id)) continue;
      this.live.set(id, this.seen(id));
      this.stops.set(
        id,
        this.home.onEntity(id, () => {
          this.add(id);
          this.changed();
        }),
      );
    }
  }

  stop(): void {
    this.turn += 1;
    this.follow([]);
  }

  // Asks the hub. False where something else has been asked for meanwhile.
  async load(ids: string[], start: number, end: number): Promise<boolean> {
    const turn = ++this.turn;
    const past = await history(this.home, ids, new Date(start * 1000), new Date(end * 1000));
    if (turn !== this.turn) return false;
    this.recorded = past !== undefined;
    this.past = past ?? new Map();
    return true;
  }

  // The samples between two times; the first is the one that held at `start`, where it is known.
  samples(id: string, start: number, end: number): Sample[] {
    const past = this.past.get(id) ?? [];
    const last = past.at(-1)?.time ?? -Infinity;
    const all = [...past, ...(this.live.get(id) ?? []).filter(({ time }) => time > last)];
    const first = all.findLastIndex(({ time }) => time <= start);
    const within = all.slice(Math.max(first, 0)).filter(({ time }) => time < end);
    return within.map((sample, index) => (index === 0 && sample.time < start ? { ...sample, time: start } : sample));
  }

  // When the first of what is known of these entities was; infinity where nothing is.
  first(ids: string[]): number {
    return Math.min(...ids.map((id) => (this.past.get(id) ?? this.live.get(id))?.[0]?.time ?? Infinity));
  }

  // What this page has seen of an entity before anybody asked.
  private seen(id: string): Sample[] {
    const { times, values } = this.home.recent.of(id);
    const samples = times.map((time, index) => ({ time, state: String(values[index]) }));
    const entity = this.home.entity(id);
    if (entity && (samples.length === 0 || numberOf(entity.state) === undefined)) {
      samples.push({ time: Math.max(entity.last_changed, samples.at(-1)?.time ?? 0), state: entity.state });
    }
    return samples;
  }

  private add(id: string): void {
    const entity = this.home.entity(id);
    const live = this.live.get(id);
    if (!live) return;
    const state = entity?.state ?? "unavailable";
    const time = entity?.last_updated ?? Date.now() / 1000;
    if (live.at(-1)?.state === state) return;
    live.push({ time, state });
    if (live.length > mostLive) live.shift();
  }
}
