// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { endView } from "./api/session";
import { t } from "./i18n/catalogue";
import { base } from "./router";
import { shared } from "./styles/shared";

// Says in whose place an administrator sees the home in this tab, and leads back.
@customElement("hearth-view-banner")
export class ViewBanner extends LitElement {
  @property() name = "";

  static override styles = [
    shared,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: 0.5rem 1rem;
        padding: 0.5rem 1rem;
        border-bottom: 1px solid var(--active-border);
        background: var(--active);
        overflow-wrap: anywhere;
      }
    `,
  ];

  private end(): void {
    endView();
    location.assign(`${base}/settings/users`);
  }

  override render() {
    return html`<div role="status">
      <span>${t("view.as", { name: this.name })}</span>
      <button type="button" @click=${() => this.end()}>${t("view.end")}</button>
    </div>`;
  }
}
