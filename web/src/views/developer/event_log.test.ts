// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { EventLog, most, textOfEvent } from "./event_log";

const event = (number: number, event_type = "state_changed") => ({
  event_type,
  data: { number },
  origin: "LOCAL",
  time_fired: "",
  context: { id: "", parent_id: null, user_id: null },
});
const numbers = (log: EventLog) => log.shown.map((heard) => heard.event.data.number);

test("the last events are kept, newest first", () => {
  const log = new EventLog(textOfEvent);
  for (let i = 1; i <= most + 50; i++) log.add(event(i));
  expect(log.shown).toHaveLength(most);
  expect(numbers(log).slice(0, 2)).toEqual([most + 50, most + 49]);
});

test("what comes while it is paused waits, and comes in order", () => {
  const log = new EventLog(textOfEvent);
  log.add(event(1));
  log.paused = true;
  for (let i = 2; i <= most + 5; i++) log.add(event(i));
  expect(numbers(log)).toEqual([1]);
  expect(log.waitingCount).toBe(most + 4);
  log.resume();
  expect(log.waitingCount).toBe(0);
  expect(log.shown).toHaveLength(most);
  expect(numbers(log)[0]).toBe(most + 5);
  expect(numbers(log).at(-1)).toBe(6);
});

test("only what has every word is kept", () => {
  const log = new EventLog(textOfEvent);
  log.filter = "  CALL number ";
  log.add(event(1));
  log.add(event(2, "call_service"));
  expect(numbers(log)).toEqual([2]);
  log.filter = "nowhere";
  expect(log.shown).toEqual([]);
});
