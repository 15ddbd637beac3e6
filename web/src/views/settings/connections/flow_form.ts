// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { answersOf, fieldOf, type FlowField, type FlowForm, type FlowStep } from "../../../api/connections/flows";
import { firstFocusable } from "../../../elements/focus";
import { FieldProblems, FormController, formStyles, type Values } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { shared } from "../../../styles/shared";
import { fieldHint, fieldLabel, flowHeading, optionLabel, problemsOf } from "./words";

// An answer that comes sooner shows no progress. Milliseconds.
const patience = 400;

// The form of one step of a flow, whatever it asks for. Fires `cancelled`.
@customElement("hearth-flow-form")
export class FlowFormElement extends LitElement {
  @property({ attribute: false }) step!: FlowForm;
  // Sends the fields, and resolves to the next step; to a form of the same step with errors if they were wrong.
  @property({ attribute: false }) answer!: (fields: object) => Promise<FlowStep>;
  // It changes a connection, instead of making one.
  @property({ type: Boolean }) change = false;
  @state() private isWaiting = false;
  private form = new FormController(this);
  private hasAnswered = false;
  // The problems that have been drawn.
  private told: Values = {};

  static override styles = [
    shared,
    formStyles,
    css`
      form {
        max-width: 34rem;
      }

      progress {
        width: 100%;
        accent-color: var(--accent);
      }
    `,
  ];

  // The first place to type or choose; the button that goes ahead if there is none.
  takeFocus(): void {
    const form = this.renderRoot.querySelector("form");
    const first = form?.querySelector<HTMLElement>("input, select") ?? (form && firstFocusable(form));
    first?.focus();
  }

  // A page that is opened anew has the errors of the last answer.
  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("step") && !this.form.busy) this.form.problems = problemsOf(this.step);
  }

  // An error of the form as a whole is read where the focus goes.
  override updated(): void {
    const { problems } = this.form;
    const whole = this.renderRoot.querySelector<HTMLElement>("#base-problem");
    const isNew = whole !== null && problems !== this.told && this.hasAnswered;
    this.told = problems;
    if (!isNew || Object.keys(problems).length > 1) return;
    whole.focus({ preventScroll: true });
    whole.scrollIntoView({ block: "center" }); // not below the navigation of a phone
  }

  private async send(values: Values): Promise<void> {
    const { fields, problems } = answersOf(this.step.data_schema, values);
    const missing = Object.entries(problems);
    if (missing.length > 0)
      throw new FieldProblems(
        Object.fromEntries(missing.map(([name, problem]) => [name, t(problem === "missing" ? "form.required" : "form.number")])),
      );
    const timer = setTimeout(() => (this.isWaiting = true), patience);
    this.hasAnswered = true;
    let next: FlowStep;
    try {
      next = await this.answer(fields);
    } catch (error) {
      const named = fieldOf(error, this.step.data_schema);
      throw named ? new FieldProblems({ [named.name]: hubMessage(named.problem) }) : error;
    } finally {
      clearTimeout(timer);
      this.isWaiting = false;
    }
    const wrong = next.type === "form" ? problemsOf(next) : {};
    if (Object.keys(wrong).length > 0) throw new FieldProblems(wrong);
  }

  override render() {
    const { step, form } = this;
    const base = form.problemAt("base");
    return html`<form
      novalidate
      aria-label=${flowHeading(step, this.change)}
      @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.send(values))}
    >
      ${step.data_schema.map((field) => this.field(field))}
      ${base ? html`<p class="problem" id="base-problem" role="alert" tabindex="-1">${base}</p>` : nothing} ${form.failed()}
      <div role="status">${this.isWaiting ? html`<p class="hint">${t("flow.waiting")}</p>` : nothing}</div>
      ${this.isWaiting ? html`<progress aria-hidden="true"></progress>` : nothing}
      ${form.end(t(step.last_step !== true ? "flow.next" : this.change ? "connections.change" : "flow.add"), () =>
        this.dispatchEvent(new CustomEvent("cancelled")),
      )}
    </form>`;
  }

  private field(field: FlowField): TemplateResult {
    const { step, form } = this;
    const { name, type, required, secret } = field;
    const known = { name, label: fieldLabel(step, field), hint: fieldHint(step, field) };
    const value = field.default === undefined ? "" : String(field.default);
    if (type === "boolean") return form.checkbox({ ...known, checked: field.default === true });
    if (type === "select") {
      const options = (field.options ?? []).map((option): [string, string] => [option, optionLabel(step, field, option)]);
      const none: [string, string][] = value === "" ? [["", required ? t("flow.choose") : "–"]] : [];
      return form.select({ ...known, value, options: [...none, ...options] });
    }
    if (secret) return form.password({ ...known, required, autocomplete: "one-time-code" });
    if (type !== "integer") return form.text({ ...known, value, required, mono: name === "host" || name === "url" });
    const range = name === "port" ? { min: 1, max: 65535 } : {};
    return form.text({ ...known, value, required, type: "number", step: "1", ...range });
  }
}
