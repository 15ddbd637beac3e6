// SPDX-License-Identifier: Apache-2.0
// What a device is, and what it is told, in sentences.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import { fits } from "../pages";
import { add, choose, save, section } from "../sentences";

interface Device {
  id: string;
  name: string;
}

for (const width of [1280, 360]) {
  test(`a device is asked and told, from nothing, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    const { devices } = await hub.rest<{ devices: Device[] }>("GET", "/api/registry");
    const idOf = (name: string) => devices.find((device) => device.name === name)?.id;
    const page = await open("/settings/automations/new-automation", { hub, width });
    await page.getByLabel("Name", { exact: true }).fill("By device");
    const when = section(page, "When");
    await add(when, /^A device reports/);
    await when.getByRole("button", { name: /^Device/ }).click();
    await choose(page, "front door lock", /^Front door lock/);
    await when.getByRole("combobox", { name: "What it tells" }).selectOption({ label: "it is Unlocked" });

    const andIf = section(page, "And if");
    await add(andIf, /^A device is in a state/);
    await andIf.getByRole("button", { name: /^Device/ }).click();
    await choose(page, "front door lock", /^Front door lock/);
    await andIf.getByRole("combobox", { name: "What holds" }).selectOption({ label: "is Locked" });
    await add(andIf, /^A device is in a state/);
    await andIf.getByRole("button", { name: "Device: choose: Device" }).click();
    await choose(page, "weather", /^Weather station/);
    await andIf.getByRole("combobox", { name: "What holds" }).last().selectOption({ label: "Value of Outdoor temperature is" });
    await andIf.getByRole("spinbutton", { name: "Limit (°C)" }).fill("20.5");

    const then = section(page, "Then do");
    await add(then, /^Tell a device/);
    await then.getByRole("button", { name: /^Device/ }).click();
    await choose(page, "kitchen blind", /^Kitchen blind/);
    await then.getByRole("combobox", { name: "What it is to do" }).selectOption({ label: "Set position" });
    await then.getByRole("spinbutton", { name: /^Position/ }).fill("70");
    await fits(page);
    await save(page);
    await expect(page.getByRole("heading", { name: "By device" })).toBeVisible();
    const { attributes } = await hub.state("automation.by_device");
    expect(await hub.rest("GET", `/api/config/automation/config/${String(attributes.id)}`)).toMatchObject({
      triggers: [{ trigger: "device", device_id: idOf("Front door lock"), domain: "lock", entity_id: "lock.front_door", type: "unlocked" }],
      conditions: [
        { condition: "device", device_id: idOf("Front door lock"), domain: "lock", entity_id: "lock.front_door", type: "is_locked" },
        {
          condition: "device",
          device_id: idOf("Weather station"),
          domain: "sensor",
          entity_id: "sensor.outdoor_temperature",
          type: "is_temperature",
          above: 20.5,
        },
      ],
      actions: [
        { device_id: idOf("Kitchen blind"), domain: "cover", entity_id: "cover.kitchen_blind", type: "set_position", position: 70 },
      ],
    });
    await then.getByRole("button", { name: /^Change: Kitchen blind/ }).click();
    await page.getByRole("menuitem", { name: "Do this now" }).click();
    await expect.poll(async () => (await hub.state("cover.kitchen_blind")).attributes.current_position).toBe(70);
  });
}

test("a device's condition is added, chosen and changed without a mouse", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations/new-automation", { hub });
  const search = page.locator("hearth-pick").getByRole("searchbox");
  await section(page, "And if").getByRole("button", { name: "Add a condition" }).focus();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("a device is");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Device: choose: Device" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("kitchen light");
  await page.keyboard.press("Enter");
  const device = page.getByRole("button", { name: "Device: Kitchen light" });
  await expect(device).toBeFocused();
  await page.keyboard.press("Tab");
  const what = page.getByRole("combobox", { name: "What holds" });
  await expect(what).toBeFocused();
  await page.keyboard.type("is Off");
  await expect(page.getByRole("group", { name: "Kitchen light is Off", exact: true })).toBeVisible();
  await expect(what).toBeFocused();

  // Another device is asked the same.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("hall light");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Hall light is Off", exact: true })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("group", { name: "Kitchen light is Off", exact: true })).toBeVisible();
});

const text = `- id: kept
  alias: Kept
  triggers:
    - device_id: 0123456789abcdef0123456789abcdef   # was thrown away
      platform: device
      domain: binary_sensor
      entity_id: binary_sensor.gone
      type: motion
  conditions:
    - {condition: device, device_id: DOOR, domain: lock, entity_id: LOCK, type: is_locked}  # by its id
    - condition: device
      device_id: DOOR
      domain: lock
      entity_id: lock.front_door
      type: is_unlocked
      for: 00:05:00   # a while
  actions:
    # brighter
    - type: brightness_increase   # a bit
      domain: light
      device_id: 'LAMP'
      entity_id: light.kitchen
    - type: turn_on   # in the evening
      device_id: LAMP
      entity_id: light.kitchen
      domain: light
      brightness_pct: 0x32
      metadata: {}
`;

test("steps and conditions of devices in a file are read in the page's language, and keep their text", async ({ open, startHub }) => {
  const hub = await startHub();
  const { devices, entities } = await hub.rest<{ devices: Device[]; entities: { id: string; entity_id: string }[] }>(
    "GET",
    "/api/registry",
  );
  const idOf = (name: string) => devices.find((device) => device.name === name)?.id ?? "";
  const lock = entities.find(({ entity_id }) => entity_id === "lock.front_door")?.id ?? "";
  const file = join(hub.folder, "automations.yaml");
  const filled = text.replaceAll("DOOR", idOf("Front door lock")).replaceAll("LOCK", lock).replaceAll("LAMP", idOf("Kitchen light"));
  writeFileSync(file, filled);
  await hub.call("automation", "reload", {});
  const page = await open("/settings/automations/automation.kept", { hub, language: "de-DE", width: 360 });
  for (const said of [
    "unbekanntes Gerät 0123456789abcdef0123456789abcdef meldet: Bewegung ist Erkannt",
    "Front door lock ist Verriegelt",
    "Front door lock ist Entriegelt seit mindestens 5 Minuten",
    "Kitchen light: Heller",
    "Kitchen light: Einschalten Helligkeit: 50 %",
  ])
    await expect(page.getByRole("group", { name: said, exact: true })).toBeVisible();
  await page.getByRole("combobox", { name: "Was es tun soll" }).first().selectOption({ label: "Dunkler" });
  await page.getByRole("combobox", { name: "Was gilt" }).last().selectOption({ label: "ist Verriegelt" });
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await expect(page.getByText("Noch nicht gespeichert")).toHaveCount(0);
  expect(readFileSync(file, "utf8")).toBe(filled.replace("brightness_increase", "brightness_decrease").replace("is_unlocked", "is_locked"));
});
