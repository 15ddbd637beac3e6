// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { exampleOf, resolve, typeOf, type OpenApi, type Schema } from "./openapi";
import "../../elements/json_view";

// The shape of a body: its keys, and an example.
@customElement("hearth-api-schema")
export class ApiSchema extends LitElement {
  @property({ attribute: false }) document!: OpenApi;
  @property({ attribute: false }) schema!: Schema;
  @property() label = "";

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.6rem;
      }

      dl {
        margin: 0;
      }

      dl > div {
        padding: 0.35rem 0;
        border-top: 1px solid var(--border);
      }

      dt {
        display: flex;
        flex-wrap: wrap;
        gap: 0.1rem 0.6rem;
        overflow-wrap: anywhere;
      }

      dd {
        margin: 0;
      }
    `,
  ];

  override render() {
    const { document } = this;
    const schema = resolve(document, this.schema);
    const ofList = schema.items ? resolve(document, schema.items) : undefined;
    const shape = ofList?.properties ? ofList : schema;
    const required = new Set(shape.required ?? []);
    return html`
      ${schema.description ? html`<p>${schema.description}</p>` : nothing}
      ${shape.properties
        ? html`<dl>
            ${Object.entries(shape.properties).map(([name, part]) => {
              const description = resolve(document, part).description;
              return html`<div>
                <dt>
                  <code><b>${name}</b></code> <code class="muted">${typeOf(document, part)}</code>
                  ${required.has(name) ? html`<span class="badge">${t("developer.required")}</span>` : nothing}
                </dt>
                ${description ? html`<dd class="hint">${description}</dd>` : nothing}
              </div>`;
            })}
          </dl>`
        : html`<p><code>${typeOf(document, schema)}</code></p>`}
      <hearth-json-view .label=${this.label} .text=${JSON.stringify(exampleOf(document, schema), null, 2)}></hearth-json-view>
    `;
  }
}
