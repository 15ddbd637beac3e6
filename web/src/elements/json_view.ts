// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { formatBytes, t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import "./copy";

// The characters that are drawn at once; a table of 10,000 states has some millions.
const most = 60_000;

// A text in a fixed-width font, with Copy.
@customElement("hearth-json-view")
export class JsonView extends LitElement {
  @property() label = "";
  @property() text = "";
  @state() private whole = false;

  static override styles = [
    shared,
    css`
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.6rem;
        margin-bottom: 0.4rem;
        font-weight: 550;
      }

      pre {
        max-height: 28rem;
        margin: 0;
        padding: 0.75rem 0.9rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        background: var(--surface-2);
        overflow: auto;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }

      p {
        margin-top: 0.4rem;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("text")) this.whole = false;
  }

  override render() {
    const cut = !this.whole && this.text.length > most;
    return html`
      <header><span>${this.label}</span><hearth-copy .what=${this.label} .text=${() => this.text}></hearth-copy></header>
      <pre tabindex="0" role="group" aria-label=${this.label}>${cut ? this.text.slice(0, most) : this.text}</pre>
      ${cut
        ? html`<p class="row hint">
            ${t("developer.cut", { shown: formatBytes(most), all: formatBytes(this.text.length) })}
            <button type="button" @click=${() => (this.whole = true)}>${t("developer.showAll")}</button>
          </p>`
        : nothing}
    `;
  }
}
