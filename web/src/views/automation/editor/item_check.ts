// SPDX-License-Identifier: Apache-2.0
// The hub's findings about an item while it is written.
import type { Home } from "../../../api/home";
import { hubMessage } from "../../../i18n/hub_messages";
import type { ItemText, Problem } from "../../../items/item_text";

type Checked = Record<string, { valid: boolean; error: string | null }>;
// The parts that it checks, by what they may be called.
const checked: Record<string, string[]> = {
  triggers: ["triggers", "trigger"],
  conditions: ["conditions", "condition"],
  actions: ["actions", "action", "sequence"],
};

export async function hubProblems(home: Home, text: ItemText): Promise<Problem[]> {
  const item = text.item();
  const keys = Object.entries(checked).flatMap(([part, names]) => {
    const key = names.find((name) => item[name] !== undefined && item[name] !== null);
    return key ? [[part, key] as const] : [];
  });
  if (keys.length === 0) return [];
  const answer = await home.command<Checked>("validate_config", Object.fromEntries(keys.map(([part, key]) => [part, item[key]])));
  return keys.flatMap(([part, key]) => {
    const said = answer[part]?.error ?? "";
    return text.refusals(said.replace(/^[a-z]+(?=[.[:])/gm, key), hubMessage);
  });
}
