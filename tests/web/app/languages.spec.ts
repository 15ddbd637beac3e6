// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "../fixtures";
import { repository, type State } from "../hub";
import { fits, places, settled, textsOf } from "../pages";

type Texts = Record<string, string>;

const folder = join(repository, "web/src/i18n/languages");
const readFile = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Texts;
const read = (tag: string): Texts => ({ ...readFile(tag), ...readFile(`automations.${tag}`) });
const english = read("en");
const others = readdirSync(folder)
  .filter((name) => !/\..*\./.test(name)) // those of services
  .map((name) => name.replace(/\.json$/, ""))
  .filter((tag) => tag !== "en");

const placeholders = (text = "") => (text.match(/\{\w+\}/g) ?? []).sort();

for (const tag of others) {
  test(`${tag} has the keys of English, with the same values in them`, () => {
    const texts = read(tag);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect(texts[key]?.trim(), key).toBeTruthy();
      expect(placeholders(texts[key]), key).toEqual(placeholders(text));
    }
  });
}

test("there is a language beside English", () => {
  expect(others).toContain("de");
});

// What looks like a key of the catalogue, "page.history", and is not an entity, a service, or a file: a source that the log names, one of the configuration.
function keysIn(texts: string[], known: Set<string>): string[] {
  const groups = new Set(Object.keys(english).map((key) => key.split(".")[0]));
  return texts
    .flatMap((text) => text.match(/\b[a-z]\w*(\.\w+)+/g) ?? [])
    .filter((word) => groups.has(word.split(".")[0]) && !known.has(word) && !/\.(cpp|yaml)$/.test(word));
}

// English sentences of the catalogue that stand there although German has other words.
function englishIn(texts: string[]): string[] {
  const german = read("de");
  const sentences = new Set(
    Object.keys(english)
      .filter((key) => english[key] !== german[key] && !Object.values(german).includes(english[key] as string))
      .map((key) => english[key]),
  );
  return texts.filter((text) => sentences.has(text));
}

// A name, and what a device's page leaves of it: ["Router restart", "Restart"].
function endsOf(name = ""): string[] {
  const words = name.split(" ");
  return words.map((_, from) => words.slice(from).join(" ")).map((end) => end.charAt(0).toUpperCase() + end.slice(1));
}

for (const [place, path] of Object.entries({ ...places, login: "/login" })) {
  test(`${place} is all German, and fits a narrow window`, async ({ open, hub }) => {
    const states = await hub.rest<State[]>("GET", "/api/states");
    const services = await hub.rest<{ domain: string; services: object }[]>("GET", "/api/services");
    const known = new Set([
      ...states.map(({ entity_id }) => entity_id),
      ...services.flatMap(({ domain, services }) => Object.keys(services).map((service) => `${domain}.${service}`)),
    ]);
    const page = await open(path, { language: "de-DE", width: 320, height: 640, user: place === "login" ? "nobody" : "ann" });
    await settled(page);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await fits(page);
    const texts = await textsOf(page);
    expect(texts.length).toBeGreaterThan(5);
    expect(keysIn(texts, known)).toEqual([]);
    // What the hub calls its endpoints is the hub's, in one language; what a player calls its sources is the player's.
    const api = await hub.rest<{ paths: Record<string, Record<string, { summary?: string }>> }>("GET", "/api/openapi.json");
    const summaries = new Set(Object.values(api.paths).flatMap((operations) => Object.values(operations).map(({ summary }) => summary)));
    const sources = new Set(states.flatMap(({ attributes }) => (attributes.source_list as string[] | undefined) ?? []));
    // So are the names that people give things, and those of attributes.
    const names = new Set(states.flatMap(({ attributes }) => [...endsOf(attributes.friendly_name as string), ...Object.keys(attributes)]));
    expect(englishIn(texts.filter((text) => !summaries.has(text) && !sources.has(text) && !names.has(text)))).toEqual([]);
  });
}

for (const width of [360, 1024]) {
  test(`the German names of the pages stand in one line each at ${width} pixels`, async ({ open }) => {
    const page = await open("/overview", { language: "de-DE", width });
    await settled(page);
    const lines = await page.locator("nav a[href]:visible span").evaluateAll((names) =>
      names.map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return [name.textContent, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
      }),
    );
    expect(lines.length).toBe(width < 800 ? 4 : 5);
    expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
  });
}

test("the hub's services, log and errors are German, too", async ({ open, hub }) => {
  const services = await open("/developer-tools/services?service=light.turn_on", { language: "de-DE" });
  await expect(services.getByText("Schaltet Lampen ein oder ändert Helligkeit und Farbe von Lampen, die an sind.")).toBeVisible();
  await expect(services.getByText("Helligkeit in Prozent; 0 schaltet die Lampe aus.")).toBeVisible();

  const system = await open("/settings/system", { language: "de-DE" });
  await system.getByLabel("Anzeigen").selectOption("Alles");
  await expect(system.getByText(/das Zuhause läuft: \d+ Entitäten/).first()).toBeVisible();

  hub.command(["token", "create", "--user", "ann", "--name", "Vergeben"]);
  const profile = await open("/profile", { language: "de-DE" });
  await profile.getByRole("button", { name: "Token anlegen" }).click();
  await profile.getByLabel("Name", { exact: true }).fill("Vergeben");
  await profile.getByRole("button", { name: "Anlegen", exact: true }).click();
  await expect(profile.getByRole("alert")).toHaveText(
    "Das hat nicht geklappt: ann hat schon ein Token namens Vergeben; widerrufe es zuerst.",
  );
});

test("what the hub says is in other languages with the same values", () => {
  for (const name of readdirSync(folder).filter((file) => file.startsWith("messages."))) {
    const messages = JSON.parse(readFileSync(join(folder, name), "utf8")) as Texts;
    expect(Object.keys(messages).length).toBeGreaterThan(100);
    for (const [text, own] of Object.entries(messages)) expect(own.split("{}").length, text).toBe(text.split("{}").length);
  }
});

test("times are written as the browser's user writes them", async ({ open }) => {
  const texts: Record<string, RegExp> = {
    "en-US": /, \d{1,2}:\d\d:\d\d\s?(AM|PM)/,
    "en-GB": /20\d\d, \d\d:\d\d:\d\d/,
    "de-AT": /20\d\d, \d\d:\d\d:\d\d/,
  };
  for (const [language, expected] of Object.entries(texts)) {
    const page = await open("/profile", { language });
    await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText(expected);
  }
});
