// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";

import type { Home } from "../api/home";
import { forecastsOf } from "./forecasts";

// A home whose hub answers when the test says so.
function home() {
  const questions: { answer: (value: unknown) => void; refuse: (error: Error) => void }[] = [];
  const command = () => new Promise((answer, refuse) => questions.push({ answer, refuse }));
  return { questions, forecasts: forecastsOf({ command } as unknown as Home) };
}

const parts = [{ datetime: "2026-11-25T12:00:00+00:00" }];

test("a card that appears while another's question is open gets the answer, too", async () => {
  const { questions, forecasts } = home();
  const [first, second] = [vi.fn(), vi.fn()];
  forecasts.refresh("weather.home", "daily", first);
  forecasts.refresh("weather.home", "daily", second);
  expect(questions).toHaveLength(1);
  questions[0]?.answer({ response: { "weather.home": { forecast: parts } } });
  await vi.waitFor(() => expect(second).toHaveBeenCalled());
  expect(first).toHaveBeenCalled();
  expect(forecasts.of("weather.home", "daily")).toEqual(parts);
  forecasts.refresh("weather.home", "daily", second);
  expect(questions).toHaveLength(1);
});

test("a refusal is told, and leaves nothing to show", async () => {
  const { questions, forecasts } = home();
  const done = vi.fn();
  forecasts.refresh("weather.home", "hourly", done);
  expect(forecasts.of("weather.home", "hourly")).toBeUndefined();
  questions[0]?.refuse(new Error("It has no forecast."));
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect(forecasts.of("weather.home", "hourly")).toEqual([]);
});
