// SPDX-License-Identifier: Apache-2.0
import { mdiCheck } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import { Finder } from "../../../elements/fields/finder";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";
import "../../../elements/icon";

export interface Pickable {
  id: string;
  name: string;
  // Below the name.
  note?: string;
  // A drawing, and the name of one.
  icon?: string;
  iconName?: string;
  // A heading over those with the same.
  group?: string;
}

export interface Wanted {
  heading: string;
  choices: Pickable[];
  chosen: string[];
  many: boolean;
  // Further things that are found as somebody types.
  more?: (text: string) => Pickable[];
}

// How many are drawn; to see others, people type.
const most = 120;

// One or several of many, in a dialog. Arrow keys go through the list from the field.
@customElement("hearth-pick")
class Pick extends LitElement {
  @property({ attribute: false }) wanted!: Wanted;
  @property({ attribute: false }) answer!: (chosen: string[] | undefined) => void;
  @state() private text = "";
  private finder = new Finder<Pickable>([]);
  @state() private chosen: string[] = [];
  @query("input") private input!: HTMLInputElement;

  static override styles = [
    shared,
    css`
      .content {
        display: grid;
        gap: 0.6rem;
        grid-template-columns: minmax(0, 1fr);
      }

      .list {
        height: min(26rem, 52dvh);
        overflow-y: auto;
        margin-inline: -0.6rem;
        padding: 0.2rem 0.6rem;
      }

      h3 {
        padding: 0.7rem 0.4rem 0.2rem;
        color: var(--text-2);
        font-size: 0.85rem;
      }

      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li button {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        justify-content: start;
        gap: 0 0.8rem;
        width: 100%;
        padding: 0.35rem 0.6rem;
        border: 0;
        font-weight: 450;
        text-align: start;
      }

      li button[aria-pressed="true"] {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      .name,
      small {
        display: block;
        overflow-wrap: anywhere;
      }

      small {
        color: var(--text-2);
        font-size: 0.82rem;
      }

      [aria-pressed="true"] small {
        color: inherit;
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (!changes.has("wanted")) return;
    this.chosen = this.wanted.chosen;
    this.finder = new Finder(this.wanted.choices);
  }

  private get found(): Pickable[] {
    const { more } = this.wanted;
    return [...this.finder.find(this.text), ...(more && this.text.trim() !== "" ? more(this.text) : [])];
  }

  private toggle(id: string): void {
    if (!this.wanted.many) return this.answer([id]);
    this.chosen = this.chosen.includes(id) ? this.chosen.filter((one) => one !== id) : [...this.chosen, id];
  }

  private press(event: KeyboardEvent): void {
    const buttons = [...this.renderRoot.querySelectorAll<HTMLButtonElement>("li button")];
    const here = buttons.indexOf((this.renderRoot as ShadowRoot).activeElement as HTMLButtonElement);
    if (event.key === "Enter" && here < 0) {
      const first = this.found[0];
      if (this.text !== "" && first) this.toggle(first.id);
    } else if (event.key === "ArrowDown") buttons[Math.min(here + 1, buttons.length - 1)]?.focus();
    else if (event.key === "ArrowUp" && here >= 0) (buttons[here - 1] ?? this.input).focus();
    else return;
    event.preventDefault();
  }

  override render() {
    const { many } = this.wanted;
    const heading = this.wanted.heading.charAt(0).toUpperCase() + this.wanted.heading.slice(1);
    const found = this.found;
    const shown = found.slice(0, most);
    return html`<hearth-dialog .heading=${heading} @closed=${() => this.answer(undefined)}>
      <div class="content" @keydown=${(event: KeyboardEvent) => this.press(event)}>
        <input
          type="search"
          autofocus
          aria-label=${t("action.search")}
          placeholder=${t("action.search")}
          autocomplete="off"
          spellcheck="false"
          .value=${this.text}
          @input=${(event: InputEvent) => (this.text = (event.target as HTMLInputElement).value)}
        />
        <div class="list" tabindex="-1">
          ${this.groups(shown)}
          <p class="hint" role="status">
            ${found.length === 0 ? t("picker.none") : found.length > most ? t("picker.more", { count: found.length - most }) : nothing}
          </p>
        </div>
      </div>
      ${many
        ? html`<button
            slot="actions"
            type="button"
            class="primary"
            ?disabled=${this.chosen.length === 0 && this.wanted.chosen.length === 0}
            @click=${() => this.answer(this.chosen)}
          >
            ${this.chosen.length === 0 ? t("pick.none") : t("pick.done", { count: this.chosen.length })}
          </button>`
        : nothing}
    </hearth-dialog>`;
  }

  private groups(choices: Pickable[]): TemplateResult[] {
    const groups = new Map<string, Pickable[]>();
    for (const choice of choices) groups.set(choice.group ?? "", [...(groups.get(choice.group ?? "") ?? []), choice]);
    return [...groups].map(
      ([group, list]) =>
        html`${group ? html`<h3>${group}</h3>` : nothing}
          <ul>
            ${list.map((choice) => this.choice(choice))}
          </ul>`,
    );
  }

  private choice({ id, name, note, icon, iconName }: Pickable): TemplateResult {
    const isChosen = this.chosen.includes(id);
    return html`<li>
      <button type="button" class="plain" aria-pressed=${isChosen ? "true" : "false"} @click=${() => this.toggle(id)}>
        <hearth-icon .path=${icon ?? ""} .name=${iconName ?? ""}></hearth-icon>
        <span><span class="name">${name}</span>${note ? html`<small>${note}</small>` : nothing}</span>
        ${isChosen ? html`<hearth-icon .path=${mdiCheck}></hearth-icon>` : nothing}
      </button>
    </li>`;
  }
}

// Resolves to the ids that were chosen; undefined if the dialog was left.
export function pick(wanted: Wanted): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const element = document.createElement("hearth-pick") as Pick;
    element.wanted = wanted;
    element.answer = (chosen) => {
      element.remove();
      resolve(chosen);
    };
    document.body.append(element);
  });
}
