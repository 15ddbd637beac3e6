// SPDX-License-Identifier: Apache-2.0
// The forecasts of weather entities whose cards are seen: asked for when a card appears and when its entity changes, but not often.
import type { Home } from "../api/home";

// The times of each part of a forecast.
export type Span = "daily" | "twice_daily" | "hourly";

export interface Part {
  datetime: string;
  condition?: string | null;
  temperature?: number | null;
  templow?: number | null;
  // Percent.
  precipitation_probability?: number | null;
  is_daytime?: boolean;
}

interface Forecast {
  // Undefined until the hub has answered once.
  parts: Part[] | undefined;
  // Until then it is not asked again.
  until: number;
  // While the hub is asked.
  asked?: Promise<void> | undefined;
}

// Milliseconds: how long an answer is good for, and when one that did not come is asked for again.
const fresh = 5 * 60 * 1000;
const pause = 60 * 1000;

class Forecasts {
  private known = new Map<string, Forecast>();

  constructor(private readonly home: Home) {}

  of(id: string, span: Span): Part[] | undefined {
    return this.known.get(`${id} ${span}`)?.parts;
  }

  // Asks for it unless what is known is fresh, or asked for by another card. Calls `done` when the answer has come, or none will.
  refresh(id: string, span: Span, done: () => void): void {
    const key = `${id} ${span}`;
    const known = this.known.get(key) ?? { parts: undefined, until: 0 };
    this.known.set(key, known);
    if (Date.now() >= known.until) {
      known.until = Date.now() + fresh;
      known.asked = this.fill(known, id, span);
    }
    void known.asked?.then(done);
  }

  private async fill(known: Forecast, id: string, span: Span): Promise<void> {
    try {
      known.parts = await this.ask(id, span);
    } catch {
      known.parts ??= [];
      known.until = Date.now() + pause;
    } finally {
      known.asked = undefined;
    }
  }

  private async ask(id: string, span: Span): Promise<Part[]> {
    const { response } = await this.home.command<{ response: Record<string, { forecast?: Part[] }> | null }>("call_service", {
      domain: "weather",
      service: "get_forecasts",
      service_data: { type: span },
      target: { entity_id: id },
      return_response: true,
    });
    return response?.[id]?.forecast ?? [];
  }
}

// Halves of days as days: each has the warmth of its day and the cold of the night after it. `dateOf` tells the day of a half.
export function daysOf(halves: Part[], dateOf: (half: Part) => string): Part[] {
  const days: Part[] = [];
  for (const half of halves) {
    const last = days.at(-1);
    const low = half.templow ?? half.temperature ?? null;
    const isNight = half.is_daytime === false;
    if (isNight && last) last.templow ??= low;
    else if (isNight) days.push({ ...half, temperature: null, templow: low });
    else if (last && dateOf(last) === dateOf(half)) days[days.length - 1] = { ...half, templow: last.templow ?? null };
    else days.push({ ...half, templow: null });
  }
  return days;
}

const forecasts = new WeakMap<Home, Forecasts>();

export function forecastsOf(home: Home): Forecasts {
  let found = forecasts.get(home);
  if (!found) forecasts.set(home, (found = new Forecasts(home)));
  return found;
}
