// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { confirm } from "../../elements/confirm";
import { formatNumber, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { addressOf, curlOf, send, type Answer, type Request } from "./api_request";
import { bodyOf, exampleOf, type Endpoint, type OpenApi, type Parameter } from "./openapi";
import "../../elements/action";
import "../../elements/json_view";

// Sends a request to an endpoint, and shows what comes back.
@customElement("hearth-api-try")
export class ApiTry extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) document!: OpenApi;
  @property({ attribute: false }) endpoint!: Endpoint;
  @state() private values = new Map<Parameter, string>();
  @state() private body: string | undefined;
  @state() private problem = "";
  @state() private answer: Answer | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.9rem;
      }

      .parameters {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
        gap: 0.9rem;
      }

      label > input,
      label > textarea {
        margin-top: 0.3rem;
      }

      textarea {
        min-height: 9rem;
      }

      .status {
        font-weight: 650;
      }

      .good {
        color: var(--good);
      }

      .bad {
        color: var(--danger);
      }

      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0.15rem 1rem;
        margin: 0;
        font-size: 0.9rem;
      }

      dt {
        color: var(--text-2);
      }

      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("endpoint")) return;
    const offered = bodyOf(this.endpoint);
    if (!offered) return;
    const example = exampleOf(this.document, offered.schema);
    const isForm = !offered.type.includes("json");
    this.body = isForm ? new URLSearchParams(example as Record<string, string>).toString() : JSON.stringify(example, null, 2);
  }

  private request(): Request {
    const offered = bodyOf(this.endpoint);
    const of = (place: Parameter["in"]) =>
      new Map((this.endpoint.operation.parameters ?? []).filter((one) => one.in === place).map((one) => [one.name, this.values.get(one)]));
    const given = (map: Map<string, string | undefined>) => new Map([...map].filter((entry): entry is [string, string] => !!entry[1]));
    return {
      endpoint: this.endpoint,
      path: given(of("path")),
      query: given(of("query")),
      body: offered && { type: offered.type, text: this.body ?? "" },
    };
  }

  private async run(): Promise<void> {
    this.problem = "";
    const request = this.request();
    const missing = (this.endpoint.operation.parameters ?? []).find((one) => one.required && !this.values.get(one));
    if (missing) {
      this.problem = t("developer.parameterMissing", { name: missing.name });
      return;
    }
    if (this.endpoint.method === "DELETE") {
      const text = t("developer.tryDelete", { address: addressOf(request) });
      if (!(await confirm({ heading: t("developer.tryDeleteHeading"), text, action: t("action.delete"), danger: true }))) return;
    }
    try {
      this.answer = await send(this.home, request);
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  override render() {
    const parameters = this.endpoint.operation.parameters ?? [];
    const curl = curlOf(this.request());
    return html`
      ${parameters.length > 0
        ? html`<div class="parameters">
            ${parameters.map(
              (parameter) =>
                html`<label>
                  ${parameter.name}
                  <input
                    class="mono"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-required=${parameter.required ? "true" : "false"}
                    @input=${(event: Event) =>
                      (this.values = new Map(this.values).set(parameter, (event.target as HTMLInputElement).value))}
                  />
                </label>`,
            )}
          </div>`
        : nothing}
      ${this.body === undefined
        ? nothing
        : html`<label>
            ${t("developer.body")}
            <textarea
              spellcheck="false"
              .value=${this.body}
              @input=${(event: Event) => (this.body = (event.target as HTMLTextAreaElement).value)}
            ></textarea>
          </label>`}
      <div><hearth-action look="primary" .label=${t("developer.try")} .run=${() => this.run()}></hearth-action></div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.answer ? this.shown(this.answer) : nothing}
      <hearth-json-view .label=${t("developer.curl")} .text=${curl}></hearth-json-view>
    `;
  }

  private shown({ status, statusText, milliseconds, headers, text }: Answer) {
    const time = formatNumber(milliseconds, { maximumFractionDigits: milliseconds < 10 ? 1 : 0 });
    return html`
      <p role="status">
        <span class="status ${status < 400 ? "good" : "bad"}">${status} ${statusText}</span>
        <span class="muted">${t("developer.took", { time })}</span>
      </p>
      <dl>
        ${headers.map(
          ([name, value]) =>
            html`<dt><code>${name}</code></dt>
              <dd><code>${value}</code></dd>`,
        )}
      </dl>
      ${text ? html`<hearth-json-view .label=${t("developer.answerBody")} .text=${text}></hearth-json-view>` : nothing}
    `;
  }
}
