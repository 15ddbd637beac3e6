// SPDX-License-Identifier: Apache-2.0
// The editor's words about the state of an item, and its questions.
import { html, nothing, type TemplateResult } from "lit";

import { t } from "../../../i18n/catalogue";
import { textOf, type Problem } from "../../../items/item_text";
import type { Theirs } from "./file_changes";
import type { Editor } from "./item_store";
import "../../../items/text_changes";

// It was changed elsewhere while something is written here. `former`: what that was made of.
export function overtakenNotice(
  { by, written, item }: Theirs,
  former: string,
  { take, keep }: { take: () => void; keep: () => void },
): TemplateResult {
  return html`<div class="problem overtaken" role="alert">
    <strong>${by ? t("editor.changedBy", { name: by }) : t("editor.changedHeading")}</strong>
    <p>${t("editor.overtaken")}</p>
    <details>
      <summary>${t("versions.difference")}</summary>
      <hearth-text-changes .former=${former} .text=${written.text ?? textOf(item)}></hearth-text-changes>
    </details>
    <div class="row">
      <button type="button" @click=${take}>${t("editor.takeOther")}</button>
      <button type="button" @click=${keep}>${t("editor.keepMine")}</button>
    </div>
  </div>`;
}

// It was deleted elsewhere while something is written here.
export function goneNotice(): TemplateResult {
  return html`<div class="problem overtaken" role="alert">
    <strong>${t("editor.goneHeading")}</strong>
    <p>${t("editor.goneText")}</p>
  </div>`;
}

interface ProblemWords {
  // They are of what was to be saved.
  refused: boolean;
  // With the lines at which they stand, if they stand at one.
  lines: boolean;
  editor: () => Editor | null;
}

export function problemList(problems: Problem[], { refused, lines, editor }: ProblemWords): TemplateResult {
  return html`<div role=${refused ? "alert" : "status"}>
    ${problems.length === 0
      ? nothing
      : html`<div class="problem problem-list">
          <strong>${t(refused ? "editor.refused" : "editor.problems", { count: problems.length })}</strong>
          <ul>
            ${problems.map(
              (problem) =>
                html`<li>
                  <button type="button" class="plain" @click=${() => editor()?.show(problem)}>
                    ${lines && problem.line !== undefined ? html`<strong>${t("editor.line", { line: problem.line })}:</strong>` : nothing}
                    <span>${editor()?.worded?.(problem) ?? problem.message}</span>
                  </button>
                </li>`,
            )}
          </ul>
        </div>`}
  </div>`;
}
