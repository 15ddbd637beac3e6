// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test, vi } from "vitest";

import type { ReportItem } from "../../api/imports/report";
import { loadLanguage, loadWords } from "../../i18n/catalogue";
import { loadReportMessages } from "../../i18n/hub_messages";
import { countedItems, hubSentence, insteadOf, integrationName, namesOf, needAdvice, needTitle, placeOf, sentence } from "./words";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: ["en"] });

const entity = (id: string, name = ""): ReportItem => ({ what: "entity", id, name, fate: "reserved" });

async function speak(language: string): Promise<void> {
  await loadLanguage(language);
  await Promise.all([loadWords("administration"), loadWords("moving"), loadReportMessages()]);
}

describe("in English", () => {
  beforeAll(() => speak("en"));

  test.each([
    ["hue", "Philips Hue"],
    ["google_translate", "Google Translate"],
    ["mobile_app", "Companion app"],
    ["", "Without an integration"],
  ])("the integration %s is called %s", (platform, name) => {
    expect(integrationName(platform)).toBe(name);
  });

  test("many things are counted, a single one is named", () => {
    const device: ReportItem = { what: "device", id: "4f", name: "Hall", fate: "reserved" };
    expect(countedItems([entity("light.a"), device, entity("light.b")])).toBe("Entities: 2, Devices: Hall");
    expect(countedItems([])).toBe("");
    const days = [5, 2].map((count): ReportItem => ({ what: "state", id: `sensor.a ${count}`, fate: "lost", count }));
    expect(countedItems(days)).toBe("Recorded values: 7");
    expect(countedItems(days.slice(1))).toBe("Recorded values: 2");
  });

  test("of very many names the first stand there, and how many more there are", () => {
    expect(namesOf([entity("light.a", "Lamp"), entity("light.b")])).toBe("Lamp and light.b");
    const many = Array.from({ length: 1_060 }, (_, number) => entity(`light.${number}`));
    expect(namesOf(many)).toMatch(/^light\.0, light\.1, .*light\.59,? and 1,000 more$/);
  });

  test.each([
    ["its picture is not there", "Its picture is not there."],
    ["rest_command.ring is not there", "rest_command.ring is not there."],
    ["http: tls: names it", "http: tls: names it."],
    ["Does it?", "Does it?"],
  ])("%s becomes a sentence", (text, whole) => {
    expect(sentence(text, ".")).toBe(whole);
  });

  test("what an account needs is said without a terminal, the rest as the hub does", () => {
    const user = { attention: "no_password", text: "its password is not there", do: "Set one with `hearth user passwd`." };
    expect(needAdvice(user)).not.toContain("hearth");
    expect(needTitle(user)).toBe("No password yet");
    const other = { attention: "env_var", text: "configuration.yaml takes a value", do: "Set it." };
    expect([needTitle(other), needAdvice(other)]).toEqual(["configuration.yaml takes a value", "Set it."]);
  });

  test.each([
    ["no_password", "user", "Kid", "/settings/users"],
    ["mobile_app", "integration", "Phone", undefined],
    ["errors", "automation", "automation.hall", "/settings/automations/automation.hall"],
    ["reserved", "reserved", "hue", "/settings/areas"],
    ["websockets", "setting", "broker", "/settings/mqtt"],
    ["out_of_range", "setting", "latitude", "/settings"],
    ["tls", "setting", "http.ssl_key", undefined],
  ])("%s of %s %s is done at %s", (attention, what, name, path) => {
    expect(placeOf({ attention, what, name })?.path).toBe(path);
  });
});

test("what the hub says is said in German, too", async () => {
  await speak("de");
  expect(insteadOf("bridge")).toContain("Home Assistant");
  expect(insteadOf("a template sensor with distance()")).toBe("Stattdessen: Ein Template-Sensor mit distance().");
  expect(hubSentence("Events that the logbook does not show are left: 7 call_service.")).toBe(
    "Ereignisse, die das Logbuch nicht zeigt, bleiben zurück: 7 call_service.",
  );
});
