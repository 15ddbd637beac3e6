// SPDX-License-Identifier: Apache-2.0
// Whoever scrolls a phone with a thumb begins anywhere: on a button, a slider, a dial, a picture, a handle, a sheet's head.
import type { Page } from "@playwright/test";

import { calls } from "../calls";
import { expect, test } from "../fixtures";
import { Finger } from "../finger";
import { dialog, settled } from "../pages";
import type { State } from "../hub";

const way = 150;

interface Spot {
  kind: string;
  x: number;
  y: number;
}

// The controls and what is dragged: of each kind that is not `known` the first, brought into view.
function nextSpot(page: Page, known: string[]): Promise<Spot | null> {
  return page.evaluate(async (done) => {
    const meant = "button, a, label, input, summary, svg, [role=slider], .dial, .level, .tile, header";
    const all = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const modal = all(document).find((one) => one.matches("dialog[open]"));
    const isIn = (element: Element): boolean => {
      if (!modal) return true;
      for (let at: Node | null = element; at; at = (at as Element).assignedSlot ?? at.parentNode ?? (at as ShadowRoot).host ?? null)
        if (at === modal) return true;
      return false;
    };
    for (const element of all(document)) {
      if (!element.matches(meant) || !element.checkVisibility({ visibilityProperty: true }) || !isIn(element)) continue;
      const host = (element.getRootNode() as ShadowRoot).host;
      const kind = [host?.localName, element.localName, element.getAttribute("type"), element.getAttribute("role"), element.className]
        .map((part) => (typeof part === "string" ? part : ""))
        .join(".");
      if (done.includes(kind)) continue;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width < 8 || height < 8) continue;
      const at = { x: Math.min(innerWidth - 4, Math.max(4, x + width / 2)), y: Math.min(innerHeight - 4, Math.max(4, y + height / 2)) };
      return { kind, ...at };
    }
    return null;
  }, known);
}

// Swipes up and down over one of each kind, and returns the kinds.
async function swipeOver(page: Page, address: string, known: string[]): Promise<void> {
  const finger = await Finger.on(page);
  await page.goto(address);
  await settled(page);
  const isDialog = address.includes("entity=");
  for (;;) {
    const spot = await nextSpot(page, known);
    if (!spot) return;
    known.push(spot.kind);
    for (const by of [spot.y > way + 10 ? -way : way, spot.y < 590 ? way : -way]) await finger.swipe(spot, 5, by);
    // A sheet may have been pulled down.
    if (isDialog && (await dialog(page).count()) === 0) {
      await page.goto(address);
      await settled(page);
    }
  }
}

test("a swipe up or down commands nothing, wherever it begins @all", async ({ open, startHub }) => {
  test.setTimeout(240_000);
  const hub = await startHub();
  await hub.call("light", "turn_on", { entity_id: "light.living_room", brightness: 120, hs_color: [120, 60] });
  const page = await open("/overview", { hub, width: 360, height: 740, touch: true });
  await settled(page);
  const before = await hub.rest<State[]>("GET", "/api/states");
  const noted = await calls(hub);
  const known: string[] = [];
  for (const address of [
    "/overview",
    "/overview?area=living_room",
    "/overview?arrange=1",
    "/overview?area=kitchen&arrange=1",
    "/overview?panel=living_room",
    ...[
      "light.living_room",
      "climate.living_room",
      "cover.living_room_blind",
      "media_player.office",
      "fan.bedroom",
      "camera.driveway",
      "vacuum.ground_floor",
      "lock.front_door",
    ].map((id) => `/overview?entity=${id}`),
  ])
    await swipeOver(page, address, known);
  expect(known.length).toBeGreaterThan(40);
  await page.goto("/overview?entity=light.hall");
  await dialog(page).getByRole("switch", { name: "Hall light", exact: true }).tap();
  await expect.poll(() => noted.map(({ service, data }) => [service, data.entity_id])).toEqual([["light.turn_off", "light.hall"]]);
  const after = await hub.rest<State[]>("GET", "/api/states");
  expect(after.filter(({ entity_id }) => entity_id !== "light.hall")).toEqual(before.filter(({ entity_id }) => entity_id !== "light.hall"));
});
