// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Told = { callback?: string; force?: boolean; id?: number; type?: string; success?: boolean };
// The parts that browsers have.
const globals: Record<string, unknown> = {};
const kept = new Map<string, string>();
const place = { search: "", origin: "http://hub" };
vi.stubGlobal("window", globals);
vi.stubGlobal("location", place);
vi.stubGlobal("sessionStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
const { AppAuth, isInApp, tellApp } = await import("./external_app");
let told: [string, Told][];

beforeEach(() => {
  told = [];
  const taker = (call: string) => (text: string) => told.push([call, JSON.parse(text) as Told]);
  globals.externalApp = Object.fromEntries(["getExternalAuth", "revokeExternalAuth", "externalBus"].map((call) => [call, taker(call)]));
  place.search = "?external_auth=1";
});

afterEach(() => {
  delete globals.externalApp;
  delete globals.webkit;
  kept.clear();
});

test("a page is an app's only if the app is there and says so", () => {
  expect(isInApp()).toBe(true);
  place.search = "";
  expect(isInApp()).toBe(true);
  kept.clear();
  expect(isInApp()).toBe(false);
  place.search = "?external_auth=1";
  delete globals.externalApp;
  expect(isInApp()).toBe(false);
});

test("the app is asked once for a token, however many wait for it", async () => {
  const auth = new AppAuth();
  expect(auth.expired).toBe(true);
  const both = Promise.all([auth.refreshAccessToken(), auth.refreshAccessToken()]);
  expect(told).toEqual([["getExternalAuth", { callback: "externalAuthSetToken", force: false }]]);
  (globals.externalAuthSetToken as (done: boolean, token: object) => void)(true, { access_token: "abc", expires_in: 1800 });
  await both;
  expect([auth.accessToken, auth.expired]).toEqual(["abc", false]);
});

test("an app that gives no token ends the session, and one on iOS gets objects", async () => {
  delete globals.externalApp;
  const postMessage = vi.fn();
  globals.webkit = { messageHandlers: { getExternalAuth: { postMessage } } };
  const refused = expect(new AppAuth().refreshAccessToken()).rejects.toBe(2);
  (globals.externalAuthSetToken as (done: boolean) => void)(false);
  await refused;
  expect(postMessage).toHaveBeenCalledWith({ callback: "externalAuthSetToken", force: false });
});

test("logging out is the app's, and its commands are answered", async () => {
  const auth = new AppAuth();
  const out = auth.revoke();
  expect(told.at(-1)).toEqual(["revokeExternalAuth", { callback: "externalAuthRevokeToken" }]);
  (globals.externalAuthRevokeToken as (done: boolean) => void)(true);
  await out;
  tellApp("connection-status", { event: "connected" });
  expect(told.at(-1)?.[1]).toMatchObject({ type: "connection-status", payload: { event: "connected" } });
  (globals.externalBus as (message: object) => void)({ id: 5, type: "command", command: "restart" });
  expect(told.at(-1)?.[1]).toMatchObject({ id: 5, type: "result", success: false });
});
