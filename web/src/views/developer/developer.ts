// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { TitleController } from "../../elements/title";
import { maybeT, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/tabs";
import "./api";
import "./events";
import "./mqtt";
import "./services";
import "./states";
import "./template";

const tabs = ["states", "services", "template", "events", "mqtt", "api"] as const;
type Tab = (typeof tabs)[number];

function pathOf(tab: Tab): string {
  return `${base}/developer-tools/${tab}`;
}

@customElement("hearth-developer")
export class Developer extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() tab = "";

  constructor() {
    super();
    new TitleController(this, 1, () => (this.tab ? (maybeT(`developer.${this.tab}`) ?? "") : ""));
  }

  static override styles = [
    shared,
    css`
      hearth-tabs {
        margin: 0.9rem 0 1.3rem;
      }

      .notice {
        margin-bottom: 1.2rem;
      }
    `,
  ];

  override render() {
    const current = this.current();
    return html`
      <h1>${t("page.developer")}</h1>
      <hearth-tabs
        .label=${t("page.developer")}
        .tabs=${tabs.map((tab) => ({ path: pathOf(tab), label: t(`developer.${tab}`) }))}
        .current=${current ? pathOf(current) : ""}
      ></hearth-tabs>
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
      case "template":
        return html`<hearth-developer-template .home=${this.home}></hearth-developer-template>`;
      case "events":
        return html`<hearth-developer-events .home=${this.home}></hearth-developer-events>`;
      case "mqtt":
        return html`<hearth-developer-mqtt .home=${this.home}></hearth-developer-mqtt>`;
      case "api":
        return html`<hearth-developer-api .home=${this.home}></hearth-developer-api>`;
      default:
        return html`<p>${t("page.notFound")}. ${t("page.notFoundHint")}</p>`;
    }
  }
}
