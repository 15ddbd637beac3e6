// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "./fixtures";
import { repository, type State } from "./hub";
import { fits, places, settled, textsOf } from "./pages";

type Texts = Record<string, string>;

const folder = join(repository, "web/src/i18n/languages");
const read = (tag: string) => JSON.parse(readFileSync(join(folder, `${tag}.json`), "utf8")) as Texts;
const english = read("en");
const others = readdirSync(folder)
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

// What looks like a key of the catalogue, "page.history", and is not an entity, a service, or a source file that the log names.
function keysIn(texts: string[], known: Set<string>): string[] {
  const groups = new Set(Object.keys(english).map((key) => key.split(".")[0]));
  return texts
    .flatMap((text) => text.match(/\b[a-z]\w*(\.\w+)+/g) ?? [])
    .filter((word) => groups.has(word.split(".")[0]) && !known.has(word) && !word.endsWith(".cpp"));
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
    expect(englishIn(texts.filter((text) => !summaries.has(text) && !sources.has(text)))).toEqual([]);
  });
}

for (const width of [360, 1024]) {
  test(`the German names of the pages stand in one line each at ${width} pixels`, async ({ open }) => {
    const page = await open("/overview", { language: "de-DE", width });
    await settled(page);
    const lines = await page.locator("nav a[href] span").evaluateAll((names) =>
      names.map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return [name.textContent, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
      }),
    );
    expect(lines.length).toBe(5);
    expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
  });
}
