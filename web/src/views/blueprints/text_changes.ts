// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { lineChanges, shortened } from "./line_changes";

// What differs between two texts.
@customElement("hearth-text-changes")
export class TextChanges extends LitElement {
  @property() former = "";
  @property() text = "";

  static override styles = [
    shared,
    css`
      pre {
        margin: 0;
        padding: 0.6rem 0;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        overflow-x: auto;
        line-height: 1.5;
      }

      span {
        display: block;
        min-width: max-content;
        padding: 0 0.8rem;
      }

      .added {
        background: color-mix(in srgb, var(--good) 16%, transparent);
      }

      .removed {
        background: color-mix(in srgb, var(--danger) 14%, transparent);
      }

      .left {
        color: var(--text-2);
      }
    `,
  ];

  override render() {
    if (this.former === this.text) return html`<p class="hint">${t("blueprints.same")}</p>`;
    const signs = { same: " ", added: "+", removed: "−" };
    const lines = shortened(lineChanges(this.former, this.text));
    return html`<pre tabindex="0" aria-label=${t("blueprints.changes")}>${lines.map((line) => (line ? html`<span class=${line.how}>${signs[line.how]} ${line.text}</span>` : html`<span class="left">⋯</span>`))}</pre>`;
  }
}
