// SPDX-License-Identifier: Apache-2.0
// An automation, a script or template entities that use a blueprint: what its inputs are. Its text stays the truth.
import { mdiArrowLeft, mdiDelete } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import type { Item, WrittenKind } from "../api/automations";
import {
  blueprintName,
  inputsOf,
  missingInput,
  readBlueprints,
  sectionsOf,
  type Blueprint,
  type Input,
  type InputSection,
} from "../api/blueprints";
import { errorText } from "../api/errors";
import type { Home } from "../api/home";
import { nothingOf } from "../elements/selectors/selector";
import type { Changed, SelectorField } from "../elements/selectors/selector_field";
import { t } from "../i18n/catalogue";
import { base } from "../router";
import { shared } from "../styles/shared";
import { ItemText, textOf, type Problem } from "./item_text";
import "../elements/icon";
import "../elements/loading";
import "../elements/selectors/selector_field";

interface Use {
  path: string;
  input: Record<string, unknown>;
}

function useOf({ use_blueprint }: Item): Use {
  const { path, input } = (use_blueprint ?? {}) as Partial<Use>;
  return { path: String(path ?? ""), input: typeof input === "object" && input !== null ? input : {} };
}

// Fires `text-changed` with the new text.
@customElement("hearth-blueprint-form")
export class BlueprintForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() kind: WrittenKind | "template" = "automation"; // no scene
  @property() text = "";
  @property({ type: Boolean }) fixed = false;
  @property({ attribute: false }) problems: Problem[] = [];
  // As it is saved; undefined if it is new.
  @property({ attribute: false }) saved: Item | undefined;
  @state() private blueprint: Blueprint | undefined;
  @state() private isThere = true;
  @state() private failure = "";
  private item: Item = {};
  private read: string | undefined;
  private isReadable = true;
  private asked = "";
  // Texts in fields that are no value, by input.
  private wrong = new Map<string, string>();

  static override styles = [
    shared,
    css`
      :host,
      section {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.4rem;
      }

      .name {
        max-width: 34rem;
      }

      .about {
        white-space: pre-line;
      }

      .back {
        justify-self: start;
        min-height: 2.2rem;
        padding: 0 0.4rem;
        color: var(--text-2);
        font-size: 0.9rem;
      }

      summary {
        padding: 0.4rem 0;
        font-weight: 600;
        cursor: pointer;
      }

      details > section {
        padding-top: 0.8rem;
      }
    `,
  ];

  override willUpdate(): void {
    if (this.text !== this.read) {
      const parsed = new ItemText(this.text);
      this.isReadable = parsed.problems({ unread: (tag) => tag, expected: "" }).length === 0;
      if (this.isReadable) this.item = parsed.item();
      this.read = this.text;
    }
    const { path } = useOf(this.item);
    if (path !== this.asked) void this.ask(path);
  }

  private async ask(path: string): Promise<void> {
    this.asked = path;
    this.failure = "";
    try {
      const found = (await readBlueprints(this.home, this.kind === "scene" ? "automation" : this.kind)).find(
        (each) => each.path === path || each.path === `${path}.yaml`,
      );
      this.blueprint = found;
      this.isThere = found !== undefined && found.error === "";
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  // Shows the field of a problem.
  show({ path, hub }: Problem): void {
    const fields = [...this.renderRoot.querySelectorAll<SelectorField>("hearth-selector-field")];
    const field = fields.find(({ dataset }) => dataset.input && isOf(dataset.input, { path: path ?? "", hub }));
    const folded = field?.closest("details");
    if (folded) folded.open = true;
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  }

  // Reasons that keep the form from being saved, besides those of the text.
  get unread(): Problem[] {
    return [...this.wrong].map(([key, message]) => ({
      from: 0,
      to: 0,
      line: 1,
      message: `${key}: ${message}`,
      said: message,
      path: `use_blueprint.input.${key}`,
    }));
  }

  private write(item: Item): void {
    this.item = item;
    this.read = this.text = textOf(item);
    this.dispatchEvent(new CustomEvent("text-changed", { detail: this.text }));
    this.requestUpdate();
  }

  // A cleared input with a default is meant to be nothing.
  private told({ key, otherwise, selector }: Input, { value, problem }: Changed): void {
    const isEmptied = value === undefined && problem === "" && otherwise !== undefined && !isNothing(otherwise);
    const nothing = isEmptied ? nothingOf(selector, otherwise) : value;
    this.change(key, nothing, isEmptied && nothing === undefined ? t("form.required") : problem);
  }

  private change(key: string, value: unknown, problem = ""): void {
    if (this.fixed) return;
    if (problem) this.wrong.set(key, problem);
    else this.wrong.delete(key);
    const { path, input } = useOf(this.item);
    const { [key]: _, ...others } = input;
    // Existing keys keep their place.
    const next = value === undefined ? others : key in input ? { ...input, [key]: value } : { ...others, [key]: value };
    this.write({ ...this.item, use_blueprint: { ...(this.item.use_blueprint as object), path, input: next } });
  }

  private name(key: "alias" | "description", text: string): void {
    const { [key]: _, ...others } = this.item;
    this.write(text === "" ? others : key in this.item ? { ...this.item, [key]: text } : { [key]: text, ...others });
  }

  private problemOf({ key }: Input): string {
    const found = this.problems.find(({ path = "", hub }) => isOf(key, { path, hub }));
    if (!found) return this.wrong.get(key) ?? "";
    return missingInput(found.hub) === key ? t("form.required") : (found.said ?? found.message);
  }

  // The error of an input, by that one's name.
  worded(problem: Problem): string {
    const inputs = this.blueprint ? inputsOf(this.blueprint.metadata) : [];
    const input = inputs.find(({ key }) => isOf(key, { path: problem.path ?? "", hub: problem.hub }));
    return input
      ? `${input.name}: ${missingInput(problem.hub) === input.key ? t("form.required") : (problem.said ?? problem.message)}`
      : problem.message;
  }

  override render() {
    if (!this.isReadable) return html`<p class="problem">${t("sentences.unreadable")}</p>`;
    if (this.failure) return html`<hearth-loading .problem=${this.failure} @retry=${() => void this.ask(this.asked)}></hearth-loading>`;
    const { path } = useOf(this.item);
    if (!this.isThere) return html`<p class="problem">${t("blueprints.gone", { path })} ${this.blueprint?.error ?? ""}</p>`;
    const { blueprint } = this;
    if (!blueprint) return html`<hearth-loading></hearth-loading>`;
    const address = `${base}/settings/automations/blueprint?domain=${blueprint.domain}&path=${encodeURIComponent(blueprint.path)}`;
    return html`${this.kind === "template" ? nothing : this.names()}
      <div>
        <p><strong>${t("blueprints.by")}</strong> <a href=${address}>${blueprintName(blueprint)}</a></p>
        ${blueprint.metadata.description ? html`<p class="hint about">${blueprint.metadata.description}</p>` : nothing}
      </div>
      ${this.outdated(blueprint)} ${sectionsOf(blueprint.metadata).map((section) => this.section(section))} ${this.unknown(blueprint)}`;
  }

  // An item that lacks an input and works all the same runs a former version.
  private outdated({ metadata }: Blueprint): TemplateResult | typeof nothing {
    if (!this.saved || this.problems.length > 0) return nothing;
    const { input } = useOf(this.saved);
    const lacking = inputsOf(metadata).filter(({ key, otherwise }) => otherwise === undefined && !Object.hasOwn(input, key));
    return lacking.length === 0
      ? nothing
      : html`<p class="problem" role="status">${t("blueprints.outdated", { names: lacking.map(({ name }) => name).join(", ") })}</p>`;
  }

  // Inputs that are given and not asked for, as after a new version.
  private unknown({ metadata }: Blueprint): TemplateResult | typeof nothing {
    const known = new Set(inputsOf(metadata).map(({ key }) => key));
    const unknown = Object.keys(useOf(this.item).input).filter((key) => !known.has(key));
    if (unknown.length === 0) return nothing;
    return html`<div class="problem">
      <p>${t("blueprints.notAsked")}</p>
      ${unknown.map(
        (key) =>
          html`<button type="button" class="plain" @click=${() => this.change(key, undefined)}>
            <hearth-icon .path=${mdiDelete}></hearth-icon>${t("areas.deleteNamed", { name: key })}
          </button>`,
      )}
    </div>`;
  }

  private names(): TemplateResult {
    const field = (key: "alias" | "description", label: string) =>
      html`<label class="name"
        >${label}
        <input
          autocomplete="off"
          maxlength="255"
          ?disabled=${this.fixed}
          .value=${live(String(this.item[key] ?? ""))}
          @input=${(event: InputEvent) => this.name(key, (event.target as HTMLInputElement).value)}
      /></label>`;
    return html`${field("alias", t("sentences.name"))}${field("description", t("blueprints.description"))}`;
  }

  private section({ name, description, isFolded, inputs }: InputSection): TemplateResult {
    const fields = html`<section>
      ${description ? html`<p class="hint about">${description}</p>` : nothing} ${inputs.map((input) => this.input(input))}
    </section>`;
    return name
      ? html`<details ?open=${!isFolded}>
          <summary>${name}</summary>
          ${fields}
        </details>`
      : fields;
  }

  private input(input: Input): TemplateResult {
    const { key, otherwise } = input;
    const given = useOf(this.item).input;
    const isGiven = Object.hasOwn(given, key) || this.wrong.has(key);
    return html`<div>
      <hearth-selector-field
        data-input=${key}
        .home=${this.home}
        .label=${input.name}
        .hint=${input.description}
        .selector=${input.selector}
        .value=${isGiven ? given[key] : otherwise}
        .problem=${this.problemOf(input)}
        ?required=${otherwise === undefined}
        @change-value=${({ detail }: CustomEvent<Changed>) => this.told(input, detail)}
      ></hearth-selector-field>
      ${isGiven && otherwise !== undefined
        ? html`<button
            type="button"
            class="plain back"
            aria-label=${t("blueprints.useDefaultOf", { name: input.name })}
            @click=${() => this.change(key, undefined)}
          >
            <hearth-icon .path=${mdiArrowLeft}></hearth-icon>${t("blueprints.useDefault")}
          </button>`
        : nothing}
    </div>`;
  }
}

function isNothing(value: unknown): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

// "use_blueprint.input.level" is of the input level, and so is what lies within.
function isOf(key: string, { path, hub }: { path: string; hub: string | undefined }): boolean {
  const within = `use_blueprint.input.${key}`;
  return path === within || path.startsWith(`${within}.`) || path.startsWith(`${within}[`) || missingInput(hub) === key;
}
