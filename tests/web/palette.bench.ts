// SPDX-License-Identifier: Apache-2.0
// How long a key in the palette takes in a home of 10,000 entities: from the key until the page's thread is free again, as fast as this
// machine is and four times slower. It should be at most 50 ms.
import { expect } from "./fixtures";
import { amount, test } from "./many";

for (const slower of [1, 4]) {
  test(`keys in the palette, ${slower} times slower`, async ({ open, home }) => {
    await home.rest("POST", "/api/states/light.kitchen_lamp", { state: "on", attributes: { friendly_name: "Kitchen lamp" } });
    const page = await open("/overview", { hub: home });
    await expect(page.getByRole("switch").first()).toBeVisible();
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Find and do" });
    await field.fill("thing");
    await expect(page.getByRole("grid", { name: "What was found" }).getByRole("row").first()).toBeVisible();
    const session = await page.context().newCDPSession(page);
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
        true,
      );
    });
    for (const text of ["thing 4711", "thing 12 off", "lights off", "kitchen lamp 40", "thimg", "kichen", "zzzzzz"]) {
      await field.fill("");
      await page.evaluate(() => ((globalThis as unknown as { times: number[] }).times.length = 0));
      await field.pressSequentially(text, { delay: 100 });
      const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times.map(Math.round));
      console.log(`${amount} entities, ${slower} times slower, “${text}”: ${times.join(", ")} ms a key`);
    }
  });
}
