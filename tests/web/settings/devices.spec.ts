// SPDX-License-Identifier: Apache-2.0
// Settings → Devices, and the report on discovery under Settings → MQTT, with a real mosquitto.
import { Broker, publish } from "../broker";
import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { repository, type Hub } from "../hub";
import { count, dialog, navigation, notices } from "../pages";

const device = (id: string, name: string) => ({
  identifiers: [id],
  name,
  manufacturer: "Aqara",
  model: "Motion sensor P1",
  sw_version: "1.1.2",
});

// Describes a component of a device.
function describe(hub: Hub, component: string, id: string, keys: object): Promise<unknown> {
  return publish(hub, { topic: `homeassistant/${component}/${id}/config`, payload: { unique_id: id, ...keys }, retain: true });
}

// A motion sensor with what such sensors say of themselves.
async function motionSensor(hub: Hub, id: string, name: string): Promise<void> {
  const common = { device: device(id, name), state_topic: `z/${id}` };
  const measures = { entity_category: "diagnostic", state_class: "measurement" };
  await describe(hub, "binary_sensor", `${id}_motion`, {
    ...common,
    name: "Motion",
    device_class: "motion",
    value_template: "{{ value_json.m }}",
  });
  await describe(hub, "sensor", `${id}_battery`, {
    ...common,
    ...measures,
    name: "Battery",
    device_class: "battery",
    unit_of_measurement: "%",
    value_template: "{{ value_json.battery }}",
  });
  await describe(hub, "sensor", `${id}_lqi`, {
    ...common,
    ...measures,
    name: "Link quality",
    unit_of_measurement: "lqi",
    value_template: "{{ value_json.lqi }}",
  });
  await describe(hub, "sensor", `${id}_last_seen`, {
    ...common,
    name: "Last seen",
    default_entity_id: `sensor.${id}_last_seen`,
    device_class: "timestamp",
    entity_category: "diagnostic",
    value_template: "{{ value_json.seen }}",
  });
  const seen = new Date(Date.now() - 2 * 3600_000).toISOString();
  await publish(hub, { topic: `z/${id}`, payload: { m: "ON", battery: 12, lqi: 87, seen }, retain: true });
}

let broker: Broker;
test.beforeEach(async () => {
  broker = await Broker.start();
});
test.afterEach(() => broker.stop());

const withBroker = () => ({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });

test("new devices are told of once, put into a room, looked at, renamed and removed", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  const page = await open("/overview?view=list", { hub });
  await expect(navigation(page)).toBeVisible();
  const bell = page.getByRole("button", { name: /Notifications/ });
  await expect(bell).toHaveCount(0);
  await expect(async () => motionSensor(hub, "m1", "Shed motion")).toPass(); // once there is a connection
  await motionSensor(hub, "m2", "Attic motion");
  await bell.click();
  await expect(dialog(page)).toContainText("2 new devices");
  await expect(dialog(page)).toContainText("Attic motion, Shed motion");
  await page.screenshot({ path: `${repository}/build/screenshots/new-devices.png` });

  await dialog(page).getByRole("link", { name: "Put in a room" }).click();
  await expect(page.getByRole("heading", { name: "Put devices into rooms" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Show" })).toHaveValue("withoutArea");
  await page.goto("/settings/devices?show=withoutArea");
  const row = (name: string) => page.locator("hearth-device-row").filter({ hasText: name });
  await expect(page.locator("hearth-device-row")).toHaveCount(2);
  await expect(row("Shed motion")).toContainText("Aqara Motion sensor P1");
  await expect(row("Shed motion")).toContainText("12%");
  await expect(row("Shed motion")).toContainText("87 lqi");
  await expect(row("Shed motion")).toContainText("2 hours ago");
  await expect(row("Shed motion")).toContainText("1.1.2");
  for (const width of [2560, 1024, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: `${repository}/build/screenshots/devices-${width}.png` });
  }
  await page.setViewportSize({ width: 1024, height: 800 });
  await page.getByRole("combobox", { name: "Put Shed motion in a room" }).selectOption("Hall");
  await expect(row("Shed motion")).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "Put Attic motion in a room" })).toHaveValue("");
  await expect(bell).toContainText("1");
  await bell.click();
  await dialog(page).getByRole("button", { name: "Dismiss A new device" }).click();
  await expect(bell).toHaveCount(0);

  await page.getByRole("combobox", { name: "Show" }).selectOption("All");
  await page.getByRole("searchbox").fill("shed motion");
  await row("Shed motion").getByRole("link").click();
  await expect(page).toHaveURL(/\/settings\/devices\/[^/?]+$/);
  await expect(page.getByRole("heading", { name: "Shed motion" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Motion", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Diagnostics" })).toBeVisible();
  await expect(page.getByRole("link", { name: "History", exact: true }).last()).toHaveAttribute("href", /entity=.*motion/);
  await page.getByText("What became of its description").click();
  await expect(page.locator("hearth-mqtt-row")).toHaveCount(4);
  await page
    .locator("hearth-device-mqtt summary")
    .filter({ hasText: /^Motion$/ })
    .click();
  await expect(page.locator("hearth-device-mqtt").getByText('"battery":12').first()).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 2_400 });
  await page.screenshot({ path: `${repository}/build/screenshots/device-mqtt.png` });

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("Staircase motion");
  await dialog(page).getByLabel("New label").fill("Security");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Staircase motion", level: 2 })).toBeVisible();
  await expect(page.locator("hearth-device-page .label").filter({ hasText: "Security" })).toBeVisible();

  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(notices(page)).toContainText("Staircase motion has been deleted.");
  await expect(page.getByRole("heading", { name: "Devices" })).toBeVisible();
  await expect.poll(async () => (await hub.rest<object[]>("GET", "/api/mqtt/discovery")).length).toBe(4);
  await page.goto("/developer-tools/mqtt");
  await page.getByLabel("Topics, with + and # for several").fill("homeassistant/+/+/config");
  await page.getByRole("button", { name: "Start listening" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "m2_" })).toHaveCount(4);
  await expect(page.getByRole("listitem").filter({ hasText: "m1_" })).toHaveCount(0); // the broker keeps nothing of it
});

test("who is no administrator is not told of new devices", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  await expect(async () => motionSensor(hub, "m1", "Shed motion")).toPass();
  const told = await open("/overview?view=list", { hub });
  await expect(told.getByRole("button", { name: /Notifications/ })).toBeVisible();
  const page = await open("/overview?view=list", { hub, user: "ben" });
  await page.waitForLoadState("networkidle");
  await expect(page.locator("hearth-bell")).toHaveCount(1);
  await expect(page.getByRole("button", { name: /Notifications/ })).toHaveCount(0);
});

test("firmware is installed, and how far that is can be seen", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  await expect(async () =>
    describe(hub, "update", "lamp_update", {
      device: device("lamp", "Lamp"),
      state_topic: "z/lamp/update",
      command_topic: "z/lamp/set",
      name: "Firmware",
    }),
  ).toPass();
  const report = (payload: object) => publish(hub, { topic: "z/lamp/update", payload, retain: true });
  await report({ installed_version: "1.0", latest_version: "1.1", release_summary: "Fewer faults." });
  const page = await open("/settings/devices?show=updates", { hub });
  const row = page.locator("hearth-device-row");
  await expect(row.filter({ hasText: "Lamp" })).toContainText("1.0 Update");
  await row.getByRole("link", { name: "Lamp" }).click();
  const called = await calls(hub);
  await page.getByRole("button", { name: /^Install/ }).click();
  await expect.poll(() => called.map(({ service }) => service)).toContain("update.install");
  await report({ in_progress: true, update_percentage: 40, installed_version: "1.0", latest_version: "1.1" });
  const bar = page.getByRole("progressbar", { name: /Installing: / });
  await expect(bar).toHaveAttribute("value", "40");
  await expect(page.getByText("Installing 40%")).toBeVisible();
  await page.screenshot({ path: `${repository}/build/screenshots/device-installing.png` });
  await report({ in_progress: false, update_percentage: null, installed_version: "1.1", latest_version: "1.1" });
  await expect(bar).toHaveCount(0);
  await expect(page.locator("hearth-device-page dd").filter({ hasText: "1.1" }).first()).toBeVisible();
});

test("the report says what was made, what was left out and why something was refused", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  await expect(async () => describe(hub, "number", "wrong", { name: "Wrong", command_topic: "n/set", min: 50, max: 5 })).toPass();
  await describe(hub, "sensor", "partly", { name: "Partly", state_topic: "n/partly", state_class: "sideways" });
  await describe(hub, "switch", "whole", { name: "Whole", command_topic: "n/whole" });
  const page = await open("/settings/mqtt", { hub });
  const row = (text: string) => page.locator("hearth-mqtt-row").filter({ hasText: text });
  await expect(row("homeassistant/number/wrong")).toContainText("max: expected more than min");
  await expect(row("homeassistant/number/wrong")).toContainText("Refused");
  await expect(row("homeassistant/sensor/partly")).toContainText("Left out: state_class");
  await expect(row("homeassistant/switch/whole")).toContainText("Made");
  for (const width of [2560, 1024, 360]) {
    await page.setViewportSize({ width, height: 1_600 });
    await page.screenshot({ path: `${repository}/build/screenshots/mqtt-report-${width}.png` });
  }
  await page.setViewportSize({ width: 1024, height: 1_600 });
  const rows = () => count(page, "hearth-mqtt-row");
  await page.getByRole("combobox", { name: "Show" }).selectOption("refused");
  await expect.poll(rows).toBe(1);
  await page.getByRole("combobox", { name: "Show" }).selectOption("");
  await page.getByRole("searchbox").fill("sideways");
  await expect.poll(rows).toBe(1);
  await expect(row("partly")).toBeVisible();
});

test("devices are added on one page: the broker is connected there, what it has is counted as it comes, and rooms are next", async ({
  open,
  startHub,
}) => {
  // What the broker has kept is of another home.
  const other = await startHub(withBroker());
  await expect(async () => motionSensor(other, "hall", "Hall sensor")).toPass();
  await motionSensor(other, "attic", "Attic sensor");
  const hub = await startHub();
  const page = await open("/settings/devices/add", { hub, height: 1_200 });
  await expect(page.getByRole("heading", { name: "Add devices" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Helpers and calculated sensors" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "The demo home" })).toContainText("On");
  await expect(page.getByRole("button", { name: /^(Restart|Stop)$/ })).toHaveCount(0);
  await page.getByLabel("Host name or address", { exact: true }).fill("127.0.0.1");
  await page.getByLabel("Port", { exact: true }).fill(String(broker.port));
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/^This works:/)).toBeVisible();
  await page.getByRole("button", { name: /^(Connect|Save)$/ }).click();
  await expect(page.getByText("2 devices were found over MQTT.")).toBeVisible();

  // The report's count runs along, too.
  const report = await open("/settings/mqtt", { hub });
  const all = report.getByRole("combobox", { name: "Show" }).getByRole("option").first();
  await expect(all).toHaveText("All (8)");
  await motionSensor(other, "cellar", "Cellar sensor");
  await expect(all).toHaveText("All (12)");
  await expect(page.getByText("3 devices were found over MQTT.")).toBeVisible();
  await page.getByRole("link", { name: "Put 3 devices into rooms" }).click();
  await expect(page).toHaveURL(/\/settings\/devices\/rooms/);
  const room = (name: string) => page.getByRole("combobox", { name: `Room of ${name}, suggested` });
  await expect(room("Hall sensor")).toHaveValue("hall");
  await expect(room("Cellar sensor").getByRole("option", { name: "Cellar (new)" })).toHaveJSProperty("selected", true);
  await page.getByRole("button", { name: "Save 3 devices" }).click();
  await expect(notices(page)).toContainText("3 devices are saved.");
  await expect(page.getByText("Every device has a room.")).toBeVisible();
  await page.getByRole("link", { name: "To the overview" }).click();
  await expect(page.getByText("Cellar", { exact: true }).first()).toBeVisible();
});

for (const language of ["en-GB", "de-DE"]) {
  test(`the tabs of Settings are one row, and the current one is in view (${language})`, async ({ open }) => {
    const page = await open("/settings/system", { language, width: 1024 });
    const row = page.locator("hearth-tabs nav");
    const links = row.getByRole("link");
    const current = row.locator("[aria-current]");
    const isOneRow = async () =>
      new Set((await Promise.all((await links.all()).map((link) => link.boundingBox()))).map((box) => box?.y)).size === 1;
    await expect.poll(isOneRow).toBe(true);
    await expect(current).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(current).toBeInViewport({ ratio: 1 });
    expect(await isOneRow()).toBe(true);
  });
}
