// SPDX-License-Identifier: Apache-2.0
// What a test is given: a hub that the tests of one worker share, hubs of its own, and pages on which nothing may go wrong.
import { test as base, expect, type Browser, type BrowserContext, type Page } from "@playwright/test";

import { Hub, type User } from "./hub";

export { expect } from "@playwright/test";

interface Visit {
  // Who is logged in; "nobody" begins without a session.
  user?: User | "nobody";
  // Not the session that this worker's pages share, but one of its own, which the test may end.
  ownSession?: boolean;
  hub?: Hub;
  // Where the browser finds the hub, if not at its own address.
  origin?: string;
  width?: number;
  height?: number;
  // A phone's or tablet's screen instead of a mouse.
  touch?: boolean;
  theme?: "light" | "dark";
  language?: string;
  headers?: Record<string, string>;
}

export interface Given {
  // Opens a page of the hub as a person does who has logged in before.
  open: (path: string, visit?: Visit) => Promise<Page>;
  // Names a complaint of the browser that the test causes: it has to come, or may with `always` false, and fails nothing.
  expectComplaint: (text: RegExp, always?: boolean) => void;
  // A hub of the test's own.
  startHub: (options?: Parameters<typeof Hub.start>[0]) => Promise<Hub>;
}

interface Shared {
  hub: Hub;
  session: (hub: Hub, user: User, origin: string) => Promise<object>;
}

async function visit(browser: Browser, url: string, session: object | undefined, wanted: Visit): Promise<BrowserContext> {
  const stored = session ? [{ name: "hearth.session", value: JSON.stringify(session) }] : [];
  return browser.newContext({
    baseURL: url,
    viewport: { width: wanted.width ?? 1024, height: wanted.height ?? 800 },
    hasTouch: wanted.touch ?? false,
    isMobile: wanted.touch ?? false,
    colorScheme: wanted.theme ?? "light",
    locale: wanted.language ?? "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
    ...(wanted.headers && { extraHTTPHeaders: wanted.headers }),
    storageState: { cookies: [], origins: [{ origin: url, localStorage: stored }] },
  });
}

// Notes what the browser complains of: its console's warnings and errors (what breaks the Content-Security-Policy among them),
// exceptions, what could not be fetched, and what was asked for elsewhere.
function watch(page: Page, url: string, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== url) complaints.push(`asked elsewhere: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") complaints.push(`${request.method()} ${request.url()}: ${reason}`);
  });
}

// A browser's complaint reaches the test by a way of its own, maybe after the page shows what it is about.
const missed = (expected: RegExp[], complaints: string[]) =>
  expected.filter((text) => !complaints.some((complaint) => text.test(complaint)));

interface Complaints {
  complaints: string[];
  expected: RegExp[]; // those that have to come
}

export const test = base.extend<Given & Complaints, Shared>({
  hub: [
    async ({}, use) => {
      const hub = await Hub.start();
      await use(hub);
      await hub.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  session: [
    async ({}, use) => {
      const sessions = new WeakMap<Hub, Map<string, Promise<object>>>(); // two hubs may have had the same port, one after the other
      await use((hub, user, origin) => {
        const own = sessions.get(hub) ?? new Map<string, Promise<object>>();
        sessions.set(hub, own);
        const key = `${origin} ${user}`;
        const session = own.get(key) ?? hub.logIn(user, undefined, { origin });
        own.set(key, session);
        return session;
      });
    },
    { scope: "worker" },
  ],

  complaints: async ({}, use) => use([]),
  expected: async ({}, use) => use([]),

  // `startHub` only because pages have to be closed before their hub ends.
  open: async ({ browser, hub, session, complaints, expected, startHub: _ }, use, info) => {
    const contexts: BrowserContext[] = [];
    await use(async (path, wanted = {}) => {
      const own = wanted.hub ?? hub;
      const user = wanted.user ?? "ann";
      const url = wanted.origin ?? own.url;
      const logIn = () => (wanted.ownSession ? own.logIn(user, undefined, { origin: url }) : session(own, user as User, url));
      const kept = user === "nobody" ? undefined : await logIn();
      const context = await visit(browser, url, kept, wanted);
      contexts.push(context);
      const page = await context.newPage();
      watch(page, url, complaints);
      await page.goto(path);
      return page;
    });
    if (info.status === info.expectedStatus) await expect.poll(() => missed(expected, complaints)).toEqual([]);
    for (const context of contexts) await context.close();
  },

  expectComplaint: [
    async ({ complaints, expected }, use) => {
      const possible: RegExp[] = [];
      await use((text, always = true) => (always ? expected : possible).push(text));
      expect(complaints.filter((complaint) => ![...expected, ...possible].some((text) => text.test(complaint)))).toEqual([]);
      expect(missed(expected, complaints)).toEqual([]); // of pages that the test opened by other means
    },
    { auto: true },
  ],

  startHub: async ({}, use) => {
    const hubs: Hub[] = [];
    await use(async (options = {}) => {
      const hub = await Hub.start(options);
      hubs.push(hub);
      return hub;
    });
    for (const hub of hubs) await hub.stop();
  },
});
