// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { faultMessage, loadMessages, withoutPlaces } from "./hub_messages";

const broken = "../tests/functional/automations/broken/";

// The errors of each broken configuration that the functional tests have, as the hub says them: "=> file:line: key: what is wrong".
const errors = readdirSync(broken)
  .flatMap((file) => readFileSync(broken + file, "utf8").split("\n"))
  .flatMap((line) => (line.startsWith("=> ") ? [line.slice(3).trim()] : []));

test("each error of a configuration is said in German", async () => {
  expect(errors.length).toBeGreaterThan(300);
  await loadMessages("de");
  expect(errors.filter((text) => faultMessage(text) === text)).toEqual([]);
});

test("the place stays before what is wrong", async () => {
  await loadMessages("de");
  expect(faultMessage("automations.yaml:14:3: triggers[0].platfrom: unknown key, did you mean platform? Known: a, b")).toBe(
    "automations.yaml:14:3: triggers[0].platfrom: unbekannter Schlüssel, war platform gemeint? Bekannt: a, b",
  );
  expect(faultMessage("configuration.yaml:5: automation hall[1].actions[0].delay: expected a list")).toBe(
    "configuration.yaml:5: automation hall[1].actions[0].delay: erwartet wird eine Liste",
  );
  expect(faultMessage("it is as it is")).toBe("it is as it is");
});

test("a place in the sources is called a part of the hub", () => {
  expect(withoutPlaces("src/app/app.cpp:254 held the bus for 132 ms; times so far: 1", "A part of the hub")).toBe(
    "A part of the hub held the bus for 132 ms; times so far: 1",
  );
  expect(withoutPlaces("automations.yaml:3: src is missing", "A part of the hub")).toBe("automations.yaml:3: src is missing");
});
