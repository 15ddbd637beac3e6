// SPDX-License-Identifier: Apache-2.0
// The fields of a script, a row each, with the controls that its run dialog draws.
import { mdiArrowDown, mdiArrowUp, mdiDelete, mdiDotsVertical, mdiPlus } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";

import { rankOf } from "../../../cards/domains";
import type { Selector } from "../../../elements/selectors/selector";
import type { Changed } from "../../../elements/selectors/selector_field";
import { t, type Key } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { domainName } from "../../../elements/home_choices";
import { moved } from "../sentences/edit";
import type { Editing } from "../sentences/editing";
import {
  fieldOf,
  fieldsOf,
  freeKey,
  isKey,
  isUsed,
  kinds,
  maySeveral,
  rowOf,
  selectorOf,
  withKind,
  withOption,
  type FieldKind,
  type FieldRow,
  type Fields,
} from "./field_rows";
import "../../../elements/icon";
import "../../../elements/selectors/selector_field";
import "../sentences/menu";
import "../sentences/yaml_row";

const valueOf = (event: Event) => (event.target as HTMLInputElement).value;

@customElement("hearth-script-fields")
export class ScriptFields extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @state() private wrongKey: { key: string; problem: string } | undefined;
  // Variables that were made here, and follow their names while nothing says them.
  private readonly made = new Set<string>();
  // A row stays the same while its variable changes.
  private readonly places = new Map<string, number>();
  private next = 1;

  static override styles = [
    shared,
    css`
      :host,
      .list {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.6rem;
      }

      .field {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem 0.6rem;
        padding: 0.8rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        background: var(--surface-2, transparent);
      }

      .parts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr));
        gap: 0.8rem;
        align-items: start;
      }

      .wide {
        grid-column: 1 / -1;
      }

      .checks {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.4rem;
      }

      .check {
        display: inline-flex;
        align-items: center;
        gap: 0.5rem;
      }

      .add {
        justify-self: start;
      }

      textarea {
        field-sizing: content;
        min-height: 4rem;
      }
    `,
  ];

  private get fields(): Fields {
    return fieldsOf(this.editing.item);
  }

  private write(fields: Fields): void {
    this.editing.change(["fields"], fields.length === 0 ? undefined : Object.fromEntries(fields));
  }

  private put(key: string, field: unknown): void {
    this.write(this.fields.map(([each, before]) => [each, each === key ? field : before]));
  }

  private set(key: string, row: FieldRow, former: unknown): void {
    this.put(key, fieldOf(row, former));
  }

  private place(key: string): number {
    const place = this.places.get(key) ?? this.next++;
    this.places.set(key, place);
    return place;
  }

  private add(): void {
    const key = freeKey(this.fields, "");
    this.made.add(key);
    this.write([...this.fields, [key, { selector: { text: {} } }]]);
    void this.focusOn(`[data-field="${CSS.escape(key)}"] input`);
  }

  private async focusOn(selector: string): Promise<void> {
    await new Promise((resume) => setTimeout(resume));
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }

  private rename(from: string, to: string): void {
    if (from === to) return;
    const place = this.place(from);
    this.places.delete(from);
    this.places.set(to, place);
    if (this.made.delete(from)) this.made.add(to);
    this.write(this.fields.map(([key, field]) => [key === from ? to : key, field]));
  }

  private named(key: string, name: string): void {
    if (!this.made.has(key) || isUsed(this.editing.item, key)) return;
    this.rename(
      key,
      freeKey(
        this.fields.filter(([each]) => each !== key),
        name,
      ),
    );
  }

  // Its name in a step.
  private called(key: string, text: string): void {
    const problem = !isKey(text)
      ? t("fields.noKey")
      : text !== key && this.fields.some(([each]) => each === text)
        ? t("fields.takenKey", { key: text })
        : "";
    this.wrongKey = problem ? { key, problem } : undefined;
    if (problem) return;
    this.made.delete(key);
    this.rename(key, text);
  }

  private erase(key: string): void {
    const index = this.fields.findIndex(([each]) => each === key);
    const rest = this.fields.filter(([each]) => each !== key);
    this.write(rest);
    this.editing.announce(t("fields.deleted"));
    const next = rest[Math.min(index, rest.length - 1)];
    void this.focusOn(next ? `[data-field="${CSS.escape(next[0])}"] input, [data-field="${CSS.escape(next[0])}"] hearth-yaml-row` : ".add");
  }

  override render() {
    const { fields } = this;
    const { fixed } = this.editing;
    return html`<p class="hint">${t("fields.hint")}</p>
      ${fields.length === 0
        ? nothing
        : html`<div class="list" role="list" aria-label=${t("sentences.fields")}>
            ${repeat(
              fields,
              ([key]) => this.place(key),
              ([key, field], index) => this.field(key, field, index, fields.length),
            )}
          </div>`}
      ${fixed
        ? nothing
        : html`<button type="button" class="small add" @click=${() => this.add()}>
            <hearth-icon .path=${mdiPlus}></hearth-icon>${t("fields.add")}
          </button>`}`;
  }

  private field(key: string, field: unknown, index: number, count: number): TemplateResult {
    const { fixed } = this.editing;
    const row = rowOf(field);
    const name = row?.name || key;
    return html`<div class="field" role="listitem" data-field=${key}>
      ${row
        ? html`<div class="parts">${this.parts(key, row, field)}</div>`
        : html`<div>
            <strong>${key}</strong>
            <p class="hint">${t("fields.onlyYaml")}</p>
            <hearth-yaml-row
              .value=${field}
              .label=${key}
              .fixed=${fixed}
              @change-value=${({ detail }: CustomEvent<unknown>) => this.put(key, detail)}
            ></hearth-yaml-row>
          </div>`}
      ${fixed
        ? nothing
        : html`<hearth-menu
            .icon=${mdiDotsVertical}
            .label=${t("row.more", { text: name })}
            .items=${() => [
              {
                label: t("row.up"),
                icon: mdiArrowUp,
                disabled: index === 0,
                run: () => this.write(moved(this.fields, index, index - 1) as Fields),
              },
              {
                label: t("row.down"),
                icon: mdiArrowDown,
                disabled: index + 1 === count,
                run: () => this.write(moved(this.fields, index, index + 1) as Fields),
              },
              { label: t("action.delete"), icon: mdiDelete, danger: true, run: () => this.erase(key) },
            ]}
          ></hearth-menu>`}
    </div>`;
  }

  private parts(key: string, row: FieldRow, field: unknown): TemplateResult {
    const { fixed, home } = this.editing;
    const set = (changed: FieldRow) => this.set(key, changed, field);
    const wrong = this.wrongKey?.key === key ? this.wrongKey.problem : "";
    return html`<label
        >${t("sentences.name")}
        <input
          autocomplete="off"
          maxlength="255"
          ?disabled=${fixed}
          .value=${live(row.name)}
          @input=${(event: Event) => set({ ...row, name: valueOf(event) })}
          @change=${(event: Event) => this.named(key, valueOf(event))}
      /></label>
      <label
        >${t("fields.kind")}
        <select ?disabled=${fixed} @change=${(event: Event) => set(withKind(row, valueOf(event) as FieldKind))}>
          ${kinds.map((kind) => html`<option value=${kind} .selected=${kind === row.kind}>${t(`fields.kind.${kind}` as Key)}</option>`)}
        </select></label
      >
      ${this.options(row, set)}
      <label
        >${t("sentences.description")}
        <input
          autocomplete="off"
          ?disabled=${fixed}
          .value=${live(row.description)}
          @input=${(event: Event) => set({ ...row, description: valueOf(event) })}
      /></label>
      <label
        >${t("fields.variable")}
        <input
          class="mono"
          autocomplete="off"
          spellcheck="false"
          maxlength="255"
          ?disabled=${fixed}
          aria-invalid=${wrong ? "true" : "false"}
          .value=${key}
          @change=${(event: Event) => this.called(key, valueOf(event).trim())}
        />
        ${wrong ? html`<span class="field-problem" role="alert">${wrong}</span>` : html`<span class="hint">{{ ${key} }}</span>`}
      </label>
      <div class="checks wide">
        ${this.check(t("fields.required"), row.required, (on) => set({ ...row, required: on }))}
        ${maySeveral(row.kind)
          ? this.check(t("fields.several"), row.options.multiple === true, (on) =>
              set({ ...withOption(row, "multiple", on || undefined), default: undefined }),
            )
          : nothing}
      </div>
      ${fixed
        ? nothing
        : html`<hearth-selector-field
            class="wide"
            .home=${home}
            .label=${t("fields.default")}
            .hint=${row.required ? t("fields.defaultHint") : ""}
            .selector=${selectorOf(row) as Selector}
            .value=${row.default}
            @change-value=${({ detail }: CustomEvent<Changed>) => detail.problem === "" && set({ ...row, default: detail.value })}
          ></hearth-selector-field>`}`;
  }

  private check(label: string, checked: boolean, changed: (on: boolean) => void): TemplateResult {
    return html`<label class="check"
      ><input
        type="checkbox"
        ?disabled=${this.editing.fixed}
        .checked=${live(checked)}
        @change=${(event: Event) => changed((event.target as HTMLInputElement).checked)}
      />${label}</label
    >`;
  }

  private options(row: FieldRow, set: (row: FieldRow) => void): TemplateResult | typeof nothing {
    const { fixed, home } = this.editing;
    if (row.kind === "number") {
      const number = (key: "min" | "max") =>
        html`<label
          >${t(`fields.${key}`)}
          <input
            type="number"
            step="any"
            ?disabled=${fixed}
            .value=${live(String((row.options[key] as number | undefined) ?? ""))}
            @input=${(event: Event) => {
              const { valueAsNumber } = event.target as HTMLInputElement;
              set(withOption(row, key, Number.isNaN(valueAsNumber) ? undefined : valueAsNumber));
            }}
        /></label>`;
      return html`${number("min")} ${number("max")}
        <label
          >${t("fields.unit")}
          <input
            autocomplete="off"
            maxlength="40"
            ?disabled=${fixed}
            .value=${live(String(row.options.unit_of_measurement ?? ""))}
            @input=${(event: Event) => set(withOption(row, "unit_of_measurement", valueOf(event) || undefined))}
        /></label>`;
    }
    if (row.kind === "select") {
      const lines = (row.options.options as string[]).join("\n");
      return html`<label
        >${t("fields.choices")} <span class="hint">${t("fields.oneALine")}</span>
        <textarea
          rows="3"
          ?disabled=${fixed}
          .value=${lines}
          @change=${(event: Event) => {
            const options = [
              ...new Set(
                valueOf(event)
                  .split("\n")
                  .map((line) => line.trim())
                  .filter(Boolean),
              ),
            ];
            set({ ...withOption(row, "options", options), default: undefined });
          }}
        ></textarea>
      </label>`;
    }
    if (row.kind !== "entity") return nothing;
    const domains = [...new Set([...home.entities.keys()].map((id) => id.slice(0, id.indexOf("."))))];
    const chosen = String(row.options.domain ?? "");
    if (chosen && !domains.includes(chosen)) domains.push(chosen);
    domains.sort((a, b) => rankOf(a) - rankOf(b) || domainName(a).localeCompare(domainName(b)));
    return html`<label
      >${t("fields.domain")}
      <select
        ?disabled=${fixed}
        @change=${(event: Event) => set({ ...withOption(row, "domain", valueOf(event) || undefined), default: undefined })}
      >
        <option value="" .selected=${chosen === ""}>${t("fields.anyDomain")}</option>
        ${domains.map((domain) => html`<option value=${domain} .selected=${domain === chosen}>${domainName(domain)}</option>`)}
      </select></label
    >`;
  }
}
