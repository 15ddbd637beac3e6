// SPDX-License-Identifier: Apache-2.0
import type { Run } from "../../api/traces";
import { maybeT, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";

// How a run ended, or that it goes on.
export function outcomeText({ state, script_execution }: Run): string {
  if (state === "running") return t("runs.running");
  return maybeT(`runs.outcome_${script_execution}`) ?? script_execution ?? "";
}

// What went wrong: "actions[0].delay: expected a duration …".
export function failureText(error: string): string {
  const [, path = "", said = error] = /^([a-z_]+(?:\[\d+\]|\.[a-z_]+)*: )(.*)$/s.exec(error) ?? [];
  return path + hubMessage(said);
}

// A run that failed is more than one that its conditions or the mode stopped.
export function outcomeLook({ state, script_execution }: Run): string {
  if (state === "running") return "badge accent";
  if (script_execution === "error") return "badge failed";
  return script_execution === "finished" ? "badge good" : "badge";
}
