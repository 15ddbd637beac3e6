// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import type { Home } from "../../api/home";
import { LiveTemplate, refusal, type Rendering } from "./live_template";

describe("refusal", () => {
  it("takes the line off the hub's text", () => {
    expect(refusal({ code: "template_error", message: "unexpected '}' (line 3)" })).toEqual({ error: "unexpected '}'", line: 3 });
    expect(refusal({ message: "too long" })).toEqual({ error: "too long", line: undefined });
    expect(refusal(new Error("lost"))).toEqual({ error: "lost", line: undefined });
  });
});

describe("LiveTemplate", () => {
  it("shows nothing of a template that another one has replaced", async () => {
    const callbacks: ((event: unknown) => void)[] = [];
    let stopped = 0;
    const connection = {
      subscribeMessage: (callback: (event: unknown) => void) => {
        callbacks.push(callback);
        return Promise.resolve(() => {
          stopped++;
          return Promise.resolve();
        });
      },
    };
    const seen: Rendering[] = [];
    const live = new LiveTemplate({ connection } as unknown as Home, (rendering) => seen.push(rendering));
    await live.render("{{ 1 }}");
    await live.render("{{ 2 }}");
    expect(stopped).toBe(1);
    callbacks[0]?.({ error: "old", line: null });
    callbacks[1]?.({ error: "new", line: 2 });
    expect(seen).toEqual([{ error: "new", line: 2 }]);
    await live.end();
    expect(stopped).toBe(2);
  });
});
