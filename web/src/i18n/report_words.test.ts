// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from "node:fs";

import { beforeAll, expect, test } from "vitest";

import { hubMessage, loadMessages, loadReportMessages } from "./hub_messages";

const sources = "../src/";
// Of these files every sentence is for people; of others those of statements that write into the report.
const whole = /^import_ha\/report\/instead\.cpp$|\/to_do\.cpp$/;
const reporting = /\.(text|todo|instead|attention)\b|\b(attend|note|leave|add_text)\(|\bthing\.\w+ =/;
// Names.
const others = /^(backup hassio recorder sun|An icon|hearth user \w+)$/;

function sentences(file: string): string[] {
  const code = readFileSync(sources + file, "utf8")
    .replace(/R"(\w*)\([^]*?\)\1"/g, "")
    .replace(/^\s*#.*|^\s*\/\/.*/gm, "")
    .replace(/"\s*\n\s*"/g, "");
  const statements = whole.test(file) ? [code] : code.split(/[;{}]\s*\n/).filter((statement) => reporting.test(statement));
  const literals = statements.flatMap((statement) => [...statement.matchAll(/"((?:[^"\\]|\\.)*)"/g)]);
  return literals.map(([, text]) => text ?? "").filter((text) => /^[\w`{].*[a-z]+ [a-z{]/i.test(text) && !others.test(text));
}

beforeAll(async () => {
  await loadMessages("de");
  await loadReportMessages();
});

test("each sentence of the report of an import is said in German", () => {
  const all = ["import_ha", "app/import_ha"]
    .flatMap((folder) => (readdirSync(sources + folder, { recursive: true }) as string[]).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith(".cpp") && !/(_test|_fuzz|report_text)\.cpp$|\/test_\w+\.cpp$/.test(file))
    .flatMap(sentences);
  expect(all.length).toBeGreaterThan(100);
  const filled = all.map((text) => text.replaceAll("{}", "1"));
  expect(filled.filter((text) => hubMessage(text) === text)).toEqual([]);
});

test("the words of reports come with each language that is loaded later", async () => {
  await loadMessages("en");
  expect(hubMessage("Hearth has its own of this kind")).toBe("Hearth has its own of this kind");
  await loadMessages("de");
  expect(hubMessage("Hearth has its own of this kind")).toBe("Hearth hat das selbst");
});
