// SPDX-License-Identifier: Apache-2.0
// How a connection is, in words.
import { css, html, nothing, type TemplateResult } from "lit";

import { statusOf, type ConfigEntry } from "../../../api/connections/entries";
import { t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";

export const entryStates = css`
  .badge.loaded {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .badge.setup_error {
    background: var(--danger-soft);
    color: var(--text);
  }
`;

// A word for a list: "Waits".
export function entryBadge(entry: ConfigEntry): TemplateResult {
  const status = statusOf(entry);
  return html`<span class="badge ${status}">${t(`connections.state.${status}`)}</span>`;
}

export function reasonText({ reason }: ConfigEntry): string {
  return reason ? hubMessage(reason) : "";
}

// Its meaning, its reason, and the advice.
export function entryState(entry: ConfigEntry): TemplateResult {
  const status = statusOf(entry);
  const reason = status === "loaded" || status === "disabled" ? "" : reasonText(entry);
  const isMade = entry.source !== "yaml";
  return html`<div class=${status === "setup_error" ? "problem" : "notice"} role="status">
    ${reason ? html`<p><strong>${reason}</strong></p>` : nothing}
    <p>
      ${t(`connections.about.${status}`)}
      ${status !== "setup_error" ? nothing : t(isMade ? "connections.addAgain" : "connections.changeFile")}
    </p>
  </div>`;
}
