// SPDX-License-Identifier: Apache-2.0
import { kindOf, runItem } from "../api/automations";
import type { Home } from "../api/home";

// Starts an automation, a script or a scene; of a script asks for its fields before. Whether it was started.
export async function started(home: Home, entityId: string): Promise<boolean> {
  if (kindOf(entityId) === "script") return (await import("./run_dialog")).runAsking(home, entityId);
  await runItem(home, entityId);
  return true;
}
