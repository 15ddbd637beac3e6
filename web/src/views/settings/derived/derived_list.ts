// SPDX-License-Identifier: Apache-2.0
import { mdiDelete, mdiPlus } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { DerivedField } from "../../../api/derived";
import type { Home } from "../../../api/home";
import { optionsOf, type Selector } from "../../../elements/selectors/selector";
import type { Changed } from "../../../elements/selectors/selector_field";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { choiceName, fieldHint, fieldName, wordedSelector } from "./derived_words";
import "../../../elements/icon";
import "../../../elements/selectors/selector_field";

type Row = Record<string, unknown>;

// Several of a kind each, such as the filters of a sensor: which fields one has follows from its kind. Fires `change-value`.
@customElement("hearth-derived-list")
export class DerivedList extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() platform = "";
  @property() key = "";
  @property({ attribute: false }) selector: Selector = {};
  @property({ attribute: false }) value: unknown;
  // By where they are: "filters" or "filters[0].radius".
  @property({ attribute: false }) problems: Record<string, string> = {};
  private readonly selectors = new Map<DerivedField, Selector>();
  // Fields that somebody emptied, or in which what is written is no value: why, by the place of the row and the key. Their defaults do not
  // come back while somebody types.
  private emptied = new Map<string, string>();

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 0.8rem;
        min-width: 0;
      }

      fieldset {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
        gap: 0.8rem;
        align-items: start;
        min-width: 0;
        margin: 0;
        padding: 0.6rem 0.8rem 0.8rem;
        border: 1px solid var(--border);
        border-radius: var(--radius);
      }

      legend {
        padding: 0 0.3rem;
        font-weight: 550;
      }

      .row {
        grid-column: 1 / -1;
        align-items: end;
      }

      .row .field {
        flex: 1;
        min-width: 0;
      }

      .field-problem {
        color: var(--danger);
        font-weight: 550;
        overflow-wrap: anywhere;
      }
    `,
  ];

  private get rows(): Row[] {
    return Array.isArray(this.value)
      ? (this.value as Row[])
      : typeof this.value === "object" && this.value !== null
        ? [this.value as Row]
        : [];
  }

  private get by(): string {
    return String(optionsOf(this.selector).by);
  }

  private get kinds(): Record<string, DerivedField[]> {
    return optionsOf(this.selector).kinds as Record<string, DerivedField[]>;
  }

  override focus(): void {
    void this.updateComplete.then(() =>
      (this.renderRoot.querySelector<HTMLElement>("[data-wrong]") ?? this.renderRoot.querySelector<HTMLElement>("select, button"))?.focus(),
    );
  }

  private tell(rows: Row[]): void {
    this.value = rows;
    const [at = "", problem = ""] = [...this.emptied].find(([, each]) => each) ?? [];
    const detail: Changed = {
      value: rows.length > 0 ? rows : undefined,
      problem: problem && `${this.nameOf(parseInt(at, 10))}: ${problem}`,
    };
    this.dispatchEvent(new CustomEvent("change-value", { detail }));
  }

  // Others take the places of rows that go.
  private tellOthers(rows: Row[]): void {
    this.emptied = new Map();
    this.tell(rows);
  }

  private nameOf(at: number): string {
    return t(`derived.${this.key as "filters"}.one`, { number: at + 1 });
  }

  private change(at: number, key: string, { value, problem }: Changed): void {
    if (value === undefined) this.emptied.set(`${at}.${key}`, problem);
    else this.emptied.delete(`${at}.${key}`);
    const { [key]: _, ...others } = this.rows[at] ?? {};
    this.tell(this.rows.map((row, index) => (index !== at ? row : value === undefined ? others : { ...others, [key]: value })));
  }

  private add(): void {
    this.tell([...this.rows, { [this.by]: Object.keys(this.kinds)[0] }]);
  }

  // Of another kind it keeps what that has, too.
  private choose(at: number, kind: string): void {
    const keys = (this.kinds[kind] ?? []).map(({ key }) => key);
    const kept = Object.entries(this.rows[at] ?? {}).filter(([key]) => keys.includes(key));
    this.tellOthers(this.rows.map((each, index) => (index === at ? { [this.by]: kind, ...Object.fromEntries(kept) } : each)));
  }

  private worded(field: DerivedField): Selector {
    const known = this.selectors.get(field) ?? wordedSelector(this.platform, field);
    this.selectors.set(field, known);
    return known;
  }

  override render() {
    const problem = this.problems[this.key];
    return html`<strong>${fieldName(this.platform, this.key)}</strong> ${this.rows.map((row, at) => this.row(row, at))}
      <div>
        <button type="button" aria-describedby=${problem ? "problem" : nothing} @click=${() => this.add()}>
          <hearth-icon .path=${mdiPlus}></hearth-icon>${t(`derived.${this.key as "filters"}.add`)}
        </button>
      </div>
      ${problem ? html`<p class="field-problem" id="problem" role="alert">${problem}</p>` : nothing}`;
  }

  private row(row: Row, at: number): TemplateResult {
    const { platform, by } = this;
    const kind = String(row[by]);
    const name = this.nameOf(at);
    const erase = t("areas.deleteNamed", { name });
    return html`<fieldset>
      <legend>${name}</legend>
      <div class="row">
        <div class="field">
          <label for="kind-${at}">${fieldName(platform, by)}</label>
          <select id="kind-${at}" @change=${(event: Event) => this.choose(at, (event.target as HTMLSelectElement).value)}>
            ${Object.keys(this.kinds).map(
              (each) => html`<option value=${each} .selected=${each === kind}>${choiceName(platform, by, each)}</option>`,
            )}
          </select>
        </div>
        <button
          type="button"
          class="plain round"
          aria-label=${erase}
          title=${erase}
          @click=${() => this.tellOthers(this.rows.filter((_, index) => index !== at))}
        >
          <hearth-icon .path=${mdiDelete}></hearth-icon>
        </button>
      </div>
      ${(this.kinds[kind] ?? []).map((field) => this.field(field, row, at))}
    </fieldset>`;
  }

  private field(field: DerivedField, row: Row, at: number): TemplateResult {
    const { platform } = this;
    const { key, required, default: otherwise } = field;
    const problem = this.problems[`${this.key}[${at}].${key}`] ?? "";
    return html`<hearth-selector-field
      .home=${this.home}
      .label=${fieldName(platform, key)}
      .hint=${fieldHint(platform, key)}
      .selector=${this.worded(field)}
      .value=${row[key] ?? (this.emptied.has(`${at}.${key}`) ? undefined : otherwise)}
      .problem=${problem}
      ?required=${required}
      ?data-wrong=${problem !== ""}
      @change-value=${({ detail }: CustomEvent<Changed>) => this.change(at, key, detail)}
    ></hearth-selector-field>`;
  }
}
