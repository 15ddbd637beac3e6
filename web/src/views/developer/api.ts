// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { endpointsOf, type OpenApi } from "./openapi";
import "../../elements/loading";
import "./api_endpoint";

// The tab API: the REST interface as the running hub describes it.
@customElement("hearth-developer-api")
export class DeveloperApi extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private document: OpenApi | undefined;
  @state() private failure = "";

  static override styles = [
    shared,
    css`
      section {
        margin-top: 1.2rem;
      }

      h2 {
        margin-bottom: 0.7rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = "";
    try {
      this.document = await this.home.rest<OpenApi>("GET", "/api/openapi.json");
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  override render() {
    const { document } = this;
    if (!document) return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.load()}></hearth-loading>`;
    return html`
      <div class="spread">
        <p>${t("developer.apiHint")}</p>
        <a class="button" href="/api/openapi.json" target="_blank" rel="noreferrer"
          >${t("developer.openApi", { version: document.info.version })}</a
        >
      </div>
      ${[...endpointsOf(document)]
        .filter(([, endpoints]) => endpoints.length > 0)
        .map(
          ([group, endpoints]) =>
            html`<section class="card" aria-label=${t(`developer.group.${group}`)}>
              <h2>${t(`developer.group.${group}`)}</h2>
              ${endpoints.map(
                (endpoint) =>
                  html`<hearth-api-endpoint .home=${this.home} .document=${document} .endpoint=${endpoint}></hearth-api-endpoint>`,
              )}
            </section>`,
        )}
    `;
  }
}
