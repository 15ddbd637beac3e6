// SPDX-License-Identifier: Apache-2.0
// The first evening with a hub, on phones: from an empty folder to 200 devices in their rooms, two people, and one automation. Prints
// how many taps that takes, how much is typed, and how long a person needs who looks for each tap.
import type { Locator, Page } from "@playwright/test";

import { Broker, publish } from "./broker";
import { expect, test } from "./fixtures";
import { password, type Hub, type State } from "./hub";
import { dialog, settled } from "./pages";

const lookAndTap = 4; // seconds: to find what to tap next
const typeLetter = 0.3; // seconds, on a phone

// Counts what a person does.
class Person {
  taps = 0;
  letters = 0;

  async tap(what: Locator): Promise<void> {
    this.taps += 1;
    await what.tap();
  }
  async type(into: Locator, text: string): Promise<void> {
    this.taps += 1;
    this.letters += text.length;
    await into.fill(text);
  }
  // Opens a list and chooses.
  async choose(from: Locator, option: { label: string }): Promise<void> {
    this.taps += 2;
    await from.selectOption(option);
  }
}

const rooms = ["Kitchen", "Living room", "Bedroom", "Bathroom", "Hall", "Office", "Garden", "Cellar"];
const things = [
  ["light", "ceiling light", { command_topic: "z/set" }],
  ["light", "lamp", { command_topic: "z/set" }],
  ["switch", "plug", { command_topic: "z/set" }],
  ["binary_sensor", "motion", { device_class: "motion" }],
  ["binary_sensor", "window", { device_class: "window" }],
  ["sensor", "temperature", { device_class: "temperature", unit_of_measurement: "°C" }],
] as const;

const address = (at: number) => `0x00158d00${at.toString(16).padStart(8, "0")}`;

// As a bridge that is there already: its devices are named by their room, but for one in `share`, which has only an address.
const isUnnamed = (at: number, share: number) => at % share === 1;

async function announce(hub: Hub, share: number): Promise<void> {
  const all = Array.from({ length: 200 }, (_, at) => {
    const [component, thing, keys] = things[at % things.length] ?? things[0];
    const room = rooms[Math.floor(at / things.length) % rooms.length] ?? "";
    const name = isUnnamed(at, share) ? address(at) : `${room} ${thing} ${at}`;
    const device = { identifiers: [`d${at}`], name, manufacturer: "Aqara", model: thing };
    const payload = { unique_id: `u${at}`, name: null, state_topic: `z/${at}`, device, ...keys };
    return { topic: `homeassistant/${component}/d${at}/config`, payload, retain: true };
  });
  await expect(async () => publish(hub, all[0] ?? {})).toPass();
  await Promise.all(all.map((message) => publish(hub, message)));
}

const phone = { width: 360, height: 740, touch: true };

let broker: Broker | undefined;
test.afterEach(() => broker?.stop());

for (const share of [4, 3])
  test(`the first evening, one device in ${share} without a name`, async ({ open, startHub, browser }) => {
    test.setTimeout(600_000);
    broker = await Broker.start();
    const hub = await startHub({ users: false, name: "" });
    const ann = new Person();
    const page = await open("/", { hub, user: "nobody", ...phone });
    const button = (name: string | RegExp, on: Page = page) => on.getByRole("button", { name }).first();
    const begun = Date.now();
    const steps: [string, number][] = [];
    const step = (name: string) => steps.push([name, ann.taps]);

    await ann.type(page.getByLabel("Name", { exact: true }), "Ann Example");
    await ann.type(page.getByLabel("Password", { exact: true }), password);
    await ann.type(page.getByLabel("Confirm password"), password);
    await ann.tap(button("Create account"));
    await ann.type(page.getByLabel("Name of the home"), "Villa");
    await ann.tap(button("Continue"));
    step("account and home");

    await ann.tap(button("Remove the demo"));
    await ann.tap(button(/^Remove all/));
    await expect(page.getByRole("heading", { name: "Name the rooms" })).toBeVisible();
    for (const room of rooms) {
      const tick = page.getByRole("button", { name: room, exact: true }).first();
      if ((await tick.count()) === 0) {
        await ann.type(page.getByLabel("Another room"), room);
        await ann.tap(button("Add"));
      } else if ((await tick.getAttribute("aria-pressed")) !== "true") {
        await ann.tap(tick);
      }
    }
    await ann.tap(button(/^Add \d+ rooms/));
    step("rooms");

    await ann.tap(page.getByText("Add devices").first());
    await ann.type(page.getByLabel("Host name or address"), "127.0.0.1");
    await ann.type(page.getByLabel("Port", { exact: true }), String(broker.port));
    await ann.tap(button("Save"));
    await announce(hub, share);
    await expect(page.getByText("200 devices were found over MQTT.")).toBeVisible({ timeout: 30_000 });
    await ann.tap(page.getByRole("link", { name: /^Put \d+ devices into rooms/ }));
    step("broker");

    await expect(page.getByText("200 devices", { exact: true })).toBeVisible({ timeout: 30_000 });
    step("all found");
    // Who names its room is put there already. The rest is ticked, a room at a time.
    await expect(button(/^Save 1\d\d devices/)).toBeEnabled();
    await ann.type(page.getByRole("searchbox"), "0x00158d");
    const unnamed = Array.from({ length: 200 }, (_, at) => at).filter((at) => isUnnamed(at, share));
    for (const [index, room] of rooms.entries()) {
      for (const at of unnamed.filter((_, nth) => nth % rooms.length === index)) {
        const tick = page.getByRole("checkbox", { name: `Select ${address(at)}` });
        for (let tries = 0; (await tick.count()) === 0 && tries < 40; tries += 1) {
          await page.evaluate((first) => (first ? window.scrollTo(0, 0) : window.scrollBy(0, 600)), tries === 0);
          await settled(page);
        }
        await ann.tap(tick);
      }
      await ann.choose(page.getByRole("combobox", { name: "Room for all of them" }), { label: room });
      const none = button("Select none");
      if (await none.isVisible()) await ann.tap(none);
    }
    await ann.tap(button(/^Save 200 devices/));
    await expect(page.getByText("200 devices are saved.")).toBeVisible();
    step("devices in rooms");

    await page.goto("/settings/users");
    ann.taps += 3; // the menu, Settings, Users
    await ann.tap(button("Add user"));
    const form = dialog(page);
    await ann.type(form.getByLabel("Name", { exact: true }), "Ben");
    await ann.type(form.getByLabel("Username"), "ben");
    await ann.type(form.getByLabel("Password", { exact: true }), password);
    await ann.type(form.getByLabel("Confirm password"), password);
    await ann.tap(form.getByRole("button", { name: "Add user" }));
    await expect(form).toHaveCount(0);
    step("a second person");

    await page.goto("/settings/automations");
    ann.taps += 2; // the menu, Automations
    await ann.tap(page.getByRole("link", { name: "Light on motion" }));
    const pick = async (list: string, text: string, option: RegExp) => {
      await ann.type(page.getByRole("combobox", { name: list }).first(), text);
      await ann.tap(page.getByRole("option", { name: option }).first());
    };
    await pick("Motion sensors", "hall", /^Hall motion/);
    await pick("Entities", "hall", /^Hall ceiling light/);
    await ann.tap(button("Save"));
    await expect(page.getByRole("heading", { name: "Light on motion" }).first()).toBeVisible();
    await expect
      .poll(async () => (await hub.rest<State[]>("GET", "/api/states")).filter(({ entity_id }) => /^automation\./.test(entity_id)).length)
      .toBe(1);
    step("an automation");

    const ben = new Person();
    const other = await open("/", { hub, user: "nobody", ...phone });
    await ben.type(other.getByLabel("Username"), "ben");
    await ben.type(other.getByLabel("Password", { exact: true }), password);
    await ben.tap(button("Log in", other));
    for (const room of rooms) await expect(other.locator("hearth-room-tile").filter({ hasText: room })).toHaveCount(1);
    ann.taps += ben.taps;
    ann.letters += ben.letters;
    step("on the second phone");

    for (const [name, taps] of steps) console.log(name, taps);
    console.log({ taps: ann.taps, letters: ann.letters, seconds: (Date.now() - begun) / 1000, browser: browser.version() });
    console.log(`a person: ${((ann.taps * lookAndTap + ann.letters * typeLetter) / 60).toFixed(1)} min`);
  });
