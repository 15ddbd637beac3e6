// SPDX-License-Identifier: Apache-2.0
import type { HubEvent } from "../../api/types";

export interface Heard<Event = HubEvent> {
  // Counts from 1.
  number: number;
  event: Event;
}

// Of what has been heard and of what waits while it is paused: at most so many, then the oldest go.
export const most = 200;

export function textOfEvent({ event_type: type, data }: HubEvent): string {
  return `${type} ${JSON.stringify(data)}`;
}

// The last events, newest first, that contain a text. What does not contain it when it comes is not kept, so that a rare event is still
// there after a thousand others.
export class EventLog<Event = HubEvent> {
  shown: Heard<Event>[] = [];
  // How many came while it was paused; of these, too, the last 200 are kept.
  waitingCount = 0;
  private waiting: Heard<Event>[] = [];
  private next = 1;
  private words: string[] = [];
  paused = false;

  // The text of an event that the filter looks at.
  constructor(private readonly textOf: (event: Event) => string) {}

  set filter(text: string) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = this.shown.filter(({ event }) => this.wants(event));
  }

  add(event: Event): void {
    if (!this.wants(event)) return;
    const heard = { number: this.next++, event };
    if (this.paused) {
      this.waitingCount += 1;
      this.waiting.push(heard);
      if (this.waiting.length > most) this.waiting.shift();
    } else {
      this.shown = [heard, ...this.shown.slice(0, most - 1)];
    }
  }

  resume(): void {
    this.paused = false;
    this.shown = [...this.waiting.reverse(), ...this.shown].slice(0, most);
    this.waiting = [];
    this.waitingCount = 0;
  }

  clear(): void {
    this.shown = [];
    this.waiting = [];
    this.waitingCount = 0;
  }

  private wants(event: Event): boolean {
    if (this.words.length === 0) return true;
    const text = this.textOf(event).toLowerCase();
    return this.words.every((word) => text.includes(word));
  }
}
