// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";

// The frame of the pages before login: the name and one card. The slot "corner" is above it.
@customElement("hearth-front")
export class Front extends LitElement {
  // For what is more than a form.
  @property({ type: Boolean, reflect: true }) wide = false;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        place-items: center;
        min-height: 100dvh;
        padding: 1.5rem 1rem;
        background: radial-gradient(60rem 40rem at 50% -10%, var(--accent-soft), transparent 75%);
      }

      main {
        width: min(26rem, 100%);
      }

      :host([wide]) main {
        width: min(46rem, 100%);
      }

      .brand {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: 0.8rem;
        margin-bottom: 1.3rem;
        font-size: 1.7rem;
        font-weight: 700;
        letter-spacing: -0.02em;
      }

      .brand img {
        width: 3.2rem;
        height: 3.2rem;
      }

      .card {
        padding: clamp(1.2rem, 5vw, 2rem);
        box-shadow: var(--shadow-high);
      }

      .corner {
        margin-top: 1.2rem;
      }
    `,
  ];

  override render() {
    return html`<main>
      <div class="brand"><img src="/favicon.svg" alt="" />${t("app.name")}</div>
      <div class="card"><slot></slot></div>
      <div class="corner"><slot name="corner"></slot></div>
    </main>`;
  }
}
