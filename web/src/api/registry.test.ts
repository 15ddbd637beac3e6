// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi, type Mock } from "vitest";

import { Registry, type Source } from "./registry";

interface Item {
  id: string;
  name: string;
}

// A hub with items; its answers take a second.
class FakeHub implements Source<Item> {
  items = new Map<string, string>();
  asked: string[] = [];
  fails = false;

  constructor(...ids: string[]) {
    for (const id of ids) this.items.set(id, `${id}, first`);
  }

  key = ({ id }: Item): string => id;
  list = (): Promise<Item[]> => this.answer("list", () => [...this.items].map(([id, name]) => ({ id, name })));
  one = (id: string): Promise<Item | undefined> =>
    this.answer(id, () => (this.items.has(id) ? { id, name: this.items.get(id) as string } : undefined));

  private async answer<T>(question: string, of: () => T): Promise<T> {
    this.asked.push(question);
    const answer = of();
    await new Promise((resume) => setTimeout(resume, 1000));
    if (this.fails) throw new Error("lost");
    return answer;
  }
}

const names = (registry: Registry<Item>) => Object.fromEntries([...registry.items].map(([id, { name }]) => [id, name]));

async function loaded(hub: FakeHub, source: Source<Item> = hub): Promise<{ registry: Registry<Item>; changed: Mock }> {
  const changed = vi.fn();
  const registry = new Registry(source, changed);
  const loading = registry.load();
  await vi.runAllTimersAsync();
  await loading;
  hub.asked = [];
  changed.mockClear();
  return { registry, changed };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what an event names is read, and nothing else", async () => {
  const hub = new FakeHub("a", "b", "c");
  const { registry, changed } = await loaded(hub);
  hub.items.set("a", "renamed").set("d", "made").delete("b");
  registry.note(["a"]);
  registry.note(["b"]);
  registry.note(["d", "a"]);
  await vi.runAllTimersAsync();
  expect(hub.asked).toEqual(["a", "b", "d"]);
  expect(names(registry)).toEqual({ a: "renamed", c: "c, first", d: "made" });
  expect(changed.mock.calls).toEqual([[["a", "b", "d"]]]);
});

test("a flood of events becomes one list", async () => {
  const hub = new FakeHub();
  const { registry, changed } = await loaded(hub);
  for (let i = 0; i < 1000; i++) {
    hub.items.set(`item${i}`, "made");
    registry.note([`item${i}`]);
  }
  await vi.runAllTimersAsync();
  expect(hub.asked).toEqual(["list"]);
  expect(registry.items.size).toBe(1000);
  expect(changed).toHaveBeenCalledTimes(1);
});

test("a flood that goes on is read along the way, one question at a time", async () => {
  const hub = new FakeHub();
  const { registry } = await loaded(hub);
  let atOnce = 0;
  const list = hub.list;
  hub.list = async () => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    return list().finally(() => (atOnce -= 1));
  };
  for (let i = 0; i < 1000; i++) {
    hub.items.set(`item${i}`, "made");
    registry.note([`item${i}`]);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(hub.asked.filter((question) => question === "list").length).toBeLessThan(15); // in ten seconds
  expect(registry.items.size).toBeGreaterThan(700);
  await vi.runAllTimersAsync();
  expect(registry.items.size).toBe(1000);
});

test("a list that was asked for before a change does not undo it", async () => {
  const hub = new FakeHub("a");
  const { registry } = await loaded(hub);
  const loading = registry.load();
  hub.items.set("a", "renamed");
  registry.note(["a"]);
  await vi.runAllTimersAsync();
  await loading;
  expect(names(registry)).toEqual({ a: "renamed" });
});

test("what has been asked for already is taken, unless something changes before it comes", async () => {
  const hub = new FakeHub("a");
  const { registry, changed } = await loaded(hub);
  hub.items.set("a", "renamed");
  const asked = hub.list();
  hub.asked = [];
  const loading = registry.load(asked);
  await vi.runAllTimersAsync();
  await loading;
  expect(names(registry)).toEqual({ a: "renamed" });
  expect(hub.asked).toEqual([]);

  const older = registry.load(hub.list());
  hub.items.set("a", "renamed again");
  registry.note(["a"]);
  await vi.runAllTimersAsync();
  await older;
  expect(names(registry)).toEqual({ a: "renamed again" });

  registry.note(["a"]);
  await vi.advanceTimersByTimeAsync(500); // it is being read
  const waiting = registry.load(hub.list());
  hub.items.set("a", "renamed a third time");
  registry.note(["a"]);
  await vi.runAllTimersAsync();
  await waiting;
  expect(names(registry)).toEqual({ a: "renamed a third time" });
  changed.mockClear();

  await registry.load(Promise.resolve(undefined));
  expect(names(registry)).toEqual({ a: "renamed a third time" });
  expect(changed).not.toHaveBeenCalled();
});

test("without a way to read one, or without a name, all are listed", async () => {
  const hub = new FakeHub("a");
  const { registry } = await loaded(hub, { key: hub.key, list: hub.list });
  registry.note(["a"]);
  await vi.runAllTimersAsync();
  expect(hub.asked).toEqual(["list"]);

  const other = await loaded(hub);
  other.registry.note([]);
  other.registry.note(["a"]);
  await vi.runAllTimersAsync();
  expect(hub.asked).toEqual(["list"]);
});

test("what could not be read is read with the next change", async () => {
  const hub = new FakeHub("a", "b");
  const { registry, changed } = await loaded(hub);
  hub.fails = true;
  hub.items.set("a", "renamed");
  registry.note(["a"]);
  await vi.runAllTimersAsync();
  expect(names(registry)).toEqual({ a: "a, first", b: "b, first" });
  expect(changed).not.toHaveBeenCalled();
  const loading = expect(registry.load()).rejects.toThrow("lost");
  await vi.runAllTimersAsync();
  await loading;
  hub.fails = false;
  registry.note(["b"]);
  await vi.runAllTimersAsync();
  expect(names(registry)).toEqual({ a: "renamed", b: "b, first" });
});
