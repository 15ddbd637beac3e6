// SPDX-License-Identifier: Apache-2.0
// What the page asks for when names, areas and devices change.
import type { Page } from "@playwright/test";

import { expect, test, type Given } from "../fixtures";
import type { Hub } from "../hub";
import { settled, toggle } from "../pages";

interface Command {
  type: string;
  [key: string]: unknown;
}

// Sends commands from another client, all at once, and waits for their results.
async function send(client: Page, hub: Hub, commands: Command[]): Promise<void> {
  const failed = await client.evaluate(
    ([url, token, all]) =>
      new Promise<unknown[]>((resolve, reject) => {
        const socket = new WebSocket(url);
        const problems: unknown[] = [];
        let open = all.length;
        socket.onerror = () => reject(new Error("no connection"));
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data as string) as { type: string; success?: boolean; error?: unknown };
          if (message.type === "auth_required") socket.send(JSON.stringify({ type: "auth", access_token: token }));
          if (message.type === "auth_ok") all.forEach((command, index) => socket.send(JSON.stringify({ ...command, id: index + 1 })));
          if (message.type !== "result") return;
          if (!message.success) problems.push(message.error);
          if (--open > 0) return;
          socket.close();
          resolve(problems);
        };
      }),
    [`${hub.url.replace("http", "ws")}/api/websocket`, hub.token("ann"), commands] as const,
  );
  expect(failed).toEqual([]);
}

// Opens the overview, and notes which registries it asks for.
async function watched(open: Given["open"], hub: Hub): Promise<{ page: Page; asked: string[] }> {
  const page = await open("about:blank", { hub });
  const asked: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      for (const { type } of [JSON.parse(String(payload)) as Command | Command[]].flat()) if (type.startsWith("config/")) asked.push(type);
    }),
  );
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname === "/api/registry") asked.push(`${pathname} ${answer.status()}`);
  });
  await page.goto("/overview?view=list");
  await expect(toggle(page, "Kitchen light")).toBeVisible();
  await settled(page);
  await page.waitForLoadState("networkidle");
  return { page, asked };
}

test("an event makes the page read what it names, and no list", async ({ open, startHub }) => {
  const hub = await startHub();
  const { page, asked } = await watched(open, hub);
  expect(asked).toEqual(["/api/registry 200", "/api/registry 304"]); // the second time because something may have changed before it listened
  asked.length = 0;
  const client = await open("/login", { hub, user: "nobody" });

  await send(client, hub, [{ type: "config/entity_registry/update", entity_id: "light.kitchen", name: "Cooking light" }]);
  await expect(toggle(page, "Cooking light")).toBeVisible();
  await expect.poll(() => asked).toEqual(["config/entity_registry/get"]);
  asked.length = 0;

  await send(client, hub, [{ type: "config/area_registry/update", area_id: "kitchen", name: "Cookhouse" }]);
  await expect(page.getByRole("heading", { name: "Cookhouse" })).toBeVisible();
  await expect.poll(() => asked).toEqual(["config/area_registry/list"]);
  asked.length = 0;

  await send(client, hub, [{ type: "config/entity_registry/update", entity_id: "light.kitchen", new_entity_id: "light.cookhouse" }]);
  await expect(page.getByRole("link", { name: "Cooking light" })).toHaveAttribute("href", /light\.cookhouse/);
  await expect.poll(() => asked).toEqual(["config/entity_registry/get", "config/entity_registry/get"]); // the new id and the old one
});

test("five hundred events are read together", async ({ open, startHub }) => {
  const hub = await startHub();
  const { page, asked } = await watched(open, hub);
  const client = await open("/login", { hub, user: "nobody" });
  const lights = ["light.kitchen", "light.living_room", "light.bedroom", "light.hall"];
  asked.length = 0;
  const updates = Array.from({ length: 500 }, (_, number) => ({
    type: "config/entity_registry/update",
    entity_id: lights[number % lights.length] as string,
    name: `Round ${Math.floor(number / lights.length)}`,
  }));
  await send(client, hub, updates);
  await expect(toggle(page, "Round 124")).toHaveCount(lights.length);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(200); // of five hundred; on a slow machine they come in more than one turn
});
