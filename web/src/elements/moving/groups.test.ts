// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";

import type { Report, ReportItem } from "../../api/imports/report";
import { groupsOf, isShutOut, lostOf, talliesOf } from "./groups";

// As the hub reports a home with a lamp of Hue, a phone, two users and a broken automation.
function reportOf(items: ReportItem[], more: Partial<Report> = {}): Report {
  return {
    format: 1,
    source: { kind: "backup", version: "2026.2.3", running: false },
    dry_run: true,
    took_s: 0.1,
    counts: {},
    attentions: [],
    notes: [],
    items,
    automations: [],
    ...more,
  };
}

const bridge = { fate: "reserved", why: "no_provider", instead: "bridge" } as const;
const own = { fate: "left", why: "no_integration", text: "Hearth has its own of this kind" } as const;
const noPassword = { attention: "no_password", text: "it logged in without a password there", do: "Set one with `hearth user passwd`." };
const user = (id: string, more: Partial<ReportItem> = {}): ReportItem => ({ what: "user", id, name: id, fate: "carried", ...more });

describe("what waits", () => {
  test("is together by integration, the most things first", () => {
    const { waiting } = groupsOf(
      reportOf([
        { what: "entity", id: "sensor.moon", platform: "moon", ...bridge },
        { what: "entity", id: "light.hall", platform: "hue", ...bridge },
        { what: "device", id: "4f2a", name: "Hall", platform: "hue", ...bridge },
        { what: "helper", id: "5a", name: "Odd", platform: "hue", ...bridge },
        { what: "entity", id: "light.kitchen", platform: "mqtt", fate: "carried" },
      ]),
    );
    expect(waiting.map(({ platform, instead }) => [platform, instead])).toEqual([
      ["hue", "bridge"],
      ["moon", "bridge"],
    ]);
    expect(waiting[0]?.devices.map(({ name }) => name)).toEqual(["Hall"]);
    expect(waiting[0]?.entities.map(({ id }) => id)).toEqual(["light.hall"]);
    expect(waiting[0]?.others.map(({ name }) => name)).toEqual(["Odd"]);
  });

  test("says what to do instead, if only some of it does", () => {
    const { waiting } = groupsOf(
      reportOf([
        { what: "entity", id: "tag.door", platform: "tag", fate: "reserved" },
        { what: "entity", id: "tag.key", platform: "tag", ...bridge },
      ]),
    );
    expect(waiting.map(({ instead }) => instead)).toEqual(["bridge"]);
  });
});

describe("what is left", () => {
  test("is together by its reason, whatever it is, the most things first", () => {
    const { left } = groupsOf(
      reportOf([
        { what: "section", id: "rest_command", fate: "left", why: "unknown_section", instead: "an event" },
        { what: "entity", id: "sun.sun", platform: "sun", ...own },
        { what: "device", id: "a3", platform: "backup", ...own },
        { what: "entity", id: "sensor.sun", platform: "sun", ...own },
        { what: "section", id: "shell_command", fate: "left", why: "unknown_section", instead: "a program" },
        { what: "integration", id: "radio", fate: "left", why: "no_integration" },
      ]),
    );
    expect(left.map(({ text, why, items }) => [text, why, items.map(({ id }) => id)])).toEqual([
      ["Hearth has its own of this kind", "no_integration", ["sun.sun", "a3", "sensor.sun"]],
      ["", "unknown_section", ["rest_command", "shell_command"]],
      ["", "no_integration", ["radio"]],
    ]);
    expect(left[1]?.ways.map(({ instead, items }) => [instead, items.map(({ id }) => id)])).toEqual([
      ["an event", ["rest_command"]],
      ["a program", ["shell_command"]],
    ]);
  });

  test("has no integration whose things wait, and nothing that needs a person", () => {
    const { left } = groupsOf(
      reportOf([
        { what: "entity", id: "sensor.moon", platform: "moon", ...bridge },
        { what: "integration", id: "01", platform: "moon", fate: "left", why: "no_integration", instead: "bridge" },
        { what: "integration", id: "02", platform: "radio", fate: "left", why: "no_integration", instead: "bridge" },
        { what: "setting", id: "http.ssl_key", fate: "left", why: "secret", attention: "tls", do: "Set up TLS anew." },
      ]),
    );
    expect(left.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(["02"]);
  });
});

test("what needs a person is together by its cause; what is about the whole home comes first", () => {
  const { needs } = groupsOf(
    reportOf(
      [
        user("ann"),
        user("bob", noPassword),
        user("kid", { attention: "local_only", text: "local", do: "hearth user activate kid" }),
        user("guest", { attention: "local_only", text: "local", do: "hearth user activate guest" }),
        user("eve", { ...noPassword, text: "its password is not there" }),
        user("joe", noPassword),
      ],
      { attentions: [{ attention: "no_history", text: "The past is not in it.", do: "Make another backup." }] },
    ),
  );
  expect(needs.map(({ attention, items }) => [attention, items.map(({ id }) => id)])).toEqual([
    ["no_history", []],
    ["no_password", ["bob", "joe"]],
    ["local_only", ["kid", "guest"]],
    ["no_password", ["eve"]],
  ]);
});

test("automations are counted by themselves, and those with errors named", () => {
  const items: ReportItem[] = [{ what: "entity", id: "script.ring", name: "Ring", fate: "carried" }];
  const report = reportOf(items, {
    counts: {
      zones: { found: 0, carried: 0, reserved: 0, left: 0, lost: 0 },
      tags: { found: 1, carried: 1, reserved: 0, left: 0, lost: 0 },
      states: { found: 10, carried: 7, reserved: 0, left: 1, lost: 2 },
      areas: { found: 2, carried: 2, reserved: 0, left: 0, lost: 0 },
    },
    automations: [
      { id: "1", entity_id: "automation.hall", was: "on", errors: [] },
      { id: "2", entity_id: "", was: "", errors: [{ line: 30, text: "trigger[0]: unknown trigger" }] },
      { id: "ring", entity_id: "script.ring", was: "off", errors: [{ line: 12, text: "rest_command.ring is not there" }] },
    ],
  });
  const { first, rest } = talliesOf(report);
  expect(first.map(({ kind, works, found }) => [kind, works, found])).toEqual([
    ["areas", 2, 2],
    ["automations", 1, 2],
    ["states", 7, 10],
  ]);
  expect(rest.map(({ kind }) => kind)).toEqual(["tags"]);
  expect(groupsOf(report).faulty.map(({ name }) => name)).toEqual(["2", "Ring"]);
  expect(lostOf(report)).toBe(2);
});

test("a home in which nobody could log in is told from others", () => {
  const gone: ReportItem = { what: "user", id: "system", fate: "left" };
  expect(isShutOut(reportOf([user("bob", noPassword), user("ann"), gone]))).toBe(false);
  expect(isShutOut(reportOf([user("bob", noPassword), user("kid", { attention: "local_only" }), gone]))).toBe(true);
  expect(isShutOut(reportOf([gone]))).toBe(true);
});

test("thousands of things are grouped at once", () => {
  const items = Array.from(
    { length: 50_000 },
    (_, index): ReportItem => ({ what: "entity", id: `light.${index}`, platform: `hub_${index % 40}`, ...bridge }),
  );
  const { waiting } = groupsOf(reportOf(items));
  expect(waiting.length).toBe(40);
  expect(waiting.reduce((sum, { entities }) => sum + entities.length, 0)).toBe(50_000);
});
