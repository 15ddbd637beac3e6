// SPDX-License-Identifier: Apache-2.0
// The page in a companion app's own view: it has its tokens from the app, and ends the app's session.
import { expect, test } from "../fixtures";

interface Asked {
  call: string;
  sent: { callback?: string; force?: boolean };
}

// As the apps' public sources give it to a page: texts to objects on Android, values to handlers of messages on iOS.
function asApp({ system, token }: { system: "Android" | "iOS"; token: string }): void {
  const view = window as unknown as Record<string, unknown> & { asked: Asked[] };
  view.asked = [];
  const answer = (call: string) => (given: string | Asked["sent"]) => {
    const sent = (typeof given === "string" ? JSON.parse(given) : given) as Asked["sent"];
    view.asked.push({ call, sent });
    const told = call === "getExternalAuth" ? { access_token: token, expires_in: 1800 } : undefined;
    if (sent.callback) (view[sent.callback] as (done: boolean, with_?: object) => void)(true, told);
  };
  const calls = ["getExternalAuth", "revokeExternalAuth", "externalBus"];
  if (system === "Android") view.externalApp = Object.fromEntries(calls.map((call) => [call, answer(call)]));
  else view.webkit = { messageHandlers: Object.fromEntries(calls.map((call) => [call, { postMessage: answer(call) }])) };
}

for (const system of ["Android", "iOS"] as const) {
  test(`a companion app on ${system} shows the home with its own session`, async ({ open, hub }) => {
    const page = await open("/login", { user: "nobody", width: 360, height: 740, touch: true });
    await page.addInitScript(asApp, { system, token: hub.token("ann") });
    await page.goto("/?external_auth=1");
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    const asked = (call: string) =>
      page.evaluate((wanted) => (window as unknown as { asked: Asked[] }).asked.filter((one) => one.call === wanted), call);
    expect((await asked("getExternalAuth"))[0]?.sent).toEqual({ callback: "externalAuthSetToken", force: false });
    await page.goto("/profile");
    await page.getByRole("button", { name: "Log out", exact: true }).last().click();
    await expect
      .poll(async () => (await asked("revokeExternalAuth")).map(({ sent }) => sent))
      .toEqual([{ callback: "externalAuthRevokeToken" }]);
  });
}
