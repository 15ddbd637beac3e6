// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test, vi } from "vitest";

import type { Home } from "../../../api/home";
import type { Layout } from "../../../api/layout";
import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import { Doorbells, hasRung, isDoorbell, pictureFor } from "./doorbell";
import { contentOf, pagesIn } from "./panel_content";
import { isPin, PinGuard } from "./pin_guard";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
vi.stubGlobal("navigator", { languages: ["en-GB"] });
beforeAll(async () => {
  await loadLanguage("en");
  await loadWords("panel");
});

interface Made {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown>;
}

function made(entity_id: string, state = "on", attributes: Record<string, unknown> = {}): Made {
  return { entity_id, state, attributes };
}

// [entity, its device, its area]
function homeOf(list: [Made, string?, string?][]) {
  const entities = new Map(list.map(([entity]) => [entity.entity_id, entity]));
  const registry = new Map(list.map(([{ entity_id }, device_id]) => [entity_id, { device_id, options: {} }]));
  const areas = new Map(["kitchen", "hall", "empty"].map((id) => [id, { area_id: id, name: id, floor_id: null, icon: null }]));
  const of = new Map(list.map(([{ entity_id }, , area]) => [entity_id, area ?? ""]));
  const listeners: Record<string, (() => void)[]> = { any: [], structure: [], connection: [] };
  const home = {
    entities,
    registry,
    areas,
    floors: new Map(),
    devices: new Map(),
    kinds: new Map(),
    layouts: { layout: {} as Layout },
    connectionState: "connected",
    entity: (id: string) => entities.get(id),
    nameOf: (id: string) => String(entities.get(id)?.attributes.friendly_name ?? id),
    areaOf: (id: string) => areas.get(of.get(id) ?? ""),
    on: (topic: string, listener: () => void) => {
      listeners[topic]?.push(listener);
      return () => undefined;
    },
  };
  const tell = (topic: string) => listeners[topic]?.forEach((listener) => listener());
  return { home: home as unknown as Home, plain: home, tell };
}

test("favourites and rooms stand as their person arranged them", () => {
  const { home, plain } = homeOf([
    [made("light.a"), "", "kitchen"],
    [made("light.b"), "", "kitchen"],
    [made("light.c"), "", "hall"],
  ]);
  plain.layouts.layout = { favorites: ["light.c", "light.gone", "light.a"], cards: { kitchen: ["light.b"] }, hiddenRooms: ["kitchen"] };
  expect(contentOf(home, "favorites", []).ids).toEqual(["light.c", "light.a"]); // also one of a room that is hidden
  expect(contentOf(home, "kitchen", []).ids).toEqual(["light.b", "light.a"]);
  plain.layouts.layout = { favorites: [] };
  expect(contentOf(home, "favorites", []).problem).toMatch("no favourites yet");
});

test("a room that is gone, or empty, is a word, and so are things that are gone", () => {
  const { home } = homeOf([[made("light.a"), "", "kitchen"], [made("light.b")]]);
  const pages = [{ id: "1", name: "Mine", things: ["light.b", "light.gone", "area:kitchen", "area:gone", "light.a"] }];
  expect(contentOf(home, "kitchen", [])).toEqual({ heading: "kitchen", ids: ["light.a"], problem: "" });
  expect(contentOf(home, "empty", []).problem).toBe("There is nothing in this room yet.");
  expect(contentOf(home, "gone", []).problem).toMatch("This room no longer exists");
  expect(contentOf(home, "", []).problem).toBe("Choose what this panel shows.");
  expect(contentOf(home, "page:2", pages).problem).toMatch("no longer exists");
  expect(contentOf(home, "page:1", pages)).toEqual({
    heading: "Mine",
    ids: ["light.b", "light.a"],
    problem: "2 things of this page no longer exist.",
  });
});

test.each([null, undefined, 7, "x", [], {}, { pages: 3 }, { pages: [null, 3, { id: 1, name: "x" }, { id: "a" }] }])(
  "pages that are kept as %j are none",
  (value) => {
    expect(pagesIn(value)).toEqual([]);
  },
);

test("of pages that somebody wrote only so much is read", () => {
  const things = [...Array<string>(2000).fill("light.a"), 7];
  const pages = pagesIn({ pages: Array.from({ length: 900 }, (_, index) => ({ id: String(index), name: "x", things })) });
  expect(pages.length).toBe(50);
  expect(pages[0]?.things.length).toBe(500);
});

test("doorbells are events of that class, and what is called so", () => {
  const { home } = homeOf([
    [made("event.bell", "unknown", { device_class: "doorbell" })],
    [made("event.button", "unknown", { device_class: "button" })],
    [made("binary_sensor.a", "off", { friendly_name: "Front doorbell" })],
    [made("binary_sensor.b", "off", { friendly_name: "Klingel" })],
    [made("binary_sensor.c", "off", { friendly_name: "Spring door" })],
    [made("switch.doorbell", "off", { friendly_name: "Doorbell" })],
  ]);
  const bells = [...home.entities.values()].filter((entity) => isDoorbell(home, entity)).map(({ entity_id }) => entity_id);
  expect(bells).toEqual(["event.bell", "binary_sensor.a", "binary_sensor.b"]);
});

test.each([
  ["event.bell", "2026-01-01T10:00:00Z", "2026-01-01T10:05:00Z", true],
  ["event.bell", "unknown", "2026-01-01T10:05:00Z", true],
  ["event.bell", "unavailable", "2026-01-01T10:05:00Z", false], // it came back
  ["event.bell", "2026-01-01T10:00:00Z", "unavailable", false],
  ["event.bell", undefined, "2026-01-01T10:00:00Z", false],
  ["binary_sensor.bell", "off", "on", true],
  ["binary_sensor.bell", "on", "off", false],
  ["binary_sensor.bell", "unavailable", "on", false],
])("%s from %s to %s has rung: %s", (id, before, after, rung) => {
  expect(hasRung(before, made(id, after) as never)).toBe(rung);
});

test("the picture is of the bell's device, else of its area, and a camera's before another", () => {
  const picture = { entity_picture: "/api/x" };
  const bell = made("event.bell", "unknown", { device_class: "doorbell" });
  const still = made("image.bell", "unknown", picture);
  const ofArea = made("camera.hall", "idle", picture);
  const elsewhere = made("camera.garden", "idle", picture);
  const pick = (...more: [Made, string?, string?][]) => pictureFor(homeOf([[bell, "d", "hall"], ...more]).home, "event.bell");
  expect(pick([still, "d", "hall"], [ofArea, "e", "hall"], [elsewhere, "f", "kitchen"])).toBe("camera.hall");
  expect(pick([still, "d", "hall"], [elsewhere, "f", "kitchen"])).toBe("image.bell");
  expect(pick([made("camera.bell", "idle", picture), "d"], [ofArea, "e", "hall"])).toBe("camera.bell");
  expect(pick([made("camera.bell", "unavailable", picture), "d"])).toBeUndefined();
  expect(pick([elsewhere, "f", "kitchen"])).toBeUndefined();
});

test("a bell rings once each time, and what happened while the connection was lost is not told", () => {
  const bell = made("binary_sensor.bell", "off", { friendly_name: "Doorbell" });
  const { home, plain, tell } = homeOf([[bell]]);
  const rung: string[] = [];
  new Doorbells(home, (id) => rung.push(id));
  const become = (state: string) => {
    bell.state = state;
    tell("any");
  };
  become("on");
  tell("any");
  become("off");
  expect(rung).toEqual(["binary_sensor.bell"]);
  plain.connectionState = "lost";
  tell("connection");
  plain.connectionState = "connected";
  tell("connection");
  become("on");
  expect(rung.length).toBe(1);
  become("off");
  become("on");
  expect(rung.length).toBe(2);
});

test("a PIN has 4 to 8 digits, and after five that are wrong there is a pause", () => {
  expect(["1234", "12345678"].every(isPin)).toBe(true);
  expect(["", "123", "123456789", "12a4", " 1234"].some(isPin)).toBe(false);
  const guard = new PinGuard();
  for (let at = 0; at < 4; at++) expect(guard.problemOf("0000", "1234", at)).toBe("That is not the PIN of this panel.");
  expect(guard.problemOf("0000", "1234", 5)).toMatch("Wait");
  expect(guard.problemOf("1234", "1234", 20_000)).toMatch("Wait");
  expect(guard.problemOf("1234", "1234", 31_000)).toBe("");
});
