// SPDX-License-Identifier: Apache-2.0
import { mdiPlus } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { t } from "../../../../i18n/catalogue";
import { shared } from "../../../../styles/shared";
import { at, pathOf, type Config } from "../edit";
import type { Editing } from "../editing";
import { entitiesOf, statesOf, stateWord } from "../home_words";
import type { Option, Slot } from "../kinds";
import { slotStyles } from "./slot_styles";
import { slotText } from "./slot_text";
import "../../../../elements/icon";

// Stand for choices that are no values.
const nothingAt = "\u0000nothing";
const noneAt = "\u0000none";
const otherAt = "\u0000other";
const outAt = "\u0000out";

// One of several, or one or more of them; what is not among them is typed. Fires `change-value`.
@customElement("hearth-choice-list")
export class ChoiceList extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) slotOf!: Slot;
  @property({ attribute: false }) config: Config = {};
  // Which of the values is being typed, and what of it so far.
  @state() private typed: number | undefined;
  private draft = "";

  static override styles = [shared, slotStyles];

  private get value(): unknown {
    return at(this.config, pathOf(this.slotOf.key));
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("select, input")?.focus();
  }

  private tell(value: unknown): void {
    this.dispatchEvent(new CustomEvent("change-value", { detail: value }));
  }

  private get isOpen(): boolean {
    return this.slotOf.open === true || ["state", "attribute"].includes(this.slotOf.type);
  }

  // The choices, with their words.
  private options(): Option[] {
    const { slotOf: slot, editing, config } = this;
    const ids = entitiesOf(config);
    switch (slot.type) {
      case "state":
        return config.attribute === undefined
          ? statesOf(editing.home, ids).map((value) => ({ value, text: () => stateWord(editing.home, ids, value) }))
          : [];
      case "attribute":
        return [...new Set(ids.flatMap((id) => Object.keys(editing.home.entity(id)?.attributes ?? {})))]
          .sort()
          .map((value) => ({ value, text: () => value }));
      case "trigger_id":
        return editing.triggers.map(([value, text]) => ({ value, text: () => text }));
      case "boolean":
        return [
          { value: true, text: () => t("sentence.yes") },
          { value: false, text: () => t("sentence.no") },
        ];
      default:
        return slot.options ?? [];
    }
  }

  private get values(): unknown[] {
    const { value } = this;
    return Array.isArray(value) ? (value as unknown[]) : [value];
  }

  private put(index: number, value: unknown): void {
    const list = this.values;
    const next =
      value === undefined || (value === null && list.length === 1)
        ? list.filter((_, place) => place !== index)
        : list.map((one, place) => (place === index ? value : one));
    this.tell(Array.isArray(this.value) && next.length > 1 ? next : (next[0] ?? value));
  }

  private chosen(index: number, key: string, options: Option[]): void {
    this.typed = undefined;
    if (key === nothingAt) this.tell(undefined);
    else if (key === noneAt) this.tell(null);
    else if (key === outAt) this.put(index, undefined);
    else if (key === otherAt) {
      this.typed = index;
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("input")?.focus());
    } else this.put(index, options[Number(key)]?.value);
  }

  // A state is a text; what an attribute has keeps its type.
  private meant(text: string): unknown {
    const { slotOf, config, editing } = this;
    if (slotOf.type !== "state" || typeof config.attribute !== "string") return text;
    const now = editing.home.entity(entitiesOf(config)[0] ?? "")?.attributes[config.attribute];
    if (typeof now === "string") return text;
    if (text === "true" || text === "false") return text === "true";
    return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }

  private type(index: number, text: string): void {
    this.draft = text;
    this.put(index, this.meant(text));
  }

  private left(index: number, hasChoices: boolean): void {
    if (hasChoices) this.typed = undefined;
    this.draft = "";
    this.requestUpdate();
    if (this.values.length > 1 && this.values[index] === "") this.put(index, undefined);
  }

  private more(options: Option[]): void {
    const list = this.values;
    const free = options.find(({ value }) => !list.includes(value));
    this.tell([...list, free?.value ?? ""]);
    setTimeout(() => [...this.renderRoot.querySelectorAll<HTMLElement>("select, input")].at(-1)?.focus()); // when the item is drawn again
  }

  override render() {
    const options = this.options();
    const { values, slotOf: slot } = this;
    const first = values[0];
    const mayHaveMore =
      slot.many &&
      first !== undefined &&
      first !== null &&
      first !== "" &&
      !this.editing.fixed &&
      (this.isOpen || options.length > values.length);
    return html`${values.map(
      (value, index) => html`${index > 0 ? html`<span class="or">${t("sentence.or")}</span>` : nothing}${this.one(value, index, options)}`,
    )}
    ${mayHaveMore
      ? html`<button
          type="button"
          class="plain round more"
          aria-label=${t("sentence.orAnother", { what: slot.label() })}
          @click=${() => this.more(options)}
        >
          <hearth-icon .path=${mdiPlus}></hearth-icon>
        </button>`
      : nothing}`;
  }

  private one(value: unknown, index: number, options: Option[]): TemplateResult {
    const { slotOf: slot, editing } = this;
    const isWritten =
      this.isOpen && (this.typed === index || (options.length === 0 && slot.nothing === undefined && slot.none === undefined));
    if (isWritten) return this.field(value, index, options.length > 0);
    const place = options.findIndex((option) => option.value === value);
    const isUnknown = place < 0 && value !== undefined && value !== null && value !== "";
    const isEmpty = place < 0 && !isUnknown && !(value === undefined && slot.nothing) && !(value === null && slot.none);
    return html`<select
      class="token ${isEmpty ? "empty" : ""}"
      aria-label=${slot.label()}
      ?disabled=${editing.fixed}
      @change=${(event: Event) => this.chosen(index, (event.target as HTMLSelectElement).value, options)}
    >
      ${isEmpty ? html`<option value="" selected disabled hidden>${t("sentence.choose", { what: slot.label() })}</option>` : nothing}
      ${slot.nothing && index === 0
        ? html`<option value=${nothingAt} .selected=${value === undefined}>${slot.nothing()}</option>`
        : nothing}
      ${slot.none && index === 0 ? html`<option value=${noneAt} .selected=${value === null}>${slot.none()}</option>` : nothing}
      ${isUnknown ? html`<option value="same" selected disabled>${this.wordOf(value)}</option>` : nothing}
      ${options.map((option, at) => html`<option value=${at} .selected=${at === place}>${option.text()}</option>`)}
      ${this.isOpen ? html`<option value=${otherAt}>${t("sentence.other")}</option>` : nothing}
      ${this.values.length > 1 ? html`<option value=${outAt}>${t("sentence.leaveOut")}</option>` : nothing}
    </select>`;
  }

  private wordOf(value: unknown): string {
    const { slotOf: slot, editing, config } = this;
    return slotText(
      editing,
      { ...slot, key: "value", many: false },
      { entity_id: config.entity_id, ...(config.attribute !== undefined && { attribute: config.attribute }), value },
    );
  }

  private field(value: unknown, index: number, hasChoices: boolean): TemplateResult {
    const isDraft = this.draft !== "" && this.meant(this.draft) === value; // "1." on the way to 1.5
    const shown = isDraft ? this.draft : value === undefined || value === null ? "" : String(value);
    const now = this.editing.home.entity(entitiesOf(this.config)[0] ?? "");
    const hint =
      this.slotOf.type === "state" && now && this.config.attribute === undefined
        ? t("sentence.now", { state: now.state })
        : this.slotOf.label();
    return html`<input
      class="token ${shown === "" ? "empty" : ""}"
      type="text"
      autocomplete="off"
      spellcheck="false"
      aria-label=${this.slotOf.label()}
      placeholder=${hint}
      ?disabled=${this.editing.fixed}
      .value=${live(shown)}
      @input=${(event: InputEvent) => this.type(index, (event.target as HTMLInputElement).value)}
      @blur=${() => this.left(index, hasChoices)}
    />`;
  }
}
