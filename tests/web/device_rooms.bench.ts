// SPDX-License-Identifier: Apache-2.0
// How long a key in the filter of the list for rooms takes with 10,000 devices: from the key until the page's thread is free again, as
// fast as this machine is and four times slower. It should be at most 50 ms.
import { expect } from "@playwright/test";

import { Broker, publish } from "./broker";
import { test } from "./fixtures";

const amount = 10_000;
const rooms = ["Kitchen", "Living room", "Bedroom", "Hall", "Cellar"];

test("keys in the list for rooms", async ({ open, startHub }) => {
  const broker = await Broker.start();
  try {
    const hub = await startHub({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });
    const describe = async (start: number, step: number) => {
      for (let i = start; i < amount; i += step) {
        const payload = {
          unique_id: `d${i}`,
          name: null,
          state_topic: `z/${i}`,
          device: {
            identifiers: [`d${i}`],
            name: `${rooms[i % rooms.length]} thing ${i}`,
            manufacturer: "Nordlys",
            model: `Model ${i % 90}`,
          },
        };
        await publish(hub, { topic: `homeassistant/${i % 2 ? "sensor" : "binary_sensor"}/d${i}/config`, payload, retain: true });
      }
    };
    await expect(async () => describe(0, amount)).toPass(); // the first alone, until the broker is connected
    await Promise.all(Array.from({ length: 8 }, (_, start) => describe(start, 8)));
    const page = await open("/settings/devices/rooms", { hub });
    await expect(page.getByText(`${new Intl.NumberFormat("en-GB").format(amount)} devices`, { exact: true })).toBeVisible({
      timeout: 120_000,
    });
    const field = page.getByRole("searchbox");
    const session = await page.context().newCDPSession(page);
    for (const slower of [1, 4]) {
      await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
      await page.evaluate(() => {
        const times: number[] = [];
        Object.assign(globalThis, { times });
        addEventListener(
          "input",
          (event) => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => times.push(performance.now() - event.timeStamp);
            channel.port2.postMessage(0);
          },
          { capture: true, once: false },
        );
      });
      for (const text of ["thing 47", "kitchen", "zzzz"]) {
        await field.fill("");
        await page.evaluate(() => ((globalThis as unknown as { times: number[] }).times.length = 0));
        await field.pressSequentially(text, { delay: 100 });
        const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times.map(Math.round));
        console.log(`${amount} devices, ${slower} times slower, “${text}”: ${times.join(", ")} ms a key`);
        if (text === "kitchen") console.log(`${await page.locator("hearth-arrange-row").count()} rows are drawn`);
      }
    }
  } finally {
    broker.stop();
  }
});
