// SPDX-License-Identifier: Apache-2.0
// What people do every day, in Firefox as Debian has it.
import { expect } from "../fixtures";
import { found, isMissing, logIn, picture, test, within } from "../firefox";

test.skip(isMissing, "there is no Firefox; tools/bootstrap --test installs Debian's");

const kitchen = within('button[role="switch"][aria-label="Kitchen light"]');

test("Firefox logs in, shows the home and switches a light", async ({ visit, hub }) => {
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
  await logIn(visit, hub.url);
  const light = await found(visit, kitchen);
  const checked = () => light.evaluate((button) => button.getAttribute("aria-checked"));
  expect(await checked()).toBe("false");
  await light.click();
  await expect.poll(async () => (await hub.state("light.kitchen")).state).toBe("on");
  await expect.poll(checked).toBe("true");
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" }); // from elsewhere
  await expect.poll(checked).toBe("false");
  await picture(visit, "overview");
});

test("Firefox draws the history of an entity", async ({ visit, hub }) => {
  await hub.setState("sensor.firefox", "20", { unit_of_measurement: "°C", friendly_name: "Fox" });
  await hub.setState("sensor.firefox", "23", { unit_of_measurement: "°C", friendly_name: "Fox" });
  await logIn(visit, `${hub.url}/history?entity=sensor.firefox&span=1h`);
  const canvas = await found(visit, within(".uplot canvas"));
  const drawn = () =>
    canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const pixels = (element as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      return pixels.some((value) => value !== 0);
    });
  await expect.poll(drawn).toBe(true);
  await picture(visit, "history");
});
