// SPDX-License-Identifier: Apache-2.0
import { mdiEye, mdiEyeOff, mdiShapeOutline } from "@mdi/js";
import { css, html, nothing, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { errorText } from "../api/errors";
import { t } from "../i18n/catalogue";
import { digits, outOfRange } from "./fields/number_range";
import type { Icon } from "./icon";
import type { IconGrid } from "./icon_grid";
import { styles } from "./styles_directive";
import "./icon";

// The values of the fields, by name.
export type Values = Record<string, string>;

// Thrown by a form's action: sentences to be shown at fields.
export class FieldProblems extends Error {
  constructor(readonly problems: Values) {
    super(Object.values(problems).join(" "));
  }
}

interface Field {
  name: string;
  label: string;
  value?: string;
  hint?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  autocomplete?: string;
}

interface TextField extends Field {
  type?: "text" | "number" | "url";
  placeholder?: string;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: string;
  mono?: boolean;
  // Stands at the end of the field: "m".
  unit?: string;
  changed?: (value: string) => void;
}

interface SelectField extends Field {
  // Values and their labels.
  options: [string, string][];
  changed?: (value: string) => void;
}

// A form of its host: draws fields with labels bound to them, runs an action on submit, shows progress, and shows each
// problem at its field. Names of fields are their ids in the host's shadow tree.
export class FormController implements ReactiveController {
  busy = false;
  // Errors, by field.
  problems: Values = {};
  private failure = "";
  private element: HTMLFormElement | undefined;
  private showProblem = false;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (!this.showProblem) return;
    this.showProblem = false;
    const field = this.host.renderRoot.querySelector<HTMLElement>("[aria-invalid='true']");
    const folded = field?.closest("details");
    if (folded) folded.open = true;
    field?.focus();
  }

  // For a form's submit event. The form has to be `novalidate`: browsers' messages are not in the page's language.
  submit(event: SubmitEvent, run: (values: Values) => Promise<unknown>): void {
    event.preventDefault();
    if (this.busy) return;
    this.element = event.target as HTMLFormElement;
    const values: Values = {};
    const missing: Values = {};
    for (const field of this.element.elements) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      if (field instanceof HTMLInputElement && field.type === "checkbox") values[field.name] = field.checked ? "on" : "";
      else values[field.name] = field.value;
      if (field.disabled) continue;
      if (field.required && field.value.trim() === "") missing[field.name] = t("form.required");
      if (!field.validity.badInput && !field.validity.rangeUnderflow && !field.validity.rangeOverflow) continue;
      const { min, max } = field as HTMLInputElement;
      missing[field.name] = outOfRange(min === "" ? undefined : Number(min), max === "" ? undefined : Number(max));
    }
    void this.run(async () => {
      if (Object.keys(missing).length > 0) throw new FieldProblems(missing);
      await run(values);
    });
  }

  // Empties the fields.
  reset(): void {
    this.element?.reset();
  }

  // Removes the messages.
  clear(): void {
    this.problems = {};
    this.failure = "";
    this.host.requestUpdate();
  }

  private async run(action: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.clear();
    try {
      await action();
    } catch (error) {
      if (error instanceof FieldProblems) this.problems = error.problems;
      else this.failure = errorText(error);
      this.showProblem = true;
    }
    this.busy = false;
    this.host.requestUpdate();
  }

  text(field: TextField): TemplateResult {
    const input = this.input(field);
    return this.framed(field, field.unit ? html`<div class="unit">${input}<span>${field.unit}</span></div>` : input);
  }

  // The control of a text alone, for callers that put more beside it; framed() then puts all of it into the form.
  input(field: TextField): TemplateResult {
    const changed = (event: Event) => field.changed?.((event.target as HTMLInputElement).value);
    return html`<input
      id=${field.name}
      name=${field.name}
      class=${field.mono ? "mono" : nothing}
      type=${field.type ?? "text"}
      .value=${field.changed ? live(field.value ?? "") : (field.value ?? "")}
      placeholder=${field.placeholder ?? nothing}
      maxlength=${field.maxLength ?? nothing}
      min=${field.min ?? nothing}
      max=${field.max ?? nothing}
      step=${field.step ?? (field.type === "number" ? "any" : nothing)}
      autocomplete=${(field.autocomplete as AutoFill) ?? "off"}
      autocapitalize=${field.autocomplete === "username" ? "none" : nothing}
      spellcheck=${field.autocomplete === "username" || field.mono ? "false" : nothing}
      ?required=${field.required}
      ?disabled=${field.disabled}
      aria-invalid=${field.name in this.problems ? "true" : "false"}
      aria-describedby=${this.described(field)}
      @input=${changed}
      ${styles(field.type === "number" ? digits({ ...field, step: Number(field.step) || "any" }, field.value) : {})}
    />`;
  }

  // A field for the name of an icon, with its drawing beside it and, while it is used, the icons that fit below.
  icon(field: Field): TemplateResult {
    const parts = (event: Event) => {
      const frame = (event.currentTarget as HTMLElement).closest(".icon") as HTMLElement;
      return {
        input: frame.querySelector("input") as HTMLInputElement,
        icon: frame.querySelector("hearth-icon") as Icon,
        grid: frame.querySelector("hearth-icon-grid") as IconGrid,
      };
    };
    const draw = (event: Event) => {
      const { input, icon, grid } = parts(event);
      grid.text = icon.name = input.value.trim();
    };
    const pick = (event: CustomEvent<string>) => {
      parts(event).input.value = event.detail;
      draw(event);
    };
    const open = (event: Event) => {
      void import("./icon_grid");
      parts(event).grid.hidden = false;
    };
    const leave = (event: FocusEvent) => {
      const { grid } = parts(event);
      if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) grid.hidden = true;
    };
    return this.framed(
      { hint: t("form.iconHint"), ...field },
      html`<div class="icon" @focusout=${leave}>
        <hearth-icon .path=${mdiShapeOutline} .name=${field.value ?? ""}></hearth-icon>
        <input
          id=${field.name}
          name=${field.name}
          class="mono"
          .value=${field.value ?? ""}
          placeholder="mdi:sofa"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="${field.name}-hint"
          @focus=${open}
          @input=${draw}
        />
        <hearth-icon-grid
          hidden
          .text=${field.value ?? ""}
          @mousedown=${(event: Event) => event.preventDefault()}
          @pick=${pick}
        ></hearth-icon-grid>
      </div>`,
    );
  }

  password(field: Field): TemplateResult {
    return this.framed(
      field,
      html`<div class="password">
        <input
          id=${field.name}
          name=${field.name}
          type="password"
          autocomplete=${(field.autocomplete as AutoFill) ?? "off"}
          maxlength="1024"
          ?required=${field.required}
          ?disabled=${field.disabled}
          aria-invalid=${field.name in this.problems ? "true" : "false"}
          aria-describedby=${this.described(field)}
        />
        <button type="button" class="plain round" aria-pressed="false" @click=${reveal}>
          <hearth-icon .path=${mdiEye}></hearth-icon><span class="visually-hidden">${t("form.showPassword")}</span>
        </button>
      </div>`,
    );
  }

  select(field: SelectField): TemplateResult {
    const changed = (event: Event) => field.changed?.((event.target as HTMLSelectElement).value);
    return this.framed(
      field,
      html`<select
        id=${field.name}
        name=${field.name}
        ?disabled=${field.disabled}
        aria-invalid=${field.name in this.problems ? "true" : "false"}
        aria-describedby=${this.described(field)}
        @change=${changed}
      >
        ${field.options.map(([value, label]) => html`<option value=${value} .selected=${value === field.value}>${label}</option>`)}
      </select>`,
    );
  }

  checkbox(field: Field & { checked: boolean; changed?: (checked: boolean) => void }): TemplateResult {
    return html`<div class="field">
      <label class="check">
        <input
          type="checkbox"
          id=${field.name}
          name=${field.name}
          .checked=${field.checked}
          ?disabled=${field.disabled}
          aria-invalid=${field.name in this.problems ? "true" : "false"}
          aria-describedby=${this.described(field)}
          @change=${(event: Event) => field.changed?.((event.target as HTMLInputElement).checked)}
        />
        ${field.label}
      </label>
      ${this.problem(field)} ${field.hint ? html`<p class="hint" id="${field.name}-hint">${field.hint}</p>` : nothing}
    </div>`;
  }

  // The error of a field that its host draws itself.
  problemAt(name: string): string {
    return this.problems[name] ?? "";
  }

  // The problem of the form as a whole.
  failed(): TemplateResult | typeof nothing {
    return this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing;
  }

  button(label: string, look = "primary"): TemplateResult {
    return html`<button type="submit" class=${look} ?disabled=${this.busy} aria-busy=${this.busy ? "true" : "false"}>
      ${this.busy ? html`<i class="spinner"></i>` : nothing}${label}
    </button>`;
  }

  // The end of a form in a dialog: every one has the buttons in the same order, the one that goes ahead last.
  end(label: string, cancel: () => void, look = "primary"): TemplateResult {
    return html`<div class="end-buttons">
      <button type="button" @click=${cancel}>${t("action.cancel")}</button>
      ${this.button(label, look)}
    </div>`;
  }

  private described({ name, hint }: Field): string | typeof nothing {
    const ids = [...(name in this.problems ? [`${name}-problem`] : []), ...(hint ? [`${name}-hint`] : [])];
    return ids.length > 0 ? ids.join(" ") : nothing;
  }

  private problem({ name }: Field): TemplateResult | typeof nothing {
    const problem = this.problems[name];
    return problem ? html`<p class="field-problem" id="${name}-problem" role="alert">${problem}</p>` : nothing;
  }

  framed(field: Field, control: TemplateResult): TemplateResult {
    return html`<div class="field">
      <label for=${field.name}>${field.label}</label>
      ${control} ${this.problem(field)} ${field.hint ? html`<p class="hint" id="${field.name}-hint">${field.hint}</p>` : nothing}
    </div>`;
  }
}

function reveal(event: Event): void {
  const button = event.currentTarget as HTMLButtonElement;
  const input = button.previousElementSibling as HTMLInputElement;
  const shown = input.type === "password";
  input.type = shown ? "text" : "password";
  button.setAttribute("aria-pressed", String(shown));
  (button.firstElementChild as Icon).path = shown ? mdiEyeOff : mdiEye;
}

export const formStyles = css`
  form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem;
  }

  .field > label:not(.check) {
    margin-bottom: 0.3rem;
  }

  .field > .hint,
  .field-problem {
    margin-top: 0.3rem;
    font-size: 0.9rem;
  }

  .field-problem {
    color: var(--danger);
    font-weight: 550;
  }

  [aria-invalid="true"] {
    border-color: var(--danger) !important;
  }

  input:disabled,
  select:disabled {
    background: var(--surface-2) !important;
    color: var(--text-2) !important;
    opacity: 1;
  }

  .check {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    min-height: 2rem;
  }

  .check + .hint {
    margin: 0 0 0 1.8rem;
  }

  .password {
    position: relative;
  }

  .password input {
    padding-inline-end: 3.2rem !important;
  }

  .password button {
    position: absolute;
    inset: 0 0 0 auto;
    color: var(--text-2);
  }

  .unit {
    position: relative;
  }

  .unit input {
    padding-inline-end: 2.4rem !important;
  }

  .unit span {
    position: absolute;
    inset: 0.7rem 0.8rem auto auto;
    color: var(--text-2);
    pointer-events: none;
  }

  .icon {
    position: relative;
  }

  .icon > hearth-icon {
    position: absolute;
    inset: 0.6rem auto auto 0.8rem;
  }

  .icon input {
    padding-inline-start: 3rem !important;
  }

  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr));
    gap: 1rem;
    align-items: start;
  }
`;
