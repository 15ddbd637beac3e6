// SPDX-License-Identifier: Apache-2.0
// Triggers and conditions by purpose in sentences: "A light in Kitchen turns on".
import { AxeBuilder } from "@axe-core/playwright";

import { purposes, type Purpose } from "../../../web/src/views/automation/sentences/purpose_table";
import { expect, test } from "../fixtures";
import type { Hub } from "../hub";
import { fits } from "../pages";
import { choose, row, save, section } from "../sentences";

const stored = (hub: Hub, id: string) => hub.rest<Record<string, unknown>>("GET", `/api/config/automation/config/${id}`);

for (const width of [1280, 360]) {
  test(`a light of a room, the warmth of another and its doors: from nothing, at ${width} px`, async ({ open, startHub }) => {
    const hub = await startHub();
    const page = await open("/settings/automations/new-automation", { hub, width });
    await page.getByLabel("Name", { exact: true }).fill("By purpose");
    const [when, andIf] = [section(page, "When"), section(page, "And if")];

    await when.getByRole("button", { name: "Add a trigger" }).click();
    await choose(page, "light turns on", /^A light turns on/);
    await when.getByRole("button", { name: /^for what/ }).click();
    await choose(page, "kitchen", /^Kitchen$/, true);
    const more = page.getByRole("button", { name: /^Say more: A light in Kitchen turns on/ });
    await more.click();
    await page.getByRole("menuitemcheckbox", { name: "For how long" }).click();
    await more.click();
    await page.getByRole("menuitemcheckbox", { name: "Each of them, the first or the last" }).click();
    await when.getByRole("combobox", { name: "How many" }).selectOption({ label: "and only the last counts" });
    await more.click();
    await page.getByRole("menuitemcheckbox", { name: "Except for some of them" }).click();
    await when.getByRole("button", { name: /^for what not/ }).click();
    await choose(page, "kitchen light", /^Kitchen light/, true);
    await expect(
      row(page, "A light in Kitchen turns on, except for Kitchen light and stays so for 5 minutes, and only the last counts"),
    ).toBeVisible();

    await when.getByRole("button", { name: "Add a trigger" }).click();
    await choose(page, "temperature goes", /^A temperature goes/);
    const warm = when.locator("hearth-sentence-row").last();
    await warm.getByRole("button", { name: /^for what/ }).click();
    await choose(page, "bedroom", /^Bedroom$/, true);
    await warm.getByRole("combobox", { name: "above or below" }).selectOption({ label: "between" });
    await warm.getByRole("spinbutton", { name: "Lower limit" }).fill("18.5");
    await warm.getByRole("spinbutton", { name: "Upper limit" }).fill("22");

    await andIf.getByRole("button", { name: "Add a condition" }).click();
    await choose(page, "window is closed", /^A window is closed/);
    await andIf.getByRole("button", { name: /^for what/ }).click();
    await choose(page, "kitchen", /^Kitchen$/, true);
    // Another purpose of the same things.
    await andIf.getByRole("button", { name: /^what happens or holds/ }).click();
    await choose(page, "door is open", /^A door is open/);
    await expect(row(page, "A door in Kitchen is open")).toBeVisible();
    await fits(page);
    await page.screenshot({ path: `../../build/screenshots/sentences-purposes-${width}.png`, fullPage: true, animations: "disabled" });
    await save(page);
    await expect(page.getByRole("heading", { name: "By purpose" })).toBeVisible();
    const { attributes } = await hub.state("automation.by_purpose");
    expect(await stored(hub, String(attributes.id))).toMatchObject({
      triggers: [
        {
          trigger: "light.turned_on",
          target: { area_id: "kitchen", exclude: { entity_id: "light.kitchen" } },
          options: { for: { minutes: 5 }, behavior: "all" },
        },
        {
          trigger: "temperature.crossed_threshold",
          target: { area_id: "bedroom" },
          options: {
            threshold: {
              type: "between",
              value_min: { number: 18.5, unit_of_measurement: "°C" },
              value_max: { number: 22, unit_of_measurement: "°C" },
            },
          },
        },
      ],
      conditions: [{ condition: "door.is_open", target: { area_id: "kitchen" } }],
    });
  });
}

test("what an automation says by purpose is a sentence, in German, too", async ({ open, startHub }) => {
  const hub = await startHub();
  await hub.rest("POST", "/api/config/automation/config/1", {
    alias: "Purposes",
    triggers: [
      { trigger: "light.turned_on", target: { entity_id: "light.kitchen" } },
      { trigger: "temperature.changed", target: { floor_id: "up", label_id: "cold" }, options: { above: 20 } },
      { trigger: "sun.sunset", options: { offset: "00:30:00", offset_type: "before" } },
    ],
    conditions: [{ condition: "light.is_off", target: { area_id: ["kitchen", "bedroom"] }, options: { behavior: "all" } }],
    actions: [],
  });
  const said = [
    [
      "en-GB",
      [
        "Kitchen light turns on",
        "A temperature of up or cold changes to above 20 °C",
        "The sun sets – 30 minutes before",
        "A light in Kitchen and Bedroom is off, and that holds for all",
      ],
    ],
    [
      "de-DE",
      [
        "Kitchen light geht an",
        "Eine Temperatur von up oder cold ändert sich auf über 20 °C",
        "Die Sonne geht unter – 30 Minuten vorher",
        "Ein Licht in Kitchen und Bedroom ist aus, und das gilt für alle",
      ],
    ],
  ] as const;
  for (const [language, texts] of said) {
    const page = await open("/settings/automations/automation.purposes", { hub, language, width: language === "en-GB" ? 1280 : 360 });
    for (const text of texts) await expect(row(page, text)).toBeVisible();
    await expect(page.locator("hearth-yaml-row")).toHaveCount(0);
    await fits(page);
    expect(
      (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    ).toEqual([]);
    await page.screenshot({ path: `../../build/screenshots/sentences-purposes-${language}.png`, fullPage: true, animations: "disabled" });
    await page.locator("button.add").first().click();
    await page
      .locator("hearth-pick")
      .getByRole("searchbox")
      .fill(language === "en-GB" ? "motion" : "Bewegung");
    await expect(page.locator("hearth-pick li").first()).toBeVisible();
    await page.screenshot({ path: `../../build/screenshots/sentences-purposes-add-${language}.png`, animations: "disabled" });
  }
});

const key = ({ section: of }: Purpose) => (of === "triggers" ? "trigger" : "condition");

// As it begins, with all that it needs.
function begun(purpose: Purpose, more: object = {}): object {
  const { about, number, option } = purpose;
  return {
    [key(purpose)]: purpose.name,
    ...(about === "target" && { target: { area_id: "kitchen" } }),
    options: {
      ...(number && { threshold: { type: "above", value: { number: 5 } } }),
      ...(option !== undefined && { [option]: option === "zone" ? "zone.home" : "a" }),
      ...more,
    },
  };
}

test("the hub knows each purpose that the pages know, and the pages each that the hub knows", async ({ startHub }) => {
  const hub = await startHub();
  const write = (made: { triggers?: object[]; conditions?: object[] }) =>
    hub.fetch(
      "POST",
      "/api/config/automation/config/all",
      { alias: "All", triggers: [], conditions: [], actions: [], ...made },
      hub.token("ann"),
    );
  const of = (section: string) => purposes.filter((purpose) => purpose.section === section);
  const lasting = (purpose: Purpose) =>
    purpose.lasts
      ? { for: { seconds: 5 }, ...(purpose.about !== "sun" && { behavior: "all" }) }
      : purpose.isSunTime
        ? { offset: 60, offset_type: "before" }
        : {};
  const accepted = await write({
    triggers: of("triggers").map((one) => begun(one, lasting(one))),
    conditions: of("conditions").map((one) => begun(one, lasting(one))),
  });
  expect(accepted.status, await accepted.text()).toBe(200);
  // What lasts no time takes none: each of them is an error.
  const brief = of("triggers").filter(({ lasts }) => !lasts);
  const refused = await write({ triggers: brief.map((one) => begun(one, { for: { seconds: 5 } })) });
  const { message } = (await refused.json()) as { message: string };
  expect(message.split("\n").filter((line) => /unknown key/.test(line))).toHaveLength(brief.length);
  // An unknown name of a domain is answered with all that it has.
  for (const section of ["triggers", "conditions"] as const) {
    const domains = [...new Set(of(section).map(({ name }) => name.split(".")[0] ?? ""))];
    const answer = await write({
      [section]: domains.map((domain) => ({ [section === "triggers" ? "trigger" : "condition"]: `${domain}.no_such_thing` })),
    });
    const said = ((await answer.json()) as { message: string }).message;
    const known = [...said.matchAll(/Known: (.*)/g)].flatMap(([, names]) => (names ?? "").split(", "));
    const isTime = ({ isSunTime }: Purpose) => isSunTime; // the table of the hub has them elsewhere
    expect(known.sort()).toEqual(
      of(section)
        .filter((one) => !isTime(one))
        .map(({ name }) => name)
        .sort(),
    );
  }
});
