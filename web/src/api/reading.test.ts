// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

import { Reading } from "./reading";

// Questions that the test answers.
function questions() {
  const open: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const read = vi.fn(() => new Promise<void>((resolve, reject) => open.push({ resolve, reject })));
  return { open, read };
}

test("a second question waits for the first, and callers that wait share it", async () => {
  const { open, read } = questions();
  const reading = new Reading(read);
  const done: number[] = [];
  const calls = [1, 2, 3].map((call) => reading.again().then(() => done.push(call)));
  expect(read).toHaveBeenCalledTimes(1);
  open[0]?.resolve();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  expect(done).toEqual([1]); // what the others want to know may have changed after the first question
  open[1]?.resolve();
  await Promise.all(calls);
  expect(done).toEqual([1, 2, 3]);
  expect(read).toHaveBeenCalledTimes(2);
  void reading.again();
  expect(read).toHaveBeenCalledTimes(3);
});

test("a failure is told to who asked, and the next question is asked", async () => {
  const { open, read } = questions();
  const reading = new Reading(read);
  const first = reading.again();
  const second = reading.again();
  open[0]?.reject(new Error("lost"));
  await expect(first).rejects.toThrow("lost");
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  open[1]?.resolve();
  await expect(second).resolves.toBeUndefined();
});
