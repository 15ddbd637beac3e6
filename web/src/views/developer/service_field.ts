// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import type { Home } from "../../api/home";
import type { ServiceField } from "../../api/types";
import { kindOf } from "../../elements/selectors/selector";
import type { Changed } from "../../elements/selectors/selector_field";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import type { Filled } from "./service_data";
import "../../elements/selectors/selector_field";

// The value of a field that is ticked without one: its default, else its example.
function start({ selector, default: otherwise, example }: ServiceField): unknown {
  if (otherwise !== undefined) return otherwise;
  const kind = kindOf(selector);
  return kind === "entity" ? [] : kind === "boolean" ? example === true : example;
}

// One field of a service: a tick box that says whether it is sent, its value, and what it means. Fires `change-field` with a Filled.
@customElement("hearth-service-field")
export class ServiceFieldInput extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() name = "";
  @property({ attribute: false }) field!: ServiceField;
  @property({ attribute: false }) filled: Filled = { on: false, value: undefined };

  static override styles = [
    shared,
    css`
      .field {
        display: grid;
        grid-template-columns: 1.2rem minmax(0, 1fr);
        gap: 0.7rem;
        align-items: start;
        padding: 0.9rem 0;
        border-top: 1px solid var(--border);
      }

      .required,
      hearth-selector-field {
        grid-column: 2;
      }

      .required {
        justify-self: start;
      }

      input {
        margin: 0.15rem 0 0;
      }
    `,
  ];

  private tell(filled: Filled): void {
    this.filled = filled;
    this.dispatchEvent(new CustomEvent<Filled>("change-field", { detail: filled }));
  }

  private tick(on: boolean): void {
    const { value } = this.filled;
    this.tell({ on, value: on && value === undefined ? start(this.field) : value });
  }

  private change({ value, problem }: Changed): void {
    this.tell({ on: value !== undefined || problem !== "", value, ...(problem && { problem }) });
  }

  override render() {
    const { required, description, example, name, selector } = this.field;
    const shown = example === undefined || example === null ? "" : typeof example === "string" ? example : JSON.stringify(example);
    return html`<div class="field">
      ${required
        ? html`<span class="badge accent required">${t("developer.required")}</span>`
        : html`<input
            type="checkbox"
            aria-label=${t("developer.send", { name: this.name })}
            .checked=${live(this.filled.on)}
            @change=${(event: Event) => this.tick((event.target as HTMLInputElement).checked)}
          />`}
      <hearth-selector-field
        .home=${this.home}
        .label=${name ? `${name} (${this.name})` : this.name}
        .hint=${[description, shown && t("automations.example", { example: shown })].filter(Boolean).join("\n")}
        .selector=${selector}
        .value=${this.filled.value}
        .problem=${this.filled.problem ?? ""}
        ?required=${required === true}
        @change-value=${({ detail }: CustomEvent<Changed>) => this.change(detail)}
      ></hearth-selector-field>
    </div>`;
  }
}
