// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "../fixtures";
import { dialog, notices } from "../pages";

test("a state is found, set and deleted", async ({ open, hub }) => {
  const page = await open("/developer-tools");
  await page.getByRole("searchbox", { name: "Filter" }).fill("kitchen");
  await expect(page.getByRole("row").filter({ hasText: "light.kitchen" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "light.hall" })).toHaveCount(0);

  await page.getByLabel("Entity id").fill("sensor.made_here");
  await page.getByLabel("State", { exact: true }).fill("21.5");
  await page.getByLabel("Attributes").fill('{"unit_of_measurement": "°C", broken}');
  await page.getByRole("button", { name: "Set state" }).click();
  await expect(page.getByRole("alert")).toContainText("Line 1, column");
  await page.getByLabel("Attributes").fill('{"unit_of_measurement": "°C"}');
  await page.getByRole("button", { name: "Set state" }).click();
  await expect(notices(page)).toContainText("sensor.made_here has been created");
  expect(await hub.state("sensor.made_here")).toMatchObject({ state: "21.5", attributes: { unit_of_measurement: "°C" } });

  await page.getByRole("searchbox", { name: "Filter" }).fill("made_here");
  await page.getByRole("row").filter({ hasText: "sensor.made_here" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(notices(page)).toContainText("sensor.made_here has been deleted");
  await expect(page.getByRole("row").filter({ hasText: "sensor.made_here" })).toHaveCount(0);
  await expect(hub.state("sensor.made_here")).rejects.toThrow("404");
});

test("an entity id that cannot be is refused with the hub's reason", async ({ open, expectComplaint }) => {
  expectComplaint(/status of 400/);
  const page = await open("/developer-tools");
  await page.getByLabel("Entity id").fill("no dot");
  await page.getByLabel("State", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Set state" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Invalid entity ID specified.");
});

test("the list of states moves as the home moves", async ({ open, hub }) => {
  const page = await open("/developer-tools");
  await page.getByRole("searchbox", { name: "Filter" }).fill("garden_pump");
  const row = page.getByRole("row").filter({ hasText: "switch.garden_pump" });
  await expect(row.getByRole("gridcell", { name: "off", exact: true })).toBeVisible();
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await expect(row.getByRole("gridcell", { name: "on", exact: true })).toBeVisible({ timeout: 1_000 });
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
});

test("a service is picked, its form filled, and its answer shown", async ({ open, hub, expectComplaint }) => {
  expectComplaint(/status of 400/);
  const page = await open("/developer-tools/services");
  await page.getByRole("combobox", { name: "Service" }).fill("light.turn_on");
  await page
    .getByRole("option", { name: /light\.turn_on/ })
    .first()
    .click();
  await page.getByRole("combobox", { name: "Entities" }).fill("light.kitchen");
  await page
    .getByRole("option", { name: /light\.kitchen/ })
    .first()
    .click();
  await page.getByRole("spinbutton", { name: "brightness_pct" }).fill("40");
  await expect(page.getByRole("checkbox", { name: "Send brightness_pct" })).toBeChecked();
  await page.getByRole("checkbox", { name: "Send transition" }).check();
  await page.getByRole("checkbox", { name: "Send transition" }).uncheck();
  await page.getByRole("button", { name: "Call service" }).click();
  await expect(page.getByText("One state has changed")).toBeVisible();
  expect((await hub.state("light.kitchen")).attributes.brightness).toBe(102);

  // What the form holds is the same text in YAML and in JSON.
  await page.locator("hearth-segments").getByText("YAML", { exact: true }).click();
  await expect(page.getByLabel("Data", { exact: false }).last()).toHaveValue(/brightness_pct: 40/);
  await page.locator("hearth-segments").getByText("JSON", { exact: true }).click();
  const data = page.getByLabel("Data", { exact: false }).last();
  await expect(data).toHaveValue(/"brightness_pct": 40/);
  await data.fill('{"target": {"entity_id": "light.kitchen"}, "brightness_pct": 4000}');
  await page.getByRole("button", { name: "Call service" }).click();
  await expect(page.getByRole("main").getByRole("alert").or(notices(page)).filter({ hasText: "brightness_pct" })).toBeVisible();
  expect((await hub.state("light.kitchen")).attributes.brightness).toBe(102);
  await hub.call("light", "turn_off", { entity_id: "light.kitchen" });
});

test("events are fired, heard live, filtered, and held back by a pause", async ({ open, hub }) => {
  const page = await open("/developer-tools/events");
  const heard = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await page.getByRole("button", { name: "Start listening" }).click();
  await expect(page.getByText("Nothing has happened yet")).toBeVisible();
  await hub.rest("POST", "/api/events/doorbell_rung", { button: "</b><b>front" });
  await expect(heard("doorbell_rung")).toContainText("</b><b>front");

  await page.getByLabel("Event type").fill("letter_came");
  await page.getByLabel("Event data").fill("from: Ann\ncolour: blue");
  await page.getByRole("button", { name: "Fire event" }).click();
  await expect(heard("letter_came")).toContainText("blue");

  await page.getByRole("searchbox").fill("letter");
  await expect(heard("doorbell_rung")).toHaveCount(0);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Pause" }).click();
  await hub.rest("POST", "/api/events/parcel_came", {});
  await expect(page.getByText("One event waits")).toBeVisible();
  await expect(heard("parcel_came")).toHaveCount(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(heard("parcel_came")).toBeVisible();

  await page.getByRole("button", { name: "Stop listening" }).click();
  await hub.rest("POST", "/api/events/nobody_hears", {});
  await page.getByRole("button", { name: "Start listening" }).click();
  await hub.rest("POST", "/api/events/somebody_hears", {});
  await expect(heard("somebody_hears")).toBeVisible();
  await expect(heard("nobody_hears")).toHaveCount(0);
});

test("the API is described, and can be tried", async ({ open, expectComplaint }) => {
  expectComplaint(/status of 404/);
  const page = await open("/developer-tools/api");
  const endpoint = page.locator("hearth-api-endpoint").filter({ hasText: /GET\s*\/api\/states\/\{entity_id\}/ });
  await endpoint.locator("summary").first().click();
  await endpoint.getByLabel("entity_id").fill("light.kitchen");
  await endpoint.getByRole("button", { name: "Try" }).click();
  await expect(endpoint.getByText("200 OK")).toBeVisible();
  await expect(endpoint).toContainText('"entity_id": "light.kitchen"');
  await endpoint.getByLabel("entity_id").fill("light.nowhere");
  await endpoint.getByRole("button", { name: "Try" }).click();
  await expect(endpoint.getByText("404 Not Found")).toBeVisible();
  await expect(endpoint).toContainText("Entity not found.");
});

test("a template is rendered as it is written, and again when the home moves", async ({ open, hub }) => {
  await hub.setState("sensor.of_template", "1");
  const page = await open("/developer-tools/template");
  const write = page.getByRole("textbox", { name: "Template" });
  const result = page.getByRole("group", { name: "Result" });
  await write.fill("{{ states('sensor.of_template') | float + 1 }}");
  await expect(result).toHaveText("2");
  await expect(page.getByText("A number")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "sensor.of_template" })).toBeVisible();
  await hub.setState("sensor.of_template", "4");
  await expect(result).toHaveText("5");
  await hub.setState("sensor.of_template", "none");
  await expect(page.getByRole("alert")).toContainText("Line 1: ");
  await write.fill("\n{% if %}");
  await expect(page.getByRole("alert")).toContainText("Line 2: ");
  await write.fill("{{ 'a' }}{{ now().year }}");
  await expect(result).toContainText("a20");
  await expect(page.getByText("the time, each minute")).toBeVisible();
  await hub.rest("DELETE", "/api/states/sensor.of_template"); // the home is that of other tests, too
});
