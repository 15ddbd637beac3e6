// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from "node:fs";

import { beforeAll, expect, test } from "vitest";

import { faultMessage, loadMessages } from "./hub_messages";

const sources = "../src/app/doctor/";
// Other texts of these sources than sentences for people: commands to type, questions to the database, words of files.
const others = /^(chmod|chown|SELECT|LEFT JOIN|users\.role |expires_at |coalesce|password token|Max open files$)/;

// The texts of the hub's check-up, as its sources have them; a part of a sentence begins with a space or a colon.
function sentences(file: string): string[] {
  const code = readFileSync(sources + file, "utf8").replace(/^#.*|\/\/.*/gm, "");
  const literals = code.replace(/"\s*\n\s*"/g, "").matchAll(/"((?:[^"\\]|\\.)*)"/g);
  return Array.from(literals, ([, text]) => text ?? "").filter((text) => /^[\w`{].*[a-z]+ [a-z{]/i.test(text) && !others.test(text));
}

beforeAll(() => loadMessages("de"));

test("each sentence of the hub's check-up is said in German", () => {
  const all = readdirSync(sources)
    .filter((file) => file.endsWith("_diagnosis.cpp") || file === "diagnosis.cpp")
    .flatMap(sentences);
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((text) => faultMessage(text.replaceAll("{}", "1")) === text.replaceAll("{}", "1"))).toEqual([]);
});

test("what the hub puts together from parts is said in German, too", () => {
  expect(faultMessage("process 7 uses 19 MiB and 34 of 1024 file descriptors")).toBe(
    "der Prozess 7 belegt 19 MiB und 34 von 1024 Dateideskriptoren",
  );
  expect(faultMessage("3 MiB are free: the hub cannot write")).toBe("3 MiB sind frei: Die Zentrale kann nicht schreiben");
  expect(faultMessage("it listens on its own machine only: clients must be told its address")).toBe(
    "sie nimmt nur Verbindungen vom eigenen Gerät an: Apps muss man die Adresse sagen",
  );
  expect(faultMessage("the MQTT broker 10.0.0.2:1883: it does not answer")).toBe("der MQTT-Broker 10.0.0.2:1883: er antwortet nicht");
});
