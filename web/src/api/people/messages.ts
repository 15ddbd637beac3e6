// SPDX-License-Identifier: Apache-2.0
// The hub's own messages to its user, on which phones and browsers; and this browser's subscription to web push.
import type { Home } from "../home";

export interface MessageChoice {
  alerts: "none" | "danger" | "all";
  logins: boolean;
  quiet_from: string | null;
  quiet_to: string | null;
  apps: { name: string; app_name: string; connected: boolean }[];
  browsers: { browser_id: string; name: string }[];
}

const worker = "/service_worker.js";

export function readChoice(home: Home): Promise<MessageChoice> {
  return home.command<MessageChoice>("hearth/notifications/choice");
}

export function choose(home: Home, { alerts, logins, quiet_from, quiet_to }: MessageChoice): Promise<unknown> {
  return home.command("hearth/notifications/choose", { alerts, logins, quiet_from, quiet_to });
}

export function sendTest(home: Home, message: string): Promise<unknown> {
  return home.command("hearth/notifications/test", { message });
}

// Browsers let only pages that came by https, or from this machine, be told.
export function canBeTold(): boolean {
  return window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
}

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

// True if somebody has allowed it.
export async function tellThisBrowser(home: Home, name: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { key } = await home.command<{ key: string }>("hearth/notifications/push_key");
  const registration = await navigator.serviceWorker.register(worker);
  await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  const { endpoint, keys } = subscription.toJSON();
  await home.command("hearth/notifications/browser/add", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, name });
  return true;
}

export async function forgetBrowser(home: Home, browser_id: string): Promise<void> {
  await home.command("hearth/notifications/browser/remove", { browser_id });
}
