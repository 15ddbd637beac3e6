// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { LabelsController } from "../../api/labels";
import { shared } from "../../styles/shared";
import { HomeController } from "../controllers";
import type { Draw, Given } from "./given";
import { drawAttribute, drawPicked, drawState, drawTarget } from "./home_controls";
import {
  drawBoolean,
  drawColor,
  drawConstant,
  drawCountry,
  drawDate,
  drawDateTime,
  drawDuration,
  drawIcon,
  drawLanguage,
  drawLocation,
  drawNumber,
  drawSaid,
  drawSelect,
  drawTemplate,
  drawText,
  drawTime,
  writtenOrChosen,
} from "./plain_controls";
import { controlOf, optionsOf, type Control, type Selector } from "./selector";
import { selectorStyles } from "./selector_styles";
import "./yaml_field";

export interface Changed {
  // Undefined takes it away.
  value: unknown;
  // Why what is written is no value.
  problem: string;
}

const drawn: Partial<Record<Control, Draw>> = {
  area: drawPicked("area"),
  attribute: drawAttribute,
  boolean: drawBoolean,
  color: drawColor,
  constant: drawConstant,
  country: drawCountry,
  date: drawDate,
  datetime: drawDateTime,
  device: drawPicked("device"),
  duration: drawDuration,
  entity: drawPicked("entity"),
  floor: drawPicked("floor"),
  icon: drawIcon,
  label: drawPicked("label"),
  language: drawLanguage,
  location: drawLocation,
  number: drawNumber,
  said: drawSaid,
  select: drawSelect,
  state: drawState,
  target: drawTarget,
  template: drawTemplate,
  text: drawText,
  time: drawTime,
};
const sections = { trigger: "triggers", condition: "conditions", action: "actions" } as const;

// A value, asked for by the control that fits its selector. Fires `change-value` with a Changed.
@customElement("hearth-selector-field")
export class SelectorField extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() label = "";
  @property() hint = "";
  @property() problem = "";
  @property({ type: Boolean }) required = false;
  @property({ attribute: false }) selector: Selector | null | undefined;
  @property({ attribute: false }) value: unknown;
  @state() private text = "";
  @state() private ownProblem = "";
  @state() private entries: [string, string][] = [];
  // The shown control stays the same while somebody types in it.
  private control: Control = "text";
  private sent: { value: unknown } | undefined;
  private hasAsked = false;
  private readonly labels = new LabelsController(this, () => this.home);

  static override styles = [shared, selectorStyles];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override focus(): void {
    const target = this.renderRoot.querySelector<HTMLElement>(
      "#control, hearth-picker, hearth-yaml-field, hearth-switch, input, textarea, select",
    );
    const inner = target?.shadowRoot?.querySelector<HTMLElement>("input, textarea, button") ?? target;
    inner?.focus();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("value") && !changes.has("selector")) return;
    if (this.sent && this.sent.value === this.value && !changes.has("selector")) return;
    this.sent = undefined;
    this.control = controlOf(this.selector, this.value);
    const { value } = this;
    this.text = value === undefined || value === null ? "" : Array.isArray(value) ? value.join("\n") : String(value as string | number);
    this.ownProblem = "";
    if (this.control === "entry") void this.askEntries();
    if (this.control in sections) void import("../../views/automation/editor/part_editor");
  }

  private async askEntries(): Promise<void> {
    if (this.hasAsked) return;
    this.hasAsked = true;
    const { integration } = optionsOf(this.selector);
    const all = await this.home
      .command<{ entry_id: string; title: string; domain: string; source: string }[]>("config_entries/get")
      .catch(() => []);
    this.entries = all
      .filter(({ domain, source }) => source !== "ignore" && (integration === undefined || domain === integration))
      .map(({ entry_id, title }) => [entry_id, title]);
  }

  private tell(value: unknown, text?: string, problem = ""): void {
    this.sent = { value };
    this.value = value;
    this.ownProblem = problem;
    if (text !== undefined) this.text = text;
    else if (typeof value === "string" || typeof value === "number") this.text = String(value);
    this.dispatchEvent(new CustomEvent<Changed>("change-value", { detail: { value, problem } }));
    this.requestUpdate();
  }

  override render() {
    const problem = this.control === "yaml" ? (this.ownProblem ? "" : this.problem) : this.ownProblem || this.problem;
    return html`<div class="field">
      ${this.drawing(problem)} ${problem ? html`<p class="field-problem" id="problem" role="alert">${problem}</p>` : nothing}
      ${this.hint ? html`<p class="hint" id="hint">${this.hint}</p>` : nothing}
    </div>`;
  }

  private drawing(problem: string): TemplateResult {
    const { control } = this;
    const given: Given = {
      home: this.home,
      label: this.label,
      selector: this.selector,
      options: optionsOf(this.selector),
      value: this.value,
      text: this.text,
      required: this.required,
      invalid: problem !== "",
      described: [problem ? "problem" : "", this.hint ? "hint" : ""].filter(Boolean).join(" "),
      labels: this.labels.all,
      tell: (value, text, wrong) => this.tell(value, text, wrong),
    };
    if (control === "entry") return writtenOrChosen(given, this.entries);
    if (control === "trigger" || control === "condition" || control === "action") {
      return html`<p class="part"><strong>${this.label}</strong></p>
        <hearth-part-editor
          .home=${this.home}
          .section=${sections[control]}
          .value=${this.value}
          @change-value=${({ detail }: CustomEvent<Changed>) => this.tell(detail.value)}
        ></hearth-part-editor>`;
    }
    const draw = drawn[control];
    if (draw) return draw(given);
    return html`<hearth-yaml-field
      .label=${this.label}
      .value=${this.value}
      @change-value=${({ detail }: CustomEvent<Changed>) => this.tell(detail.value, "", detail.problem)}
    ></hearth-yaml-field>`; // it says its problem itself
  }
}
