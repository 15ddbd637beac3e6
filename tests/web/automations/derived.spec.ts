// SPDX-License-Identifier: Apache-2.0
// Sensors made of others, made, changed and deleted on the page.
import type { Locator, Page } from "@playwright/test";

import { expect, test, type Given } from "../fixtures";
import type { Hub } from "../hub";
import { looksRight } from "../looks_right";
import { dialog } from "../pages";

async function begin(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add helper" }).click();
  await dialog(page).getByLabel("Kind", { exact: true }).selectOption({ label: kind });
  await dialog(page).getByLabel("Name", { exact: true }).fill(name);
}

async function pick(page: Page, label: string, text: string): Promise<void> {
  await dialog(page).getByRole("combobox", { name: label, exact: true }).fill(text);
  await dialog(page)
    .getByRole("option", { name: new RegExp(`^${text}`) })
    .click();
}

async function end(page: Page, action = "Add helper"): Promise<void> {
  await dialog(page).getByRole("button", { name: action }).click();
  await expect(dialog(page)).toHaveCount(0);
}

// Of a sensor that is 8.
async function beginFilter({ open, startHub }: Pick<Given, "open" | "startHub">): Promise<{ hub: Hub; page: Page; first: Locator }> {
  const hub = await startHub();
  await hub.setState("sensor.a", "8", { friendly_name: "Aaa" });
  const page = await open("/settings/automations", { hub, width: 1280 });
  await begin(page, "Smoothed sensor", "Smooth");
  await pick(page, "Entity", "Aaa");
  await dialog(page).getByRole("button", { name: "Add filter" }).click();
  const first = dialog(page).getByRole("group", { name: "Filter 1" });
  return { hub, page, first };
}

const row = (page: Page, name: string) => page.locator("hearth-helpers").getByRole("listitem").filter({ hasText: name });
const valueOf = (hub: Hub, id: string) => expect.poll(async () => (await hub.state(id)).state);

for (const width of [1280, 360]) {
  test(`the mean of several sensors is made, changed and deleted, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    await hub.setState("sensor.a", "2", { friendly_name: "Aaa" });
    await hub.setState("sensor.b", "5", { friendly_name: "Bbb" });
    const page = await open("/settings/automations", { hub, width });
    await begin(page, "Combination of sensors", "Both");
    await expect(dialog(page).getByText("Mean, smallest or largest of several sensors.")).toBeVisible();
    // What lacks is said at the field, which has the focus.
    await dialog(page).getByRole("button", { name: "Add helper" }).click();
    await expect(dialog(page).locator("hearth-derived-fields").getByRole("alert")).toHaveText("Fill this in.");
    await expect(dialog(page).getByRole("combobox", { name: "Sensors", exact: true })).toBeFocused();
    await pick(page, "Sensors", "Aaa");
    await pick(page, "Sensors", "Bbb");
    await dialog(page).getByLabel("Shows").selectOption({ label: "mean" });
    await dialog(page).getByLabel("Decimals").fill("1");
    await end(page);
    await valueOf(hub, "sensor.both").toBe("3.5");
    await expect(row(page, "Both")).toContainText("Combination of sensors · 3.5");

    await page.getByRole("button", { name: "Edit Both" }).click();
    await expect(dialog(page).getByLabel("Shows")).toHaveValue("mean");
    await expect(dialog(page).getByLabel("Decimals")).toHaveValue("1");
    await dialog(page).getByLabel("Name", { exact: true }).fill("All");
    await dialog(page).getByLabel("Shows").selectOption({ label: "largest" });
    await end(page, "Save");
    await valueOf(hub, "sensor.both").toBe("5.0");
    await expect(row(page, "All")).toContainText("5");

    await page.getByRole("button", { name: "Delete All" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await expect(row(page, "All")).toHaveCount(0);
    await expect(page.locator("hearth-helpers")).toContainText("There are no helpers yet.");
  });
}

test("a meter counts by tariffs, and what is wrong is said at its field", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.setState("sensor.e", "10", { friendly_name: "Energy", unit_of_measurement: "kWh" });
  const page = await open("/settings/automations", { hub, width: 1280 });
  await begin(page, "Consumption meter", "Used");
  await pick(page, "Source", "Energy");
  await dialog(page).getByLabel("Begins anew", { exact: true }).selectOption({ label: "every day" });
  await dialog(page).getByLabel("Tariffs").fill("peak\npeak");
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page).getByText("Tariffs: peak stands there twice")).toBeVisible();
  await expect(dialog(page).getByLabel("Tariffs")).toBeFocused();
  await dialog(page).getByLabel("Tariffs").fill("peak\nnight");
  await looksRight(page, "derived-meter", { fullPage: false });
  await end(page);
  await valueOf(hub, "sensor.used_peak").toBe("0");
  await expect(row(page, "Used")).toContainText("peak");
  await hub.setState("sensor.e", "12.5", { friendly_name: "Energy", unit_of_measurement: "kWh" });
  await valueOf(hub, "sensor.used_peak").toBe("2.5");

  await page.getByRole("button", { name: "Edit Used" }).click();
  await expect(dialog(page).getByLabel("Tariffs")).toHaveValue("peak\nnight");
  await dialog(page).getByLabel("Tariffs").fill("peak");
  await end(page, "Save");
  await expect
    .poll(() =>
      hub.state("sensor.used_night").then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  await valueOf(hub, "sensor.used_peak").toBe("2.5");
});

for (const [language, width] of [
  ["en-GB", 1280],
  ["de-DE", 360],
] as const) {
  test(`what the hub refuses stands at its field, by the labels, in ${language} at ${width} px`, async ({ open, startHub }) => {
    const isGerman = language === "de-DE";
    const hub = await startHub();
    await hub.setState("sensor.a", "2", { friendly_name: "Aaa" });
    const page = await open("/settings/automations", { hub, width, language });
    const begin = async (kind: string) => {
      await page.getByRole("button", { name: isGerman ? "Helfer hinzufügen" : "Add helper" }).click();
      await dialog(page).locator("#kind").selectOption(kind);
      await dialog(page).getByLabel("Name", { exact: true }).fill("Made");
    };
    const end = () =>
      dialog(page)
        .getByRole("button", { name: isGerman ? "Helfer hinzufügen" : "Add helper" })
        .click();
    const field = (label: string) =>
      dialog(page)
        .locator("hearth-selector-field")
        .filter({ has: page.getByText(label, { exact: true }) });
    const says = (label: string, text: string) => expect(field(label).getByRole("alert")).toHaveText(text);
    const [lower, upper] = isGerman ? ["An unter", "An über"] : ["On below", "On above"];
    await begin("threshold");
    await pick(page, isGerman ? "Entität" : "Entity", "Aaa");
    await end();
    await says(lower, isGerman ? "„An unter“, „An über“ oder beides wird gebraucht" : "Expected “On below”, “On above” or both");
    await expect(field(lower).getByRole("spinbutton")).toBeFocused();
    await page.keyboard.type("5");
    await field(upper).getByRole("spinbutton").fill("3");
    await end();
    await says(upper, isGerman ? "An über: muss mehr als „An unter“ sein" : "On above: expected more than “On below”");
    const hysteresis = isGerman ? "Hysterese" : "Hysteresis";
    await field(hysteresis).getByRole("spinbutton").fill("-3");
    await says(hysteresis, isGerman ? "Gib eine Zahl ab 0 ein." : "Enter a number of 0 or more.");
    // A default does not come back while somebody types.
    await field(hysteresis).getByRole("spinbutton").fill("1");
    await field(hysteresis).getByRole("spinbutton").press("Backspace");
    await expect(field(hysteresis).getByRole("spinbutton")).toHaveValue("");
    await page.keyboard.press("Escape");

    await begin("bayesian");
    await field(isGerman ? "Wahrscheinlichkeit ohne Beobachtung" : "Probability without any observation")
      .getByRole("spinbutton")
      .fill("0.2");
    await dialog(page)
      .getByRole("button", { name: isGerman ? "Beobachtung hinzufügen" : "Add observation" })
      .click();
    await dialog(page)
      .getByLabel(isGerman ? "Was beobachtet wird" : "What is observed")
      .selectOption("numeric_state");
    const [isSo, isNot] = isGerman
      ? ["Wahrscheinlichkeit, wenn es so ist", "Wahrscheinlichkeit, wenn es nicht so ist"]
      : ["Probability if it is so", "Probability if it is not"];
    await field(isSo).getByRole("spinbutton").fill("0.6");
    await end();
    await says(isNot, isGerman ? "Fülle das aus." : "Fill this in.");
    await expect(field(isNot).getByRole("spinbutton")).toBeFocused();
    await says(isGerman ? "Über" : "Above", isGerman ? "„Über“, „Unter“ oder beides wird gebraucht" : "Expected “Above”, “Below” or both");
    await field(isNot).getByRole("spinbutton").fill("2");
    await end();
    await says(isNot, isGerman ? "Gib eine Zahl von 0 bis 1 ein." : "Enter a number from 0 to 1.");
    await looksRight(page, "derived-observations", { fullPage: false, widths: [width] });
  });
}

test("what is wrong in one of several filters keeps them from being saved", async ({ open, startHub }) => {
  const { hub, page, first } = await beginFilter({ open, startHub });
  await first.getByLabel("Window").fill("3");
  await first.getByLabel("Window").fill("-3");
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(first.getByRole("alert")).toHaveText(/^Enter a number /);
  await expect(first.getByLabel("Window")).toHaveValue("-3");
  await expect(dialog(page).getByText(/^Filter 1: Enter a number /)).toBeVisible();
  await first.getByLabel("Window").fill("3");
  await end(page);
  await valueOf(hub, "sensor.smooth").toBe("8.0");
});

test("one that makes several sensors is listed by its own name, with each of them", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub, width: 360 });
  await begin(page, "Clock and date", "Kitchen clock");
  await dialog(page).getByRole("checkbox", { name: "Time", exact: true }).uncheck();
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page).locator("hearth-derived-fields").getByRole("alert")).toHaveText(
    "Sensors: expected one display option or several",
  );
  for (const name of ["Time", "Date"]) await dialog(page).getByRole("checkbox", { name, exact: true }).check();
  await end(page);
  await expect(row(page, "Kitchen clock")).toContainText(/Clock and date · Time \d\d:\d\d · Date /);
  await expect(row(page, "Kitchen clock").getByRole("link", { name: "Date" })).toHaveAttribute("href", "?entity=sensor.date");
  await page.getByRole("button", { name: "Edit Kitchen clock" }).click();
  await dialog(page).getByRole("checkbox", { name: "Time", exact: true }).uncheck();
  await end(page, "Save");
  await expect(row(page, "Kitchen clock")).toContainText(/Clock and date · Date /);
  await page.getByRole("button", { name: "Delete Kitchen clock" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("hearth-helpers")).toContainText("There are no helpers yet.");
});

test("how often something was on today is counted from history", async ({ open, startHub }) => {
  const hub = await startHub();
  const page = await open("/settings/automations", { hub, width: 1280 });
  await begin(page, "Time in a state", "Pump starts");
  await pick(page, "Entity", "Garden pump");
  await dialog(page).getByLabel("States").fill("on");
  await dialog(page).getByLabel("Shows").selectOption({ label: "how often" });
  await dialog(page).getByLabel("Start", { exact: true }).fill("{{ today_at() }}");
  await dialog(page).getByRole("button", { name: "Add helper" }).click();
  await expect(dialog(page).getByRole("alert")).toHaveText("Expected two of “Start”, “End” and “Duration”");
  await dialog(page).getByLabel("End", { exact: true }).fill("{{ now() }}");
  await end(page);
  await hub.call("switch", "turn_off", { entity_id: "switch.garden_pump" });
  await expect.poll(async () => Number((await hub.state("sensor.pump_starts")).state)).toBeGreaterThanOrEqual(0);
  const before = Number((await hub.state("sensor.pump_starts")).state);
  await hub.call("switch", "turn_on", { entity_id: "switch.garden_pump" });
  await valueOf(hub, "sensor.pump_starts").toBe(String(before + 1));
});

test("filters are put one after the other @all", async ({ open, startHub }) => {
  const { hub, page, first } = await beginFilter({ open, startHub });
  await first.getByLabel("Kind").selectOption({ label: "Range" });
  await first.getByLabel("Greatest").fill("5");
  await dialog(page).getByRole("button", { name: "Add filter" }).click();
  await expect(dialog(page).getByRole("group", { name: "Filter 2" }).getByLabel("Furthest from the median")).toHaveValue("2");
  await looksRight(page, "derived-filter", { fullPage: false });
  await dialog(page).getByRole("button", { name: "Delete Filter 2" }).click();
  await end(page);
  await valueOf(hub, "sensor.smooth").toBe("5.0");
});

test("those of files are shown as such, and only files change them", async ({ open, startHub }) => {
  const hub = await startHub({ configuration: "\nsensor:\n  - {platform: min_max, name: Of a file, entity_ids: [sensor.a]}\n" });
  await hub.setState("sensor.a", "2");
  const page = await open("/settings/automations", { hub });
  await expect(row(page, "Of a file")).toContainText("Combination of sensors · 2.0 · from a file");
  await expect(row(page, "Of a file").getByRole("button")).toHaveCount(0);
  await looksRight(page, "derived-list", { fullPage: true });
});
