// SPDX-License-Identifier: Apache-2.0
// How long a person waits for the first switch: on this machine and one that is four times slower, nearby and over a phone's line.
import { test } from "./fixtures";
import { firstSwitch, watchFirstSwitch } from "./first_switch";
import { SlowLine } from "./slow_line";

const visits = 5;
const lines = {
  nearby: { roundTrip: 0 },
  "1.6 Mbit/s, 150 ms": { roundTrip: 150, bytesPerSecond: 200_000 },
};

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

for (const [name, speed] of Object.entries(lines)) {
  for (const slower of [1, 4]) {
    for (const cached of [false, true]) {
      test(`${name}, ${slower} times slower, ${cached ? "cached" : "new"}`, async ({ open, hub }) => {
        const line = await SlowLine.to(hub, speed);
        const page = await open("about:blank", { origin: line.url, width: 360, height: 740 });
        await watchFirstSwitch(page);
        const session = await page.context().newCDPSession(page);
        await session.send("Network.enable");
        await session.send("Network.setCacheDisabled", { cacheDisabled: !cached });
        const paints: number[] = [];
        const waits: number[] = [];
        let last = { trips: 0, bytes: 0 };
        for (let i = 0; i < visits + Number(cached); i++) {
          await page.goto("about:blank");
          await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
          line.restart();
          await page.goto("/overview");
          const { drawn: there } = await firstSwitch(page);
          last = line.until(there);
          await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
          const { began, painted } = await page.evaluate(() => ({
            began: performance.timeOrigin,
            painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
          }));
          await page.waitForLoadState("networkidle");
          if (cached && i === 0) continue;
          paints.push(painted);
          waits.push(there - began);
        }
        const seconds = (values: number[]) => (median(values) / 1000).toFixed(2);
        console.log(
          `${test.info().title}: first paint ${seconds(paints)} s, first switch ${seconds(waits)} s, ` +
            `${last.trips} trips, ${(last.bytes / 1000).toFixed(0)} kB`,
        );
        await page.context().close();
        await line.close();
      });
    }
  }
}
