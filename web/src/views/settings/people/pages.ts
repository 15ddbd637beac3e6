// SPDX-License-Identifier: Apache-2.0
// The pages of one person's rights and of invitations, which are fetched together.
import { html, type TemplateResult } from "lit";

import type { Home } from "../../../api/home";
import "./invitations";
import "./invite_page";
import "./rights_page";

export function drawPeople(home: Home, item: string): TemplateResult {
  if (item === "") return html`<hearth-invitations .home=${home}></hearth-invitations>`;
  if (item === "invite") return html`<hearth-invite .home=${home}></hearth-invite>`;
  return html`<hearth-user-rights .home=${home} .userId=${item}></hearth-user-rights>`;
}
