// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import type { Home } from "../../api/home";
import type { ServiceField } from "../../api/types";
import { entityChoices } from "../../elements/home_choices";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

import { parseJson } from "./json";
import { domainsOf, type Filled } from "./service_data";
import "../../elements/picker";
import "../../elements/switch";

type Kind = "boolean" | "number" | "select" | "entity" | "text" | "json";

interface NumberSelector {
  min?: number;
  max?: number;
  step?: number | "any";
  unit_of_measurement?: string;
}

interface Option {
  value: string;
  label: string;
}

// What a field that is ticked without a value has: its default, else its example.
function start(kind: Kind, field: ServiceField): unknown {
  if (field.default !== undefined) return field.default;
  return kind === "entity" ? [] : kind === "boolean" ? field.example === true : field.example;
}

// One field of a service: a tick box that says whether it is sent, what it means, and its value. Fires `change-field` with a Filled.
@customElement("hearth-service-field")
export class ServiceFieldInput extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() name = "";
  @property({ attribute: false }) field!: ServiceField;
  @property({ attribute: false }) filled: Filled = { on: false, value: undefined };
  // What stands in the text control: not the value's own text while somebody types "1." on the way to 1.5.
  @state() private text = "";
  private sent: Filled | undefined;

  static override styles = [
    shared,
    css`
      .field {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        gap: 0.5rem 1.4rem;
        align-items: start;
        padding: 0.9rem 0;
        border-top: 1px solid var(--border);
      }

      .what {
        display: grid;
        grid-template-columns: 1.2rem minmax(0, 1fr);
        gap: 0.1rem 0.7rem;
        font-weight: 400;
        cursor: pointer;
      }

      .what > input {
        grid-row: span 3;
        margin: 0.15rem 0 0;
      }

      .name {
        font-weight: 600;
        overflow-wrap: anywhere;
      }

      .required {
        grid-column: 1 / -1;
        cursor: default;
      }

      .what > * {
        overflow-wrap: anywhere;
      }

      code {
        font-size: 0.82rem;
      }

      .number {
        display: flex;
        align-items: center;
        gap: 0.6rem;
      }

      textarea {
        min-height: 2.75rem;
      }

      .problem {
        margin-top: 0.4rem;
      }

      @media (max-width: 40rem) {
        .field {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("filled") || this.filled === this.sent) return;
    const { value } = this.filled;
    const isText = this.kind() === "text" && typeof value === "string";
    this.text = value === undefined ? "" : isText ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
    if (this.kind() === "json") this.text = value === undefined ? "" : JSON.stringify(value);
  }

  private selector<T>(name: string): T | undefined {
    const selector = this.field.selector;
    return selector && name in selector ? ((selector[name] ?? {}) as T) : undefined;
  }

  // The control that the selector asks for, or JSON where it could not show the value that is there.
  private kind(): Kind {
    const { on, value, problem } = this.filled;
    const has = on && value !== undefined && problem === undefined;
    if (this.selector("boolean")) return has && typeof value !== "boolean" ? "json" : "boolean";
    if (this.selector("number")) return has && typeof value !== "number" ? "json" : "number";
    if (this.selector("select")) return has && !this.options().some((option) => option.value === value) ? "json" : "select";
    if (this.selector("entity")) return has && typeof value !== "string" && !Array.isArray(value) ? "json" : "entity";
    if (this.selector("text")) return has && typeof value !== "string" ? "json" : "text";
    return "json";
  }

  private options(): Option[] {
    const options = this.selector<{ options?: (string | Option)[] }>("select")?.options ?? [];
    return options.map((option) => (typeof option === "string" ? { value: option, label: option } : option));
  }

  private tell(filled: Filled): void {
    this.filled = this.sent = filled;
    this.dispatchEvent(new CustomEvent<Filled>("change-field", { detail: filled }));
  }

  private tick(on: boolean): void {
    const { value } = this.filled;
    this.sent = undefined;
    const next = on && value === undefined ? start(this.kind(), this.field) : value;
    const filled = { on, value: next };
    this.dispatchEvent(new CustomEvent<Filled>("change-field", { detail: filled }));
    this.filled = filled;
  }

  private typed(kind: Kind, control: HTMLInputElement | HTMLTextAreaElement): void {
    this.text = control.value;
    if (kind === "number") {
      if (!control.validity.valid) return this.tell({ on: true, value: undefined, problem: control.validationMessage });
      return this.tell(control.value === "" ? { on: false, value: undefined } : { on: true, value: Number(control.value) });
    }
    if (control.value === "") return this.tell({ on: false, value: undefined });
    if (kind === "text") return this.tell({ on: true, value: control.value });
    try {
      this.tell({ on: true, value: parseJson(control.value) });
    } catch (error) {
      this.tell({ on: true, value: undefined, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  override render() {
    const { required, description, example, name } = this.field;
    const shown = example === undefined || example === null ? "" : typeof example === "string" ? example : JSON.stringify(example);
    const words = html`
      <span class="name">${name ?? this.name}${name ? html` <code>${this.name}</code>` : nothing}
        ${required ? html`<span class="badge accent">${t("developer.required")}</span>` : nothing}</span>
      <span class="hint">${description}</span>
      ${shown ? html`<span class="hint">${t("developer.example")} <code>${shown}</code></span>` : nothing}
    `;
    return html`<div class="field">
      ${required
        ? html`<div class="what"><span></span>${words}</div>`
        : html`<label class="what">
            <input
              type="checkbox"
              .checked=${live(this.filled.on)}
              @change=${(event: Event) => this.tick((event.target as HTMLInputElement).checked)}
            />
            ${words}
          </label>`}
      <div>
        ${this.control()}
        ${this.filled.problem ? html`<p class="problem" role="alert">${this.filled.problem}</p>` : nothing}
      </div>
    </div>`;
  }

  private control(): TemplateResult {
    const label = t("developer.valueOf", { name: this.name });
    const { value } = this.filled;
    const kind = this.kind();
    switch (kind) {
      case "boolean":
        return html`<hearth-switch
          .label=${label}
          .checked=${value === true}
          @toggle=${(event: CustomEvent<boolean>) => this.tell({ on: true, value: event.detail })}
        ></hearth-switch>`;
      case "select":
        return html`<select
          aria-label=${label}
          @change=${(event: Event) => {
            const chosen = (event.target as HTMLSelectElement).value;
            this.tell(chosen === "" ? { on: false, value: undefined } : { on: true, value: chosen });
          }}
        >
          <option value="" ?selected=${value === undefined}>–</option>
          ${this.options().map((option) => html`<option value=${option.value} ?selected=${option.value === value}>${option.label}</option>`)}
        </select>`;
      case "entity": {
        const selector = this.selector<{ multiple?: boolean; domain?: string | string[]; filter?: unknown }>("entity");
        const domains = domainsOf(selector?.filter ?? selector);
        const chosen = typeof value === "string" ? [value] : ((value as string[] | undefined) ?? []);
        return html`<hearth-picker
          .label=${label}
          ?multiple=${selector?.multiple === true}
          .chosen=${chosen}
          .choices=${() => entityChoices(this.home, domains)}
          .nameOf=${(id: string) => this.home.nameOf(id)}
          @change-chosen=${({ detail }: CustomEvent<string[]>) =>
            this.tell(detail.length === 0 ? { on: false, value: undefined } : { on: true, value: selector?.multiple ? detail : detail[0] })}
        ></hearth-picker>`;
      }
      case "number": {
        const { min, max, step, unit_of_measurement: unit } = this.selector<NumberSelector>("number") ?? {};
        return html`<div class="number">
          <input
            type="number"
            aria-label=${label}
            min=${min ?? nothing}
            max=${max ?? nothing}
            step=${step ?? "any"}
            .value=${this.text}
            @input=${(event: Event) => this.typed(kind, event.target as HTMLInputElement)}
          />${unit ? html`<span>${unit}</span>` : nothing}
        </div>`;
      }
      case "text":
        return html`<input
          aria-label=${label}
          autocomplete="off"
          .value=${live(this.text)}
          @input=${(event: Event) => this.typed(kind, event.target as HTMLInputElement)}
        />`;
      case "json":
        return html`<textarea
          rows="1"
          aria-label=${label}
          placeholder="JSON"
          spellcheck="false"
          .value=${live(this.text)}
          @input=${(event: Event) => this.typed(kind, event.target as HTMLTextAreaElement)}
        ></textarea>`;
    }
  }
}
