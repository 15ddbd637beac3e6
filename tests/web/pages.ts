// SPDX-License-Identifier: Apache-2.0
// What several tests know of the pages.
import { expect, type Locator, type Page } from "@playwright/test";

// Every page and tab of the home, by the name of its screenshots.
export const places = {
  overview: "/overview",
  "overview-list": "/overview?view=list",
  room: "/overview?area=kitchen",
  arrange: "/overview?arrange=1",
  entity: "/overview?entity=light.living_room",
  energy: "/energy",
  history: "/history",
  "developer-states": "/developer-tools",
  "developer-services": "/developer-tools/services",
  "developer-template": "/developer-tools/template",
  "developer-events": "/developer-tools/events",
  "developer-mqtt": "/developer-tools/mqtt",
  "developer-api": "/developer-tools/api",
  profile: "/profile",
  "settings-home": "/settings",
  "settings-users": "/settings/users",
  "settings-areas": "/settings/areas",
  "settings-devices": "/settings/devices",
  "settings-device": "/settings/devices/demo.router",
  "settings-add-devices": "/settings/devices/add",
  "settings-device-rooms": "/settings/devices/rooms",
  "settings-connections": "/settings/devices/connections",
  "settings-rooms": "/settings/areas/rooms",
  "settings-automations": "/settings/automations",
  "settings-automation": "/settings/automations/new-automation",
  "settings-blueprints": "/settings/automations/blueprints",
  "settings-import": "/settings/automations/import-blueprint",
  "settings-energy": "/settings/energy",
  "settings-mqtt": "/settings/mqtt",
  "settings-backups": "/settings/backups",
  "settings-moving": "/settings/import",
  "settings-security": "/settings/security",
  "settings-system": "/settings/system",
} as const;

export type Place = keyof typeof places;

export const pageNames = ["Overview", "History", "Energy", "Developer tools", "Settings", "Profile"];

export function navigation(page: Page): Locator {
  return page.getByRole("navigation", { name: "Pages" });
}

export function notices(page: Page): Locator {
  return page.locator("hearth-notices");
}

// The toggle of a card.
export function toggle(page: Page, entity: string): Locator {
  return page.getByRole("switch", { name: entity, exact: true });
}

// The dialog that is open. What is in it is not inside the element with that role, but slotted into it.
export function dialog(page: Page): Locator {
  return page.locator("hearth-dialog");
}

export async function showPage(page: Page, name: string): Promise<void> {
  await navigation(page).getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
}

// Until a page stands there whole: nothing is loading any more, and no element waits to be drawn.
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor(); // not by its role, which it does not have behind a dialog
  await page.waitForFunction(() => {
    const all = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
    return !all(document).some(
      (element) => element.localName === "hearth-loading" || (element as { isUpdatePending?: boolean }).isUpdatePending,
    );
  });
  await page.evaluate(() => document.fonts.ready);
}

// Every text of the page: what is read, and the names that a screen reader says.
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof Text && node.data.trim()) found.push(node.data.trim());
      if (node instanceof Element) {
        if (["SCRIPT", "STYLE", "TEXTAREA", "PRE", "CODE"].includes(node.tagName)) return;
        for (const name of ["aria-label", "placeholder", "title", "alt"]) {
          const text = node.getAttribute(name);
          if (text) found.push(text);
        }
        if (node.shadowRoot) visit(node.shadowRoot);
      }
      node.childNodes.forEach(visit);
    };
    visit(document.body);
    return found;
  });
}

// How many elements of a kind are drawn, in shadow trees too.
export function count(page: Page, selector: string): Promise<number> {
  return page.locator(selector).count();
}

// Nothing reaches beyond the window's right edge.
export async function fits(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => {
    const found: string[] = [];
    const isSideways = document.documentElement.scrollWidth > innerWidth;
    const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    const arrows = 16;
    // A field of a number shows each end of its range, and its arrows.
    const isCut = (field: HTMLInputElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      pen.font = font;
      const widest = Math.max(...[field.min, field.max, field.value].map((text) => pen.measureText(text).width));
      return field.clientWidth > 0 && widest + arrows > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    };
    const visit = (root: ParentNode) => {
      for (const element of root.querySelectorAll("*")) {
        if (isSideways) {
          const { right, width } = element.getBoundingClientRect();
          if (width > 0 && right > innerWidth + 1) found.push(`${element.localName}.${element.className} to ${Math.round(right)}`);
        }
        if (element instanceof HTMLInputElement && element.type === "number" && isCut(element))
          found.push(`the digits of ${element.getAttribute("aria-label") ?? element.id} are cut`);
        if (element.shadowRoot) visit(element.shadowRoot);
      }
    };
    visit(document);
    return found;
  });
  expect.soft(beyond, `${page.url()} at ${page.viewportSize()?.width}`).toEqual([]);
}

// Sends a command as the page does, with the rights of its user.
export function command<T>(page: Page, type: string, data: object = {}): Promise<T> {
  return page.evaluate(
    ([kind, values]) => {
      const { home } = document.querySelector("hearth-app") as unknown as {
        home: { command: (kind: string, values: object) => Promise<T> };
      };
      return home.command(kind, values);
    },
    [type, data] as const,
  );
}
