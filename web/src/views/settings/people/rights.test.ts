// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Rights } from "../../../api/types";

import { linkTo } from "./invitation_link";
import { levelOf, namesAt, seenBy, startOf, starts, withLevel, type Given } from "./rights";

const home = {
  registry: new Map([
    ["light.hall", { area_id: "hall", device_id: null, labels: [] }],
    ["light.garden", { area_id: "garden", device_id: null, labels: [] }],
    ["lock.door", { area_id: "hall", device_id: null, labels: ["safe"] }],
  ]),
  devices: new Map(),
  areas: new Map([
    ["hall", { labels: [] }],
    ["garden", { labels: [] }],
  ]),
};
const all = [...home.registry.keys(), "weather.home"];

test("what is controlled is seen, and what is no longer seen is no longer controlled", () => {
  let rights = withLevel({ read: {}, control: {} }, "areas", "hall", "controls");
  expect(rights).toEqual({ read: { areas: ["hall"] }, control: { areas: ["hall"] } });
  rights = withLevel(rights, "areas", "garden", "sees");
  expect([levelOf(rights, "areas", "hall"), levelOf(rights, "areas", "garden"), levelOf(rights, "areas", "bath")]).toEqual([
    "controls",
    "sees",
    "none",
  ]);
  expect(namesAt(rights, "areas", "sees")).toEqual(["garden"]);
  rights = withLevel(rights, "areas", "hall", "sees");
  expect(rights).toEqual({ read: { areas: ["garden", "hall"] }, control: {} });
  rights = withLevel(withLevel(rights, "areas", "hall", "none"), "areas", "garden", "none");
  expect(rights).toEqual({ read: {}, control: {} });
});

test("a part that the page does not show stays as it is", () => {
  const before = { read: { all: true, sites: ["lake"] }, control: { sites: ["lake"] } } as Rights;
  expect(withLevel(before, "domains", "light", "controls")).toEqual({
    read: { all: true, sites: ["lake"], domains: ["light"] },
    control: { sites: ["lake"], domains: ["light"] },
  });
});

test("the preview says what a person sees and controls", () => {
  const seen = (given: Given) => {
    const { sees, controls } = seenBy(given, home, all);
    return [sees.length, controls.size];
  };
  expect(seen(starts.administrator)).toEqual([4, 4]);
  expect(seen(starts.family)).toEqual([4, 4]);
  expect(seen(starts.child)).toEqual([4, 2]);
  expect(seen(starts.guest)).toEqual([0, 0]);
  expect(seen(starts.panel)).toEqual([4, 0]);
  const rights = withLevel(withLevel({ read: {}, control: {} }, "areas", "hall", "controls"), "areas", "garden", "sees");
  expect(seen({ role: "user", rights })).toEqual([3, 2]);
  expect(seen({ role: "reader", rights })).toEqual([3, 0]);
  // Control of what is not seen is none.
  expect(seen({ role: "user", rights: { read: { areas: ["garden"] }, control: { all: true } } })).toEqual([1, 1]);
});

test("2,000 entities are looked through in far less than the page has", () => {
  const many = Array.from({ length: 2000 }, (_, i) => `light.lamp_${i}`);
  const rights = { read: { all: true }, control: { entities: many.filter((_, i) => i % 2 === 0) } };
  expect(seenBy({ role: "user", rights }, home, many).controls.size).toBe(1000);
});

test("a user is shown with the starting point that they have", () => {
  expect(startOf(starts.administrator)).toBe("administrator");
  expect(startOf(starts.family)).toBe("family");
  expect(startOf(starts.panel)).toBe("panel");
  expect(startOf(starts.guest)).toBe("own");
});

test("an invitation leads to where others reach the home", () => {
  const at = (internal_url: string | null, external_url: string | null, origin: string, base = "") =>
    linkTo("T", { internal_url, external_url }, origin, base);
  expect(at("http://192.168.1.5:8123", "http://192.168.1.5:8123", "http://hub.local:8123")).toBe("http://hub.local:8123/invitation#T");
  expect(at("http://192.168.1.5:8123", "https://home.example.org/", "http://hub.local:8123")).toBe("https://home.example.org/invitation#T");
  expect(at("http://192.168.1.5:8123", null, "http://localhost:8123", "/hearth")).toBe("http://192.168.1.5:8123/hearth/invitation#T");
  expect(at(null, null, "http://127.0.0.1:8123")).toBe("http://127.0.0.1:8123/invitation#T");
});
