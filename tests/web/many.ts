// SPDX-License-Identifier: Apache-2.0
// For tests: a home of 10,000 entities, one for all tests of a file.
import { test as base } from "./fixtures";
import { Hub } from "./hub";

export const amount = 10_000;

export const test = base.extend<object, { home: Hub }>({
  home: [
    async ({}, use) => {
      const hub = await Hub.start();
      const kinds = ["sensor", "switch", "light", "binary_sensor", "cover"];
      const write = async (start: number, step: number) => {
        for (let i = start; i < amount; i += step) {
          const kind = kinds[i % kinds.length] as string;
          const state = kind === "sensor" ? String(i) : kind === "cover" ? "open" : "off";
          await hub.setState(`${kind}.thing_${i}`, state, { friendly_name: `Thing ${i}` });
        }
      };
      hub.token("ann");
      await Promise.all(Array.from({ length: 8 }, (_, start) => write(start, 8)));
      await use(hub);
      await hub.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

// Changes a sensor's state ten times in each 50 ms, until it is stopped.
export function changeStates(home: Hub): { written(): number; stop(): Promise<void> } {
  let written = 0;
  let going = true;
  const writing = (async () => {
    while (going) {
      const due = Date.now() + 50;
      await Promise.all(
        Array.from({ length: 10 }, () => {
          const i = (written++ * 5) % amount;
          return home.setState(`sensor.thing_${i}`, String(written), { friendly_name: `Thing ${i}` });
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
    }
  })();
  return {
    written: () => written,
    stop: async () => {
      going = false;
      await writing;
    },
  };
}
