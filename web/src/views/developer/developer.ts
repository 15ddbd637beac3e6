// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "./api";
import "./events";
import "./services";
import "./states";

const tabs = ["states", "services", "events", "api"] as const;
type Tab = (typeof tabs)[number];

@customElement("hearth-developer")
export class Developer extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() tab = "";

  static override styles = [
    shared,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem;
        margin: 0.9rem 0 1.3rem;
        border-bottom: 1px solid var(--border);
      }

      nav a {
        padding: 0.65rem 1rem;
        border-bottom: 3px solid transparent;
        color: var(--text-2);
        font-weight: 550;
        text-decoration: none;
      }

      nav a:hover {
        color: var(--text);
      }

      nav a[aria-current] {
        border-color: var(--accent);
        color: var(--text);
      }

      .notice {
        margin-bottom: 1.2rem;
      }

      @media (max-width: 30rem) {
        nav a {
          padding: 0.65rem 0.6rem;
        }
      }
    `,
  ];

  override render() {
    const current = this.current();
    return html`
      <h1>${t("page.developer")}</h1>
      <nav aria-label=${t("page.developer")}>
        ${tabs.map(
          (tab) =>
            html`<a href="/developer-tools/${tab}" aria-current=${tab === current ? "page" : nothing}>${t(`developer.${tab}`)}</a>`,
        )}
      </nav>
      ${this.home.user.is_admin || !current ? nothing : html`<p class="notice">${t(`developer.${current}.readOnly`)}</p>`}
      ${this.content(current)}
    `;
  }

  private current(): Tab | undefined {
    return this.tab === "" ? "states" : tabs.find((tab) => tab === this.tab);
  }

  private content(tab: Tab | undefined): TemplateResult {
    switch (tab) {
      case "states":
        return html`<hearth-developer-states .home=${this.home}></hearth-developer-states>`;
      case "services":
        return html`<hearth-developer-services .home=${this.home}></hearth-developer-services>`;
      case "events":
        return html`<hearth-developer-events .home=${this.home}></hearth-developer-events>`;
      case "api":
        return html`<hearth-developer-api .home=${this.home}></hearth-developer-api>`;
      default:
        return html`<p>${t("page.notFound")}. ${t("page.notFoundHint")}</p>`;
    }
  }
}
