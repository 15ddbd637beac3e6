// SPDX-License-Identifier: Apache-2.0
import { mdiClose } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import { Finder } from "./finder";
import "../icon";

export interface Choice {
  id: string;
  name: string;
  // Stands below the name instead of the id.
  note?: string;
  // A heading over it and those that follow with the same.
  group?: string;
}

// One or several of many, found by typing. Fires `change-chosen` with the ids as detail; its owner then sets `chosen`.
@customElement("hearth-picker")
export class Picker extends LitElement {
  @property() label = "";
  @property() placeholder = "";
  // Called when the list opens.
  @property({ attribute: false }) choices: () => Choice[] = () => [];
  @property({ attribute: false }) chosen: string[] = [];
  @property({ attribute: false }) nameOf: (id: string) => string = (id) => id;
  // The text in the field of a single choice.
  @property({ attribute: false }) shownAs: (id: string) => string = (id) => id;
  @property({ type: Boolean }) multiple = false;
  @property({ type: Boolean }) required = false;
  // How many matches are shown; to see others, the user types more.
  @property({ type: Number }) most = 60;
  @state() private open = false;
  @state() private text = "";
  @state() private active = -1;
  @query("input") private input!: HTMLInputElement;
  private finder = new Finder<Choice>([]);
  private found: Choice[] = [];
  private left = 0;

  static override styles = [
    shared,
    css`
      :host {
        position: relative;
      }

      label {
        margin-bottom: 0.3rem;
      }

      .chips {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin: 0 0 0.4rem;
        padding: 0;
        list-style: none;
      }

      .chips li {
        display: inline-flex;
        align-items: center;
        max-width: 100%;
        padding-left: 0.75rem;
        border-radius: 999px;
        background: var(--accent-soft);
        color: var(--on-accent-soft);
        font-size: 0.92rem;
        font-weight: 550;
      }

      .chips span {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .chips button {
        flex: none;
        width: 2.1rem;
        min-height: 2.1rem;
        padding: 0;
        border-radius: 50%;
        color: inherit;
      }

      .chips hearth-icon {
        width: 1.05rem;
        height: 1.05rem;
      }

      .list {
        position: absolute;
        z-index: 4;
        left: 0;
        right: 0;
        margin-top: 0.25rem;
        padding: 0.3rem;
        border: 1px solid var(--border-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        box-shadow: var(--shadow-high);
      }

      .list ul {
        max-height: min(22rem, 50dvh);
        overflow-y: auto;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      [role="option"] {
        padding: 0.4rem 0.6rem;
        border-radius: 7px;
        overflow-wrap: anywhere;
        cursor: pointer;
      }

      [role="option"].active {
        background: var(--surface-2);
        box-shadow: inset 3px 0 0 var(--accent);
      }

      [role="option"][aria-selected="true"] {
        font-weight: 650;
      }

      small {
        display: block;
        color: var(--text-2);
        font: 0.82rem var(--font-mono);
        font-weight: 400;
      }

      .group {
        padding: 0.7rem 0.6rem 0.2rem;
        color: var(--text-2);
        font-size: 0.85rem;
        font-weight: 650;
      }

      .list p {
        padding: 0.4rem 0.6rem;
      }
    `,
  ];

  override focus(): void {
    this.input?.focus();
  }

  override willUpdate(changes: Map<string, unknown>): void {
    if (this.open && (changes.has("text") || changes.has("open"))) this.search();
  }

  override updated(): void {
    this.renderRoot.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  private show(): void {
    if (this.open) return;
    this.finder = new Finder(this.choices());
    this.text = "";
    this.open = true;
  }

  private hide(): void {
    this.open = false;
    this.text = "";
    this.active = -1;
    this.finder = new Finder<Choice>([]);
  }

  private search(): void {
    const all = this.finder.find(this.text);
    this.found = all.slice(0, this.most);
    this.left = all.length - this.found.length;
    this.active = this.found.length > 0 && this.text.trim() !== "" ? 0 : -1;
  }

  private tell(chosen: string[]): void {
    this.dispatchEvent(new CustomEvent<string[]>("change-chosen", { detail: chosen }));
  }

  private pick(id: string): void {
    // Of several, too: the list would cover what was chosen. Typing opens it again.
    this.hide();
    if (!this.multiple) return this.tell([id]);
    this.tell(this.chosen.includes(id) ? this.chosen.filter((one) => one !== id) : [...this.chosen, id]);
  }

  private press(event: KeyboardEvent): void {
    const last = this.found.length - 1;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        event.preventDefault();
        if (!this.open) return this.show();
        if (event.key === "ArrowDown") this.active = this.active >= last ? 0 : this.active + 1;
        else this.active = this.active <= 0 ? last : this.active - 1;
        return;
      case "Enter": {
        const choice = this.open ? this.found[this.active] : undefined;
        if (this.open) event.preventDefault();
        if (choice) this.pick(choice.id);
        return;
      }
      case "Escape":
        if (!this.open) return;
        event.preventDefault();
        event.stopPropagation();
        return this.hide();
      case "Backspace":
        if (this.multiple && this.input.value === "" && this.chosen.length > 0) this.tell(this.chosen.slice(0, -1));
    }
  }

  override render() {
    const single = this.multiple || this.chosen[0] === undefined ? "" : this.shownAs(this.chosen[0]);
    return html`
      <label for="input">${this.label}</label>
      ${this.multiple && this.chosen.length > 0 ? this.chips() : nothing}
      <input
        id="input"
        role="combobox"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-autocomplete="list"
        aria-controls="list"
        aria-expanded=${this.open ? "true" : "false"}
        aria-required=${this.required ? "true" : "false"}
        aria-activedescendant=${this.open && this.active >= 0 ? `option-${this.active}` : nothing}
        placeholder=${this.placeholder || t("action.search")}
        .value=${live(this.open ? this.text : single)}
        @focus=${() => this.show()}
        @click=${() => this.show()}
        @blur=${() => this.hide()}
        @input=${(event: Event) => {
          const text = (event.target as HTMLInputElement).value;
          this.show();
          this.text = text;
        }}
        @keydown=${(event: KeyboardEvent) => this.press(event)}
      />
      <div class="list" ?hidden=${!this.open} @mousedown=${(event: Event) => event.preventDefault()}>
        <ul id="list" role="listbox" aria-label=${this.label} aria-multiselectable=${this.multiple ? "true" : nothing}>
          ${this.open ? this.found.map((choice, index) => this.option(choice, index)) : nothing}
        </ul>
        ${this.open && this.found.length === 0 ? html`<p class="hint" role="status">${t("picker.none")}</p>` : nothing}
        ${this.open && this.left > 0 ? html`<p class="hint">${t("picker.more", { count: this.left })}</p>` : nothing}
      </div>
    `;
  }

  private chips(): TemplateResult {
    return html`<ul class="chips" aria-label=${t("picker.chosen", { label: this.label })}>
      ${repeat(
        this.chosen,
        (id) => id,
        (id) =>
          html`<li>
            <span>${this.nameOf(id)}</span>
            <button
              type="button"
              class="plain"
              aria-label=${t("picker.remove", { name: this.nameOf(id) })}
              @click=${() => this.tell(this.chosen.filter((one) => one !== id))}
            >
              <hearth-icon .path=${mdiClose}></hearth-icon>
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private option({ id, name, note, group }: Choice, index: number): TemplateResult {
    const isFirst = group !== undefined && group !== this.found[index - 1]?.group;
    return html`${isFirst ? html`<li class="group" role="presentation">${group}</li>` : nothing}
      <li
        id="option-${index}"
        role="option"
        class=${index === this.active ? "active" : ""}
        aria-selected=${this.chosen.includes(id) ? "true" : "false"}
        @click=${() => this.pick(id)}
      >
        ${name}${name === id ? nothing : html`<small>${note ?? id}</small>`}
      </li>`;
  }
}
