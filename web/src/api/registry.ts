// SPDX-License-Identifier: Apache-2.0
import { Reading } from "./reading";

export interface Source<T> {
  key: (item: T) => string;
  list: () => Promise<T[]>;
  // One item, or undefined if there is none of that id. Without it all are listed for each change.
  one?: (id: string) => Promise<T | undefined>;
}

// How long changes are collected before they are read, in milliseconds.
const pause = 100;
// If more items than this have changed meanwhile, all are listed.
const most = 20;

// The areas, devices or entities that the hub knows, by their ids. `changed` is told after each reading what was read, or
// nothing if it was all.
export class Registry<T> {
  readonly items = new Map<string, T>();
  private named = new Set<string>();
  private all = false;
  private asked: Promise<T[] | undefined> | undefined;
  private waiting = false;
  private readonly reading = new Reading(() => this.read());

  constructor(
    private readonly source: Source<T>,
    private readonly changed: (ids?: string[]) => void,
  ) {}

  // Reads everything again, or takes what has just been asked for: all items, or undefined if nothing has changed. If something
  // changes before that comes, everything is asked for anew.
  load(asked?: Promise<T[] | undefined>): Promise<void> {
    this.all = true;
    this.asked = asked;
    return this.reading.again();
  }

  // These items were made, changed or removed, or, if none is named, any: they are read soon, with what changes meanwhile.
  note(ids: string[]): void {
    this.asked = undefined; // it may be older than this change
    for (const id of ids) this.named.add(id);
    if (ids.length === 0 || this.named.size > most) this.all = true;
    if (this.all) this.named.clear();
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      void this.reading.again().catch(() => undefined);
    }, pause);
  }

  private async read(): Promise<void> {
    const { key, list, one } = this.source;
    const ids = [...this.named];
    const whole = this.all || !one;
    const { asked } = this;
    this.asked = undefined;
    this.named.clear();
    this.all = false;
    try {
      if (whole) {
        const items = await (asked ?? list());
        if (!items) return;
        replace(this.items, items, key);
      } else {
        const found = await Promise.all(ids.map(one));
        ids.forEach((id, index) => {
          const item = found[index];
          if (item === undefined) this.items.delete(id);
          else this.items.set(id, item);
        });
      }
    } catch (error) {
      this.all = true; // of the next reading
      throw error;
    }
    this.changed(whole ? undefined : ids);
  }
}

export function replace<T>(map: Map<string, T>, items: T[], key: (item: T) => string): void {
  map.clear();
  for (const item of items) map.set(key(item), item);
}
