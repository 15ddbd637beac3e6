// SPDX-License-Identifier: Apache-2.0
// Devices that come into a home: many are put into rooms at once, a bridge lets some join, and the demo goes.
import { Broker, publish } from "../broker";
import { calls } from "../calls";
import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { dialog, notices } from "../pages";

let broker: Broker;
test.beforeEach(async () => {
  broker = await Broker.start();
});
test.afterEach(() => broker.stop());

const withBroker = () => ({ configuration: `\nmqtt: {broker: 127.0.0.1, port: ${broker.port}}\n` });

function describe(hub: Hub, component: string, id: string, name: string, keys: object = {}): Promise<unknown> {
  const payload = { unique_id: id, name: null, state_topic: `z/${id}`, device: { identifiers: [id], name }, ...keys };
  return publish(hub, { topic: `homeassistant/${component}/${id}/config`, payload, retain: true });
}

const lamp = (hub: Hub, id: string, name: string) => describe(hub, "light", id, name, { command_topic: `z/${id}/set` });

interface Device {
  id: string;
  area_id: string | null;
  name_by_user: string | null;
}

test("devices are chosen many at a time, renamed and hidden, and nothing is lost while the hub is away", async ({
  open,
  startHub,
  expectComplaint,
}) => {
  expectComplaint(/WebSocket|ERR_|Failed to load resource/, false); // while the hub is away
  const hub = await startHub(withBroker());
  await expect(async () => lamp(hub, "l1", "0x01")).toPass();
  for (const at of [2, 3, 4]) await lamp(hub, `l${at}`, `0x0${at}`);
  await describe(hub, "binary_sensor", "m1", "<b>Kitchen</b> 🕺 ‏חיישן", { device_class: "motion" });
  const page = await open("/settings/devices/rooms", { hub, height: 1_200 });
  await expect(page.locator("hearth-arrange-row")).toHaveCount(5);
  const room = (name: string) => page.getByRole("combobox", { name: new RegExp(`^Room of ${name}`) });
  await expect(room("<b>Kitchen")).toHaveValue("kitchen");

  await page.getByRole("checkbox", { name: "Select 0x01" }).click();
  await page.getByRole("checkbox", { name: "Select 0x03" }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.getByRole("combobox", { name: "Room for all of them" }).selectOption("Bedroom");
  await expect(room("0x02")).toHaveValue("bedroom");
  await page.getByRole("button", { name: /^Light/ }).click();
  await expect(page.getByText("4 selected")).toBeVisible();
  await page.getByRole("button", { name: "Select none" }).click();
  await page.getByRole("textbox", { name: "Name of 0x04" }).fill("x".repeat(255));
  await page.getByRole("button", { name: "Hide 0x03" }).click();

  await hub.end();
  await expect(page.getByRole("button", { name: "Save 5 devices" })).toBeDisabled();
  await hub.begin();
  await expect(page.getByRole("button", { name: "Save 5 devices" })).toBeEnabled({ timeout: 20_000 });
  await page.getByRole("button", { name: "Save 5 devices" }).click();
  await expect(notices(page)).toContainText("5 devices are saved.");
  const { devices, entities } = await hub.rest<{ devices: Device[]; entities: { entity_id: string; hidden_by: string | null }[] }>(
    "GET",
    "/api/registry",
  );
  const device = (id: string) => devices.find((one) => one.id === `mqtt.${id}`);
  expect(["l1", "l2", "l3", "m1"].map((id) => device(id)?.area_id)).toEqual(["bedroom", "bedroom", "bedroom", "kitchen"]);
  expect(device("l4")?.name_by_user).toBe("x".repeat(255));
  expect(entities.filter(({ hidden_by }) => hidden_by === "user")).toHaveLength(1);
  await expect(page.locator("hearth-arrange-row")).toHaveCount(1); // that without a room
});

test("of many devices those near the window are drawn, and what is chosen of others is kept", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  await expect(async () => lamp(hub, "d0", "Thing 0")).toPass();
  await Promise.all(Array.from({ length: 300 }, (_, at) => lamp(hub, `d${at}`, `Thing ${at}`)));
  const page = await open("/settings/devices/rooms", { hub });
  const rows = page.locator("hearth-arrange-row");
  await expect(page.getByText("300 devices", { exact: true })).toBeVisible();
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(130);
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByRole("combobox", { name: "Room for all of them" }).selectOption("Bedroom");
  await expect(page.getByRole("button", { name: "Save 300 devices" })).toBeEnabled();
  await page.getByRole("searchbox").fill("thing 299");
  await expect(rows).toHaveCount(1);
  await rows.getByRole("textbox").fill("Lamp 299");
  await rows.getByRole("textbox").press("Tab");
  await page.getByRole("searchbox").fill("lamp 299"); // by its new name
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole("combobox")).toHaveValue("bedroom");
  await expect(page.getByRole("button", { name: "Save 300 devices" })).toBeEnabled();
});

test("a bridge lets devices join, counts down, says who has joined, and is refused in words", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  const bridge = (part: string, payload: unknown, retain = false) => publish(hub, { topic: `home/z2m/bridge/${part}`, payload, retain });
  const info = (more: object = { permit_join: false }) =>
    bridge("info", { version: "2.12.1", coordinator: { ieee_address: "0x00124b0012345678" }, ...more }, true);
  await expect(async () => bridge("state", { state: "online" }, true)).toPass();
  await info();
  await publish(hub, { topic: "other/bridge/info", payload: "no JSON <b>", retain: true });
  const called = await calls(hub);
  const requests = () =>
    called
      .filter(({ service }) => service === "mqtt.publish")
      .map(({ data }) => data as { topic: string; payload: string })
      .filter(({ topic }) => topic === "home/z2m/bridge/request/permit_join")
      .map(({ payload }) => JSON.parse(payload) as { time: number });
  const page = await open("/settings/devices/add", { hub, height: 1_200 });
  const pairing = page.locator("hearth-pairing");

  await page.getByRole("button", { name: /^Let devices join/ }).click();
  await expect.poll(requests).toMatchObject([{ time: 240 }]);
  await bridge("response/permit_join", { status: "error", data: {}, error: "Adapter <i>busy</i>" });
  await expect(pairing.getByRole("alert")).toContainText("The bridge refuses: Adapter <i>busy</i>");

  await page.getByRole("button", { name: /^Let devices join/ }).click();
  await expect.poll(requests).toHaveLength(2);
  await bridge("response/permit_join", { status: "ok", data: { time: 240 } });
  await info({ permit_join: true, permit_join_end: Date.now() + 240_000 });
  await expect(pairing.getByRole("timer")).toHaveText(/^(4:00|3:5\d)$/);
  const data = { friendly_name: "0x00158d0001a2b3c4", ieee_address: "0x00158d0001a2b3c4" };
  await bridge("event", { type: "device_joined", data });
  await expect(pairing.getByRole("listitem")).toContainText("Joined");
  await bridge("event", { type: "device_interview", data: { ...data, status: "started" } });
  await bridge("event", {
    type: "device_interview",
    data: {
      ...data,
      status: "successful",
      supported: true,
      definition: { vendor: "Aqara", model: "RTCGQ11LM", description: "Motion sensor" },
    },
  });
  await expect(pairing.getByRole("listitem")).toContainText(/Aqara Motion sensor\s+Ready/);
  const device = { identifiers: ["zigbee2mqtt_0x00158d0001a2b3c4"], name: "Hall motion" };
  await describe(hub, "binary_sensor", "hall", "", { device, device_class: "motion" });
  await expect(pairing.getByRole("link", { name: "Hall motion" })).toBeVisible();

  // A page that is opened meanwhile shows the rest of it, and can end it.
  const other = await open("/settings/devices/add", { hub });
  await expect(other.getByRole("timer")).toHaveText(/^3:\d\d$/);
  await other.getByRole("button", { name: /^Stop: / }).click();
  await expect.poll(requests).toMatchObject([{ time: 240 }, { time: 240 }, { time: 0 }]);
  await bridge("response/permit_join", { status: "ok", data: { time: 0 } });
  await info();
  await expect(pairing.getByRole("timer")).toHaveCount(0);
  await expect(pairing.getByText("1 device has joined")).toBeVisible();
  await bridge("state", { state: "offline" }, true);
  await expect(pairing.getByRole("alert")).toContainText("The bridge is offline.");
  await expect(pairing.getByRole("button", { name: /^Let devices join/ })).toBeDisabled();
});

test("a Z-Wave gateway lets a device join, and what it asks is answered on the page", async ({ open, startHub }) => {
  const hub = await startHub(withBroker());
  const base = "zwave/_CLIENTS/ZWAVE_GATEWAY-home";
  const event = (name: string, ...data: unknown[]) =>
    publish(hub, { topic: `zwave/_EVENTS/ZWAVE_GATEWAY-home/${name}`, payload: { data } });
  await expect(async () => publish(hub, { topic: `${base}/status`, payload: { value: true }, retain: true })).toPass();
  await publish(hub, { topic: `${base}/version`, payload: { value: "11.3.0" }, retain: true });
  const called = await calls(hub);
  const asked = () =>
    called
      .filter(({ service }) => service === "mqtt.publish")
      .map(({ data }) => data as { topic: string; payload: string })
      .filter(({ topic }) => topic.startsWith(`${base}/api/`) && topic.endsWith("/set"))
      .map(({ topic, payload }) => [topic.slice(`${base}/api/`.length), (JSON.parse(payload) as { args: unknown[] }).args]);
  const page = await open("/settings/devices/add", { hub, height: 1_200 });
  const gateway = page.locator("hearth-pairing").getByRole("region", { name: "Z-Wave JS UI" });
  await expect(gateway).toContainText("11.3.0");
  await expect.poll(asked).toContainEqual(["getInfo/set", []]);
  await publish(hub, { topic: `${base}/api/getInfo`, payload: { success: true, result: { name: "0xd6a6a3f7", inclusionState: 0 } } });

  await page.getByRole("button", { name: "Let devices join: Z-Wave JS UI" }).click();
  await expect.poll(asked).toContainEqual(["startInclusion/set", [0, { forceSecurity: false }]]);
  await event("controller/inclusion_started", true);
  await publish(hub, { topic: `${base}/api/startInclusion`, payload: { success: true, result: true } });
  await expect(gateway.getByRole("status")).toContainText("Devices may join now");
  await event("controller/node_found", { id: 12 });
  await event("controller/inclusion_stopped");
  await event("controller/grant_security_classes", { securityClasses: [2, 1], clientSideAuth: false });
  await gateway.getByRole("checkbox", { name: /^S2 authenticated/ }).uncheck();
  await gateway.getByRole("button", { name: "Go on" }).click();
  await expect.poll(asked).toContainEqual(["grantSecurityClasses/set", [{ securityClasses: [2], clientSideAuth: false }]]);

  await event("controller/validate_dsk", "-12345-67890-<b>");
  await expect(gateway).toContainText("goes on with -12345-67890-<b>");
  const pin = gateway.getByRole("textbox", { name: /^The first five digits/ });
  await pin.fill("0123");
  await expect(gateway.getByRole("button", { name: "Go on" })).toBeDisabled();
  await pin.fill("01234");
  await pin.press("Enter");
  await expect.poll(asked).toContainEqual(["validateDSK/set", ["01234"]]);
  await expect(pin).toHaveCount(0);

  await event("controller/node_added", { id: 12 });
  await event("node/node_interview_completed", { id: 12, manufacturer: "Yale", productLabel: "Lock", isSecure: true });
  await expect(gateway.getByRole("listitem")).toContainText(/Yale Lock\s+Ready/);
  const device = { identifiers: ["zwavejs2mqtt_0xd6a6a3f7_node12"], name: "Front door" };
  await describe(hub, "lock", "front", "", { device, command_topic: "zwave/front/set" });
  await expect(gateway.getByRole("link", { name: "Front door" })).toBeVisible();

  await event("controller/validate_dsk", "-1");
  await gateway.getByRole("button", { name: "Do not let it join" }).click();
  await expect.poll(asked).toContainEqual(["abortInclusion/set", []]);
  await publish(hub, { topic: `${base}/status`, payload: { value: false }, retain: true });
  await expect(gateway.getByRole("alert")).toContainText("The bridge is offline.");
});

test("the demo says what goes with it, and goes at once", async ({ open, startHub }) => {
  const hub = await startHub();
  const item = { alias: "Evening", triggers: [], actions: [{ action: "light.turn_on", target: { entity_id: "light.hall" } }] };
  await hub.rest("POST", "/api/config/automation/config/evening", item);
  const page = await open("/settings/devices/add", { hub });
  await page.getByRole("listitem").filter({ hasText: "The demo home" }).getByRole("button", { name: "Remove" }).click();
  await expect(dialog(page)).toContainText(/\d\d devices and \d\d+ entities go at once\./);
  await expect(dialog(page).getByRole("link", { name: "Evening" })).toBeVisible();
  await expect(dialog(page)).toContainText("Bedroom");
  await dialog(page).getByRole("button", { name: "Remove all of it" }).click();
  await expect(notices(page)).toContainText("“The demo home” is removed.");
  await expect(page.getByRole("listitem").filter({ hasText: "The demo home" })).toContainText("from the next start");
  await page.goto("/settings/areas");
  // Nothing is left of its rooms: those of the next home are ticked in a list.
  await expect(page.getByRole("button", { name: "Kitchen", pressed: true })).toBeVisible();
  await page.getByRole("button", { name: "Cellar" }).last().click();
  await page.getByRole("button", { name: "Upper floor" }).click();
  await expect(page.getByRole("combobox", { name: "Floor of Bedroom" })).toHaveValue("Upper floor");
  await page.getByRole("button", { name: "Add 5 rooms" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Bedroom" }).first()).toContainText("Upper floor");
});
