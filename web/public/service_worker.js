// SPDX-License-Identifier: Apache-2.0
// Shows what the hub sends to this browser, and tells the hub which action somebody has chosen. It stands between no
// page and the hub: it has no `fetch` handler (docs/decisions/0046).
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, message, tag, url, reply, actions } = event.data?.json() ?? {};
  const shown = { body: message, tag, actions, icon: "/favicon.svg", data: { url, reply } };
  event.waitUntil(self.registration.showNotification(title ?? "Hearth", shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, reply } = event.notification.data ?? {};
  const answers = event.action && reply?.startsWith("/api/webhook/");
  event.waitUntil(answers ? answer(reply, event.action) : open(url));
});

function answer(reply, action) {
  const headers = { "Content-Type": "application/json" };
  return fetch(reply, { method: "POST", headers, body: JSON.stringify({ action }) });
}

// The page in this browser if there is one, otherwise a new one; never of another site.
async function open(url) {
  const place = new URL(url ?? "/", self.location.origin);
  if (place.origin !== self.location.origin) return;
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (page && place.pathname === "/") await page.focus();
  else await self.clients.openWindow(place.href);
}
