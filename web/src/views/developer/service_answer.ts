// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/json_view";

interface StateObject {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown>;
}

export interface Answer {
  service: string;
  states: StateObject[];
  // Only of services that have one.
  response?: unknown;
}

// The result of a call of a service.
@customElement("hearth-service-answer")
export class ServiceAnswer extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) answer!: Answer;

  static override styles = [
    shared,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        border-top: 1px solid var(--border);
      }

      summary {
        padding: 0.6rem 0.2rem;
        cursor: pointer;
        overflow-wrap: anywhere;
      }

      hearth-json-view {
        margin: 0.2rem 0 0.8rem;
      }
    `,
  ];

  override render() {
    const { service, states, response } = this.answer;
    return html`<section class="card stack" aria-labelledby="heading">
      <h2 id="heading">${t("developer.answer")}</h2>
      <p role="status">
        ${t("developer.called", { service })}
        ${states.length === 0 ? t("developer.noStatesChanged") : t("developer.statesChanged", { count: states.length })}
      </p>
      ${states.length > 0
        ? html`<ul>
            ${states.map(
              (state) =>
                html`<li>
                  <details>
                    <summary>
                      ${this.home.nameOf(state.entity_id)}: <b>${state.state}</b> <code class="muted">${state.entity_id}</code>
                    </summary>
                    <hearth-json-view .label=${state.entity_id} .text=${JSON.stringify(state, null, 2)}></hearth-json-view>
                  </details>
                </li>`,
            )}
          </ul>`
        : nothing}
      ${response === undefined
        ? nothing
        : html`<hearth-json-view .label=${t("developer.response")} .text=${JSON.stringify(response, null, 2)}></hearth-json-view>`}
    </section>`;
  }
}
