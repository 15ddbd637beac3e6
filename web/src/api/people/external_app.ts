// SPDX-License-Identifier: Apache-2.0
// A companion app that shows this page in a view of its own (`/?external_auth=1`) has logged in itself: the page asks it for tokens,
// and tells it how the connection does. On Android it gives the page objects with functions, on iOS handlers of messages.
import { Auth, ERR_INVALID_AUTH } from "home-assistant-js-websocket";

type Receiver = (text: string) => void;
interface Handler {
  postMessage(message: unknown): void;
}
interface AppWindow {
  externalApp?: { getExternalAuth: Receiver; revokeExternalAuth: Receiver; externalBus?: Receiver };
  externalAppV2?: { postMessage: Receiver };
  webkit?: { messageHandlers?: { getExternalAuth?: Handler; revokeExternalAuth?: Handler; externalBus?: Handler } };
  externalAuthSetToken?: (done: boolean, token?: { access_token: string; expires_in: number }) => void;
  externalAuthRevokeToken?: (done: boolean) => void;
  externalBus?: (message: BusMessage) => void;
}
interface BusMessage {
  id?: number;
  type: string;
}

const key = "hearth.external_auth";
const app = window as unknown as AppWindow;

function hasApp(): boolean {
  return Boolean(app.externalApp ?? app.externalAppV2 ?? app.webkit?.messageHandlers?.getExternalAuth);
}

// Kept for as long as the view is open: pages within it do not carry the word in their addresses.
export function isInApp(): boolean {
  if (!hasApp()) return false;
  if (new URLSearchParams(location.search).has("external_auth")) sessionStorage.setItem(key, "1");
  return sessionStorage.getItem(key) !== null;
}

type Call = "getExternalAuth" | "revokeExternalAuth" | "externalBus";

function tell(call: Call, payload: Record<string, unknown>): void {
  const handler = app.webkit?.messageHandlers?.[call];
  if (app.externalAppV2) app.externalAppV2.postMessage(JSON.stringify({ type: call, payload }));
  else if (app.externalApp) app.externalApp[call]?.(JSON.stringify(payload));
  else handler?.postMessage(payload);
}

let lastId = 0;
export function tellApp(type: string, payload?: Record<string, unknown>): void {
  if (isInApp()) tell("externalBus", { id: (lastId += 1), type, ...(payload && { payload }) });
}

// The app's commands have no meaning in this page; an answer needs none.
function hear(message: BusMessage): void {
  if (message.type !== "command") return;
  const error = { code: "unknown_command", message: "Unknown command" };
  tell("externalBus", { id: message.id, type: "result", success: false, error });
}

export class AppAuth extends Auth {
  private refreshing: Promise<void> | undefined;

  constructor() {
    super({ hassUrl: location.origin, clientId: "", expires: 0, refresh_token: "", access_token: "", expires_in: 0 });
    app.externalBus = hear;
  }

  override refreshAccessToken(force = false): Promise<void> {
    return (this.refreshing ??= this.ask(force).finally(() => (this.refreshing = undefined)));
  }

  private async ask(force: boolean): Promise<void> {
    const token = await new Promise<{ access_token: string; expires_in: number }>((resolve, reject) => {
      app.externalAuthSetToken = (done, given) => {
        if (done && given) resolve(given);
        else reject(ERR_INVALID_AUTH as unknown as Error);
      };
      tell("getExternalAuth", { callback: "externalAuthSetToken", force });
    });
    this.data = { ...this.data, ...token, expires: Date.now() + token.expires_in * 1000 };
  }

  override async revoke(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      app.externalAuthRevokeToken = (done) => {
        if (done) resolve();
        else reject(new Error("The app has not ended its session."));
      };
      tell("revokeExternalAuth", { callback: "externalAuthRevokeToken" });
    });
  }
}
