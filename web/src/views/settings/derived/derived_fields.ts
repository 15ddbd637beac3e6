// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { DerivedField } from "../../../api/derived";
import type { Home } from "../../../api/home";
import { kindOf, optionsOf, type Selector } from "../../../elements/selectors/selector";
import type { Changed, SelectorField } from "../../../elements/selectors/selector_field";
import { shared } from "../../../styles/shared";
import { fieldHint, fieldName, wordedSelector } from "./derived_words";
import "../../../elements/selectors/selector_field";
import "./derived_list";

export type DerivedValues = Record<string, unknown>;

// The fields of a sensor that is made of others, as the hub describes them. Fires `change-values` with all values: those that nobody gave
// are not among them; and keeps in `unreadable` what is written and is no value.
@customElement("hearth-derived-fields")
export class DerivedFields extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() platform = "";
  @property({ attribute: false }) fields: DerivedField[] = [];
  @property({ attribute: false }) values: DerivedValues = {};
  // By key; in a list by row and key, "observations[0].above".
  @property({ attribute: false }) problems: Record<string, string> = {};
  unreadable: Record<string, string> = {};
  // With words; they stay the same objects, since a control begins anew with another.
  private readonly selectors = new Map<DerivedField, Selector>();
  private told = "{}";
  // Their defaults count, and do not come back while somebody types.
  private emptied = new Set<string>();

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      .wide {
        grid-column: 1 / -1;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("platform")) return;
    this.unreadable = {};
    this.emptied = new Set();
  }

  // The first field that is wrong has the focus, as in other forms.
  override updated(): void {
    const told = JSON.stringify(Object.entries(this.problems).filter(([, problem]) => problem));
    if (told !== this.told) this.renderRoot.querySelector<SelectorField>("[data-wrong]")?.focus();
    this.told = told;
  }

  private worded(field: DerivedField): Selector {
    const known = this.selectors.get(field) ?? wordedSelector(this.platform, field);
    this.selectors.set(field, known);
    return known;
  }

  private change({ key, selector, default: otherwise }: DerivedField, { value, problem }: Changed): void {
    const { [key]: _, ...others } = this.unreadable;
    this.unreadable = problem ? { ...others, [key]: problem } : others;
    const values = { ...this.values };
    if (value !== undefined) values[key] = value;
    else if (otherwise !== undefined && optionsOf(selector).multiple === true)
      values[key] = []; // none of several
    else delete values[key];
    if (value === undefined) this.emptied.add(key);
    this.values = values;
    this.dispatchEvent(new CustomEvent<DerivedValues>("change-values", { detail: values }));
  }

  override render() {
    return this.fields.map((field) => this.field(field));
  }

  private field(field: DerivedField): TemplateResult {
    const { key, selector, required, default: otherwise } = field;
    const { platform } = this;
    const problem = this.problems[key] ?? "";
    const value = this.values[key];
    const kind = kindOf(selector);
    const changed = ({ detail }: CustomEvent<Changed>) => this.change(field, detail);
    if (kind === "object") {
      return html`<hearth-derived-list
        class="wide"
        .home=${this.home}
        .platform=${platform}
        .key=${key}
        .selector=${selector}
        .value=${value}
        .problems=${this.problems}
        ?data-wrong=${Object.keys(this.problems).some((at) => at === key || at.startsWith(`${key}[`))}
        @change-value=${changed}
      ></hearth-derived-list>`;
    }
    const isWide = kind === "template" || ("multiple" in (Object.values(selector)[0] ?? {}) && kind !== "text");
    return html`<hearth-selector-field
      class=${isWide ? "wide" : nothing}
      .home=${this.home}
      .label=${fieldName(platform, key)}
      .hint=${fieldHint(platform, key)}
      .selector=${this.worded(field)}
      .value=${value ?? (this.emptied.has(key) ? undefined : otherwise)}
      .problem=${problem}
      ?required=${required}
      ?data-wrong=${problem !== ""}
      @change-value=${changed}
    ></hearth-selector-field>`;
  }
}
