// SPDX-License-Identifier: Apache-2.0
// The pages of connections, which are fetched together.
import { html, type TemplateResult } from "lit";

import type { Home } from "../../../api/home";
import { query } from "../../../router";
import "./connection_page";
import "./connections";
import "./flow_page";

export function drawConnections(home: Home, page: string): TemplateResult {
  if (page === "connect") return html`<hearth-flow-page .home=${home}></hearth-flow-page>`;
  if (page === "connection")
    return html`<hearth-connection-page .home=${home} .entryId=${query().get("id") ?? ""}></hearth-connection-page>`;
  return html`<hearth-connections .home=${home}></hearth-connections>`;
}
