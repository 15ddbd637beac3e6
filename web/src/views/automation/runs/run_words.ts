// SPDX-License-Identifier: Apache-2.0
import type { Run } from "../../../api/traces";
import { maybeT, t } from "../../../i18n/catalogue";

// How a run ended, or that it goes on.
export function outcomeText({ state, script_execution }: Run): string {
  if (state === "running") return t("runs.running");
  return maybeT(`runs.outcome_${script_execution}`) ?? script_execution ?? "";
}

// A run that failed is more than one that its conditions or the mode stopped.
export function outcomeLook({ state, script_execution }: Run): string {
  if (state === "running") return "badge accent";
  if (script_execution === "error") return "badge failed";
  return script_execution === "finished" ? "badge good" : "badge";
}
