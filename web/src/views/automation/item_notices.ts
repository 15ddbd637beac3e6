// SPDX-License-Identifier: Apache-2.0
// What the editor of an item says of its state.
import { html, nothing, type TemplateResult } from "lit";

import { t } from "../../i18n/catalogue";
import type { Problem } from "./item_text";

// It was changed elsewhere while something is written here.
export function overtakenNotice(take: () => void): TemplateResult {
  return html`<div class="problem overtaken" role="alert">
    <strong>${t("editor.changedHeading")}</strong>
    <p>${t("editor.overtaken")}</p>
    <button type="button" @click=${take}>${t("editor.takeOther")}</button>
  </div>`;
}

// `refused`: they are of what was to be saved; `lines`: with the lines at which they stand.
export function problemList(problems: Problem[], { refused, lines, show }: { refused: boolean; lines: boolean; show: (problem: Problem) => void }): TemplateResult {
  return html`<div role=${refused ? "alert" : "status"}>
    ${problems.length === 0
      ? nothing
      : html`<div class="problem">
          <strong>${t(refused ? "editor.refused" : "editor.problems", { count: problems.length })}</strong>
          <ul>
            ${problems.map(
              (problem) =>
                html`<li>
                  <button type="button" class="plain" @click=${() => show(problem)}>${lines ? html`<strong>${t("editor.line", { line: problem.line })}:</strong>` : nothing} <span>${problem.message}</span></button>
                </li>`,
            )}
          </ul>
        </div>`}
  </div>`;
}
