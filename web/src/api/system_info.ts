// SPDX-License-Identifier: Apache-2.0
import type { Home } from "./home";
import type { SystemInfo } from "./types";

type HealthEvent = { type: "initial"; data: { hearth?: { info: SystemInfo } } } | { type: "finish" };

// How the hub is doing now. It tells by events of a subscription that ends by itself. Administrators only.
export async function readSystemInfo(home: Home): Promise<SystemInfo | undefined> {
  let info: SystemInfo | undefined;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const stop = await home.connection.subscribeMessage<HealthEvent>(
    (event) => {
      if (event.type === "initial") info = event.data.hearth?.info;
      else finish();
    },
    { type: "system_health/info" },
    { resubscribe: false },
  );
  const lost = home.on("connection", () => finish());
  await finished;
  lost();
  await stop().catch(() => undefined); // the hub may have forgotten it already
  return info;
}
