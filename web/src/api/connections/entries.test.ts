// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import type { Device, RegisteredEntity } from "../types";
import { devicesOf, entitiesOf, groupsOf, statusOf, type ConfigEntry } from "./entries";

const entry = (entry_id: string, domain: string, title: string, more: Partial<ConfigEntry> = {}): ConfigEntry => ({
  entry_id,
  domain,
  title,
  source: "user",
  state: "loaded",
  reason: null,
  disabled_by: null,
  supports_reconfigure: false,
  created_at: 1,
  modified_at: 1,
  ...more,
});

test("connections stand by integration, both by name, numbers by their value", () => {
  const all = [entry("1", "zig", "Node 10"), entry("2", "alpha", "B"), entry("3", "zig", "Node 9"), entry("4", "zig", "attic")];
  const groups = groupsOf(all, (domain) => (domain === "zig" ? "A first" : domain), "en");
  expect(groups.map(({ name, entries }) => [name, entries.map(({ title }) => title)])).toEqual([
    ["A first", ["attic", "Node 9", "Node 10"]],
    ["alpha", ["B"]],
  ]);
  expect(all[0]?.title).toBe("Node 10");
});

test("one that is disabled is so whatever its state is", () => {
  expect(statusOf(entry("1", "a", "A", { state: "setup_retry", disabled_by: "user" }))).toBe("disabled");
  expect(statusOf(entry("1", "a", "A", { state: "setup_retry" }))).toBe("setup_retry");
});

test("what a connection brings is found, and nothing of another", () => {
  const device = (id: string, name: string, primary_config_entry: string | null) =>
    [id, { id, name, name_by_user: null, primary_config_entry } as Device] as const;
  const devices = new Map([
    device("d1", "Plug 2", "1"),
    device("d2", "Plug 1", "1"),
    device("d3", "Other", "2"),
    device("d4", "None", null),
  ]);
  expect(devicesOf({ devices }, { entry_id: "1" }, "en").map(({ id }) => id)).toEqual(["d2", "d1"]);
  const entity = (entity_id: string, config_entry_id?: string) => [entity_id, { entity_id, config_entry_id } as RegisteredEntity] as const;
  const registry = new Map([entity("a.a", "1"), entity("a.b", "2"), entity("a.c")]);
  expect(entitiesOf({ registry }, { entry_id: "1" })).toEqual(["a.a"]);
});
