// SPDX-License-Identifier: Apache-2.0
import type { Home } from "../../api/home";
import { act } from "../../cards/act";
import { attempt, notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import type { Command } from "./commands";

// Starts a script, after asking for its fields, or activates a scene.
export function start(home: Home, id: string): Promise<boolean> {
  return attempt(async () => {
    if (id.startsWith("scene.")) return home.call("scene", "turn_on", {}, { entity_id: id });
    const { runAsking } = await import("../../items/run_dialog");
    if (await runAsking(home, id)) notifyDone(t("script.started", { name: home.nameOf(id) }));
  });
}

// Does what was said, after the question that cards would ask.
export async function perform(home: Home, { calls }: Command): Promise<void> {
  const others = calls.filter(({ domain }) => domain !== "script");
  if (others.length > 0 && !(await act(home, others))) return;
  for (const { ids } of calls.filter((call) => !others.includes(call))) for (const id of ids) await start(home, id);
}
