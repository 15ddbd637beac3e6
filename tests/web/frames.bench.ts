// SPDX-License-Identifier: Apache-2.0
// How smoothly pages are drawn: frames a second while 200 states change and somebody swipes, how long a move takes while cards are
// arranged, and what 200 changes of the page leave in memory.
import type { Page } from "@playwright/test";

import { Finger } from "./finger";
import { expect, test } from "./fixtures";
import type { Hub } from "./hub";
import { navigation, settled } from "./pages";

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

// The time between one frame and the next, of all that are drawn while `work` goes on.
async function frames(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const kept = globalThis as { frameTimes?: number[]; going?: boolean };
    [kept.frameTimes, kept.going] = [[], true];
    let last = performance.now();
    const next = (now: number) => {
      kept.frameTimes?.push(now - last);
      last = now;
      if (kept.going) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await work();
  return page.evaluate(() => {
    const kept = globalThis as { frameTimes?: number[]; going?: boolean };
    kept.going = false;
    return (kept.frameTimes ?? []).slice(2);
  });
}

const tell = (name: string, times: number[]) => {
  const whole = times.reduce((sum, time) => sum + time, 0);
  console.log(`${name}: ${((times.length * 1000) / whole).toFixed(0)} frames/s, worst ${Math.round(Math.max(...times))} ms`);
};

// Ten states of what is shown each 50 ms, until it is stopped.
function changeShown(hub: Hub, ids: string[]): () => Promise<void> {
  let going = true;
  let written = 0;
  const writing = (async () => {
    while (going) {
      const due = Date.now() + 50;
      await Promise.all(
        Array.from({ length: 10 }, () => {
          const id = ids[written++ % ids.length] as string;
          return hub.setState(id, String(written), { friendly_name: id, unit_of_measurement: "W" });
        }),
      );
      await new Promise((done) => setTimeout(done, Math.max(0, due - Date.now())));
    }
  })();
  return async () => {
    going = false;
    await writing;
  };
}

for (const rate of [1, 4])
  test(`frames while 200 states change each second, ${rate} times slower`, async ({ open, startHub }) => {
    const hub = await startHub();
    const ids = Array.from({ length: 60 }, (_, at) => `sensor.meter_${at}`);
    for (const id of ids) await hub.setState(id, "1", { friendly_name: id, unit_of_measurement: "W" });
    const page = await open("/overview?view=list", { hub, width: 360, height: 740, touch: true });
    await settled(page);
    await slowDown(page, rate);
    const stop = changeShown(hub, ids);
    const finger = await Finger.on(page);
    try {
      tell(`200 changes/s, ${rate} times slower, still`, await frames(page, () => page.waitForTimeout(4_000)));
      tell(
        `200 changes/s, ${rate} times slower, swiping`,
        await frames(page, async () => {
          for (let swipe = 0; swipe < 12; swipe++) {
            await finger.down({ x: 180, y: swipe % 6 < 3 ? 600 : 200 });
            await finger.by(0, swipe % 6 < 3 ? -400 : 400);
            await finger.up();
          }
        }),
      );
    } finally {
      await stop();
    }
  });

test("moves while cards are arranged", async ({ open, startHub }) => {
  const hub = await startHub();
  for (let at = 0; at < 700; at++) await hub.setState(`light.l${at}`, "off", { friendly_name: `Lamp ${at}` });
  const page = await open("/overview?arrange=1", { hub, width: 1280 });
  await settled(page);
  const handle = page.getByRole("button", { name: /^Move / }).first();
  await handle.focus();
  const times: number[] = [];
  for (let move = 0; move < 20; move++) {
    const time = await page.evaluate(async () => {
      const element = (root: Document | ShadowRoot): Element | null =>
        root.activeElement?.shadowRoot?.activeElement ? element(root.activeElement.shadowRoot) : root.activeElement;
      const began = performance.now();
      element(document)?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, composed: true, cancelable: true }));
      await new Promise((done) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        requestAnimationFrame(() => channel.port2.postMessage(0));
      });
      return performance.now() - began;
    });
    times.push(time);
  }
  times.sort((a, b) => a - b);
  console.log(`a move of arranging: median ${times[10]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms, to the next frame`);
});

test("memory after 200 changes of the page", async ({ open }) => {
  const page = await open("/overview");
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1024 / 1024;
  };
  const round = async (rounds: number) => {
    for (let at = 0; at < rounds; at++)
      for (const name of ["History", "Overview", "Profile", "Overview"]) {
        await navigation(page).getByRole("link", { name, exact: true }).click();
        await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
      }
  };
  await round(5);
  const before = await heap();
  await round(50);
  console.log(`heap: ${before.toFixed(1)} MiB, after 200 changes of the page ${(await heap()).toFixed(1)} MiB`);
});
