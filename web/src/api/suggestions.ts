// SPDX-License-Identifier: Apache-2.0
// Automations that the home could have, because its people do things again and again: the hub finds them in its history.
import type { Item } from "./automations";
import type { Home } from "./home";

export interface Suggestion {
  id: string;
  cause: "state" | "time" | "sunrise" | "sunset";
  // How much later it was done at most, in seconds.
  within: number;
  // How often it was done, of how often there was occasion to; and on how many days.
  hits: number;
  occasions: number;
  days: number;
  // The newest first; without an effect where it was not done.
  examples: { cause: string; effect: string | null }[];
  // Its triggers, conditions and actions.
  config: Item & { triggers: unknown[]; conditions: unknown[]; actions: unknown[] };
  dismissed: boolean;
}

export interface Found {
  from: string;
  until: string;
  suggestions: Suggestion[];
}

type Message = { progress: number } | { error: { message: string } } | Found;

// Tells of its progress, from 0 to 1. The hub stops looking when `signal` says so; then nothing comes any more.
export function findSuggestions(home: Home, progress: (share: number) => void, signal: AbortSignal): Promise<Found> {
  return new Promise((resolve, reject) => {
    const subscribed = home.connection.subscribeMessage<Message>(
      (message) => {
        if ("progress" in message) return progress(message.progress);
        end();
        if ("error" in message) reject(new Error(message.error.message));
        else resolve(message);
      },
      { type: "automation/suggestions" },
    );
    const end = () => void subscribed.then((stop) => stop()).catch(() => undefined);
    signal.addEventListener("abort", end);
    subscribed.catch(reject);
  });
}

export function dismissSuggestion(home: Home, suggestion_id: string, dismissed: boolean): Promise<unknown> {
  return home.command("automation/suggestions/dismiss", { suggestion_id, dismissed });
}
