// SPDX-License-Identifier: Apache-2.0
import { html, type TemplateResult } from "lit";

import type { Home } from "../api/home";
import type { Entity } from "../api/types";
import { formatDateTime, formatRelative, t } from "../i18n/catalogue";

// When an automation or script ran last, or a scene was activated.
export function lastRun(home: Home, { entity_id, state, attributes }: Entity): TemplateResult | string {
  const isScene = entity_id.startsWith("scene.");
  const time = new Date(String(isScene ? state : attributes.last_triggered));
  if (Number.isNaN(time.getTime())) return t(isScene ? "automations.neverActivated" : "automations.neverRun");
  const when = { when: formatRelative(time) };
  return html`<span title=${formatDateTime(time, home.configuration.time_zone)}
    >${t(isScene ? "automations.lastActivated" : "automations.lastRun", when)}</span
  >`;
}
