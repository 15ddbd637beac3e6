// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Service } from "../api/types";
import { plainOnes } from "./services";

const nameless: Service = { description: "", fields: {}, target: { entity: [{ domain: ["image_processing"] }] } };
const scan: Service = { ...nameless, name: "Scan" };

test("a service that needs no data is a button", () => {
  const field = { description: "", example: null };
  expect(
    plainOnes({
      scan,
      nameless: { ...nameless, fields: { fast: field } },
      needs: { ...scan, fields: { fast: { ...field, required: true } } },
      reload: { name: "Reload", description: "", fields: {} },
      of_devices: { ...scan, target: { device: [{}] } },
      asks: { ...scan, response: { optional: false } },
      answers: { ...scan, name: "Answer", response: { optional: true } },
    }),
  ).toEqual([
    ["scan", "Scan"],
    ["nameless", "nameless"],
    ["answers", "Answer"],
  ]);
});
