// SPDX-License-Identifier: Apache-2.0
import type { Home } from "../../api/home";
import { cautionOfCall } from "../../cards/caution";
import { confirm } from "../../elements/confirm";
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

// Does what was said, after the questions that a card would ask.
export async function perform(home: Home, { calls }: Command): Promise<void> {
  for (const { domain, service, data, ids } of calls) {
    const question = cautionOfCall(home, `${domain}.${service}`, { ...data, entity_id: ids });
    if (question && !(await confirm(question))) return;
  }
  for (const { domain, service, data, ids } of calls) {
    if (domain === "script") for (const id of ids) await start(home, id);
    else if (!(await attempt(() => home.call(domain, service, data, { entity_id: ids })))) return;
  }
}
