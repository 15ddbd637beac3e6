// SPDX-License-Identifier: Apache-2.0
// The states of some entities: what the hub recorded, and what has changed since it was asked.
import { attributeNumbers, isSame } from "./attribute_numbers";
import { history } from "./history";
import type { Home, Unsubscribe } from "./home";
import { numberOf, type Sample } from "./samples";

// Of each entity; then the hub is asked again.
const mostLive = 5000;

export class Track {
  // True if the hub has answered.
  ready = false;
  private past = new Map<string, Sample[]>();
  private live = new Map<string, Sample[]>();
  private stops = new Map<string, Unsubscribe>();
  private turn = 0;

  // `changed` is told that there is something new, `outgrown` that it is time to load again.
  constructor(
    private readonly home: Home,
    private readonly changed: () => void,
    private readonly outgrown: () => void,
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

  // Asks the hub for what was between two times in seconds since 1970. False where something else has been asked for meanwhile.
  async load(ids: string[], start: number, end: number): Promise<boolean> {
    const turn = ++this.turn;
    const past = await history(this.home, ids, start, end);
    if (turn !== this.turn) return false;
    this.ready = true;
    this.past = past;
    for (const [id, live] of this.live) {
      const last = past.get(id)?.at(-1)?.time ?? -Infinity;
      this.live.set(
        id,
        live.filter(({ time }) => time > last),
      );
    }
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

  // True if the hub recorded anything of an entity in the span that was loaded.
  recorded(id: string): boolean {
    return this.past.has(id);
  }

  // States that this page has seen of an entity before anybody asked: its last values, and since when it has the present one.
  private seen(id: string): Sample[] {
    const { times, values } = this.home.recent.of(id);
    const samples: Sample[] = times.map((time, index) => ({ time, state: String(values[index]) }));
    const entity = this.home.entity(id);
    if (entity && (samples.length === 0 || numberOf(entity.state) === undefined)) {
      const numbers = attributeNumbers(id, entity.attributes);
      samples.push({ time: Math.max(entity.last_changed, samples.at(-1)?.time ?? 0), state: entity.state, ...(numbers && { numbers }) });
    }
    return samples;
  }

  private add(id: string): void {
    const entity = this.home.entity(id);
    const live = this.live.get(id);
    if (!live) return;
    const numbers = entity && attributeNumbers(id, entity.attributes);
    const sample = { time: entity?.last_updated ?? Date.now() / 1000, state: entity?.state ?? "unavailable", ...(numbers && { numbers }) };
    if (isSame(live.at(-1), sample)) return;
    live.push(sample);
    if (live.length <= mostLive) return;
    live.splice(0, mostLive / 2);
    this.outgrown();
  }
}
