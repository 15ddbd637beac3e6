// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { lineDifference, type Line } from "./line_difference";

// Differences between two texts.
@customElement("hearth-text-changes")
export class TextChanges extends LitElement {
  @property() former = "";
  @property() text = "";

  static override styles = [
    shared,
    css`
      .lines {
        padding: 0.5rem 0;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        background: var(--surface);
        color: var(--text);
        font-family: var(--font-mono);
        font-size: 0.85rem;
        font-weight: 400;
      }

      .line {
        display: block;
        min-height: 1.3em;
        padding: 0.1rem 0.6rem 0.1rem 1.7rem;
        color: var(--text);
        text-decoration: none;
        text-indent: -1.1rem;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      .line::before {
        display: inline-block;
        width: 1.1rem;
        text-indent: 0;
        content: attr(data-sign);
      }

      .added {
        background: color-mix(in srgb, var(--good) 16%, transparent);
      }

      .removed {
        background: color-mix(in srgb, var(--danger) 14%, transparent);
      }

      .gap {
        color: var(--text-2);
        font-family: var(--font);
      }
    `,
  ];

  override render() {
    if (this.former === this.text) return html`<p class="hint">${t("blueprints.same")}</p>`;
    return html`<div class="lines">${lineDifference(this.former, this.text).map(line)}</div>`;
  }
}

const signs: Record<Line["kind"], string> = { same: " ", added: "+", removed: "−", gap: "" };

function line({ kind, text }: Line): TemplateResult {
  if (kind === "gap") return html`<span class="line gap" data-sign="">${t("versions.gap", { count: Number(text) })}</span>`;
  if (kind === "added") return html`<ins class="line added" data-sign=${signs.added}>${text}</ins>`;
  if (kind === "removed") return html`<del class="line removed" data-sign=${signs.removed}>${text}</del>`;
  return html`<span class="line" data-sign=${signs.same}>${text}</span>`;
}
