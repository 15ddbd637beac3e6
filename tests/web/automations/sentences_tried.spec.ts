// SPDX-License-Identifier: Apache-2.0
// Automations in sentences, with fingers, with devices, and tried at once.
import { Broker, publish } from "../broker";
import { Finger, placeOf } from "../finger";
import { expect, test } from "../fixtures";
import { add, choose, row, save, section } from "../sentences";

test("a condition is tried, and a step is done, from its row", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.call("light", "turn_off", { entity_id: "light.hall" });
  const actions = [
    { condition: "state", entity_id: "light.hall", state: "on" },
    { action: "light.toggle", target: { entity_id: "light.hall" } },
  ];
  await hub.rest("POST", "/api/config/automation/config/tried", { alias: "Tried", triggers: [], actions });
  const page = await open("/settings/automations/automation.tried", { hub });
  const choose = async (text: string, item: string) => {
    await row(page, text)
      .getByRole("button", { name: /^Change/ })
      .click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Hall light is On", "Does it hold now?");
  await expect(page.locator("hearth-notices")).toContainText("It does not hold now.");
  await choose("Toggle Hall light", "Do this now");
  await expect.poll(async () => (await hub.state("light.hall")).state).toBe("on");
  await choose("Hall light is On", "Does it hold now?");
  await expect(page.locator("hearth-notices")).toContainText("It holds now.");
});

test("what was changed is discarded, and the sentences are those of before", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/waits", { alias: "Waits", sequence: [{ delay: { seconds: 1 } }] });
  const page = await open("/settings/automations/script.waits", { hub });
  const duration = page.getByRole("spinbutton", { name: "Duration" });
  await duration.fill("7");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(duration).toHaveValue("1");
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
});

test("a finger drags a row by its handle, and scrolls the page elsewhere", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/script/config/waits", {
    alias: "Waits",
    sequence: [1, 2, 3].map((seconds) => ({ delay: { seconds } })),
  });
  const page = await open("/settings/automations/script.waits", { hub, width: 360, height: 1400, touch: true });
  const fields = section(page, "Then do").getByRole("spinbutton", { name: "Duration" });
  const seconds = async () => Promise.all((await fields.all()).map((field) => field.inputValue()));
  await expect.poll(seconds).toEqual(["1", "2", "3"]);
  const finger = await Finger.on(page);
  const first = await placeOf(page.getByRole("button", { name: /^Move, place 1 of 3/ }));
  const last = await placeOf(page.getByRole("button", { name: /^Move, place 3 of 3/ }));
  await finger.swipe({ x: first.x + 15, y: first.y + 15 }, 0, last.y - first.y + 30);
  await expect.poll(seconds).toEqual(["2", "3", "1"]);
  const sentence = await placeOf(page.locator(".sentence").first());
  await finger.swipe({ x: sentence.x + 100, y: sentence.y + 10 }, 0, 200);
  expect(await seconds()).toEqual(["2", "3", "1"]);
});

test("a button of a device is chosen by its name", async ({ open, startHub }) => {
  const broker = await Broker.start();
  try {
    const hub = await startHub({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });
    const device = { identifiers: ["r1"], name: "Wall remote" };
    const press = (subtype: string) => ({
      automation_type: "trigger",
      type: "button_short_press",
      subtype,
      topic: "r1",
      payload: subtype,
      device,
    });
    await expect(async () =>
      publish(hub, { topic: "homeassistant/device_automation/r1/one/config", payload: press("button_1"), retain: true }),
    ).toPass();
    await publish(hub, { topic: "homeassistant/device_automation/r1/two/config", payload: press("button_2"), retain: true });
    const page = await open("/settings/automations/new-automation", { hub });
    await page.getByLabel("Name", { exact: true }).fill("Pressed");
    const when = section(page, "When");
    await add(when, /^A device reports/);
    await when.getByRole("button", { name: /^Device/ }).click();
    await choose(page, "remote", /^Wall remote/);
    await when.getByRole("combobox", { name: "What it tells" }).selectOption({ label: "Button 2 pressed briefly" });
    await add(section(page, "Then do"), /^Wait for some time/);
    await save(page);
    await expect(page.getByRole("heading", { name: "Pressed" })).toBeVisible();
    const runs = () => hub.state("automation.pressed").then(({ attributes }) => attributes.last_triggered);
    await publish(hub, { topic: "r1", payload: "button_1" });
    expect(await runs()).toBeNull();
    await publish(hub, { topic: "r1", payload: "button_2" });
    await expect.poll(runs).not.toBeNull();
    const { attributes } = await hub.state("automation.pressed");
    const { triggers } = await hub.rest<{ triggers: unknown[] }>("GET", `/api/config/automation/config/${String(attributes.id)}`);
    expect(triggers).toMatchObject([{ trigger: "device", domain: "mqtt", type: "button_short_press", subtype: "button_2" }]);
  } finally {
    await broker.stop();
  }
});
