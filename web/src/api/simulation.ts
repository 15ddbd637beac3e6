// SPDX-License-Identifier: Apache-2.0
// The runs that an automation would have had in the past.
import type { Item } from "./automations";
import type { Home } from "./home";

export interface Difference {
  at: string;
  kind: "added" | "removed";
  what: "run" | "call";
  automation: string;
  trigger?: string;
  service?: string;
  data?: Record<string, unknown>;
}

export interface Comparison {
  differences: Difference[];
  // How many there are beyond these.
  left_off: number;
  changes: number;
  runs: number;
  calls: number;
  recorded_runs: number;
  recorded_calls: number;
  // A local time: history has nothing earlier of what the automation's triggers and conditions name.
  known_since: string;
  // Runs whose cause history does not keep.
  left_out: number;
  faults: string[];
}

type Told = { progress: number } | { result: Comparison } | { error: { code: string; message: string } };

export interface Simulation {
  // Rejects with what went wrong.
  done: Promise<Comparison>;
  // `done` then never ends.
  cancel: () => void;
}

// `entityId` is the automation in whose place `config` is tried; none for a new one. `progress` gets 0 to 1.
export function simulate(
  home: Pick<Home, "connection">,
  question: { entityId: string; config: Item; from: Date; to: Date },
  progress: (part: number) => void,
): Simulation {
  const { entityId, config, from, to } = question;
  let stop: () => void = () => undefined;
  let isOver = false;
  const done = new Promise<Comparison>((resolve, reject) => {
    const hear = (told: Told) => {
      if ("progress" in told) return progress(told.progress);
      stop();
      if ("result" in told) resolve(told.result);
      else reject(new Error(told.error.message));
    };
    const message = {
      type: "automation/simulate",
      progress: true,
      config,
      from: from.toISOString(),
      to: to.toISOString(),
      ...(entityId ? { entity_id: entityId } : {}),
    };
    // After a lost connection it would begin anew, unseen.
    home.connection.subscribeMessage<Told>(hear, message, { resubscribe: false }).then((unsubscribe) => {
      stop = () => void unsubscribe().catch(() => undefined);
      if (isOver) stop();
    }, reject);
  });
  const cancel = () => {
    isOver = true;
    stop();
  };
  return { done, cancel };
}
