// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { curlOf } from "./api_request";
import { bodyOf, endlessAs, typeOf, type Endpoint, type OpenApi } from "./openapi";
import "./api_schema";
import "./api_try";
import "../../elements/json_view";

// One endpoint: what it takes and answers, and a form to try it. What is inside is drawn when it is opened.
@customElement("hearth-api-endpoint")
export class ApiEndpoint extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) document!: OpenApi;
  @property({ attribute: false }) endpoint!: Endpoint;
  @state() private open = false;

  static override styles = [
    shared,
    css`
      details {
        border-top: 1px solid var(--border);
      }

      details details {
        padding-top: 0.4rem;
      }

      details details summary {
        color: var(--text-2);
        cursor: pointer;
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0.2rem 0.8rem;
        padding: 0.7rem 0.3rem;
        border-radius: 7px;
        cursor: pointer;
      }

      .line:hover {
        background: var(--surface-2);
      }

      .method {
        min-width: 4.3rem;
        padding: 0.1rem 0.5rem;
        border: 1px solid currentcolor;
        border-radius: 7px;
        font: 650 0.8rem var(--font-mono);
        text-align: center;
      }

      .GET {
        color: var(--good);
      }

      .POST {
        color: var(--accent);
      }

      .DELETE {
        color: var(--danger);
      }

      .path {
        font-weight: 600;
        overflow-wrap: anywhere;
      }

      .inside {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 1.4rem 2.2rem;
        padding: 0.4rem 0.3rem 1.6rem;
      }

      .inside > div {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.7rem;
        align-content: start;
      }

      h3 {
        margin: 0.6rem 0 0;
        font-size: 0.95rem;
      }

      dl {
        margin: 0;
      }

      dl > div {
        display: grid;
        grid-template-columns: 3rem minmax(0, 1fr);
        gap: 0.1rem 0.8rem;
        padding: 0.3rem 0;
        border-top: 1px solid var(--border);
      }

      dl.parameters > div {
        grid-template-columns: minmax(0, 1fr);
      }

      dd {
        margin: 0;
      }
    `,
  ];

  override render() {
    const { method, path, operation } = this.endpoint;
    return html`<details @toggle=${(event: Event) => (this.open = (event.target as HTMLDetailsElement).open)}>
      <summary class="line">
        <span class="method ${method}">${method}</span>
        <code class="path">${path}</code>
        <span class="muted">${operation.summary}</span>
      </summary>
      ${this.open ? html`<div class="inside">${this.described()}${this.tried()}</div>` : nothing}
    </details>`;
  }

  private described(): TemplateResult {
    const { operation } = this.endpoint;
    const parameters = operation.parameters ?? [];
    const body = bodyOf(this.endpoint);
    const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
    const answer = good?.content?.["application/json"]?.schema;
    return html`<div>
      ${operation.description ? html`<p>${operation.description}</p>` : nothing}
      <p class="hint">${operation.security?.length === 0 ? t("developer.noTokenNeeded") : t("developer.tokenNeeded")}</p>
      ${parameters.length > 0
        ? html`<h3>${t("developer.parameters")}</h3>
            <dl class="parameters">
              ${parameters.map(
                (parameter) =>
                  html`<div>
                    <dt>
                      <code><b>${parameter.name}</b></code> <code class="muted">${typeOf(this.document, parameter.schema ?? {})}</code>
                      <span class="badge">${parameter.in === "path" ? t("developer.inPath") : t("developer.inQuery")}</span>
                      ${parameter.required ? html`<span class="badge">${t("developer.required")}</span>` : nothing}
                    </dt>
                    ${parameter.description ? html`<dd class="hint">${parameter.description}</dd>` : nothing}
                  </div>`,
              )}
            </dl>`
        : nothing}
      ${body
        ? html`<h3>${t("developer.body")} <code class="muted">${body.type}</code></h3>
            <hearth-api-schema .document=${this.document} .schema=${body.schema} .label=${t("developer.bodyExample")}></hearth-api-schema>`
        : nothing}
      <h3>${t("developer.answers")}</h3>
      <dl>
        ${Object.entries(operation.responses).map(
          ([status, { description }]) =>
            html`<div>
              <dt><b>${status}</b></dt>
              <dd>${description}</dd>
            </div>`,
        )}
      </dl>
      ${answer
        ? html`<details>
            <summary>${t("developer.answerShape")}</summary>
            <hearth-api-schema .document=${this.document} .schema=${answer} .label=${t("developer.answerExample")}></hearth-api-schema>
          </details>`
        : nothing}
    </div>`;
  }

  private tried(): TemplateResult {
    const endless = endlessAs(this.endpoint);
    const mayTry = this.home.user.is_admin || this.endpoint.method === "GET";
    if (!endless && mayTry) {
      return html`<div>
        <h3>${t("developer.tryHeading")}</h3>
        <hearth-api-try .home=${this.home} .document=${this.document} .endpoint=${this.endpoint}></hearth-api-try>
      </div>`;
    }
    const request = { endpoint: this.endpoint, path: new Map<string, string>(), query: new Map<string, string>() };
    return html`<div>
      <h3>${t("developer.tryHeading")}</h3>
      <p class="notice">${endless ? t(`developer.${endless}NotTried`) : t("developer.onlyGet")}</p>
      ${endless === "stream" ? html`<hearth-json-view .label=${t("developer.curl")} .text=${curlOf(request)}></hearth-json-view>` : nothing}
    </div>`;
  }
}
