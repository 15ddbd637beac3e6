// SPDX-License-Identifier: Apache-2.0
import type { Home } from "./home";
import type { SystemInfo } from "./types";

interface Health {
  homeassistant: { info: { os_name: string; os_version: string; arch: string; installation_type: string } };
  hearth: { info: Omit<SystemInfo, "host"> };
}

type HealthEvent = { type: "initial"; data: Health } | { type: "finish" };

// How the hub is doing now. It tells by events of a subscription that ends by itself. Administrators only.
export async function readSystemInfo(home: Home): Promise<SystemInfo | undefined> {
  let info: SystemInfo | undefined;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const stop = await home.connection.subscribeMessage<HealthEvent>(
    (event) => {
      if (event.type === "finish") return finish();
      const { os_name, os_version, arch, installation_type } = event.data.homeassistant.info;
      info = { ...event.data.hearth.info, host: `${os_name} ${os_version}, ${arch}, ${installation_type}` };
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
