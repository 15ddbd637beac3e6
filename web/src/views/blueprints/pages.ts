// SPDX-License-Identifier: Apache-2.0
// The pages of blueprints, which are fetched together.
import { html, type TemplateResult } from "lit";

import { blueprintDomains, type BlueprintDomain } from "../../api/blueprints";
import type { Home } from "../../api/home";
import { query } from "../../router";
import "./blueprint_page";
import "./blueprints";
import "./import_page";
import "./make_page";
import "./use_page";

export function drawBlueprints(home: Home, page: string): TemplateResult {
  const domain: BlueprintDomain | undefined = blueprintDomains.find((each) => each === query().get("domain"));
  const path = query().get("path") ?? "";
  if (page === "blueprint")
    return html`<hearth-blueprint-page .home=${home} .domain=${domain ?? "automation"} .path=${path}></hearth-blueprint-page>`;
  if (page === "import-blueprint")
    return html`<hearth-import-page .home=${home} .domain=${domain ?? ""} .path=${path}></hearth-import-page>`;
  if (page === "copy-blueprint")
    return html`<hearth-import-page .home=${home} .domain=${domain ?? "automation"} .copied=${path}></hearth-import-page>`;
  if (page === "make-blueprint") return html`<hearth-make-page .home=${home} .from=${query().get("from") ?? ""}></hearth-make-page>`;
  if (page === "use-blueprint") return html`<hearth-use-page .home=${home} .path=${path}></hearth-use-page>`;
  return html`<hearth-blueprints .home=${home}></hearth-blueprints>`;
}
