// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";

// Shows that something is loading or, with `problem`, that it failed; then fires `retry` when the user asks for it.
@customElement("hearth-loading")
export class Loading extends LitElement {
  @property() problem = "";
  @state() private late = false;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        place-items: center;
        min-height: 50vh;
        padding: 2rem;
        text-align: center;
      }

      progress {
        width: 12rem;
        accent-color: var(--accent);
      }

      .card {
        max-width: 30rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    setTimeout(() => (this.late = true), 300); // a short wait shows no message
  }

  override render() {
    if (this.problem) {
      return html`<div class="card stack" role="alert">
        <p>${this.problem}</p>
        <div>
          <button type="button" class="primary" @click=${() => this.dispatchEvent(new CustomEvent("retry"))}>${t("action.retry")}</button>
        </div>
      </div>`;
    }
    return this.late ? html`<label>${t("app.loading")} <progress></progress></label>` : nothing;
  }
}
