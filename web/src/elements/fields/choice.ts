// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { shared } from "../../styles/shared";

export interface Option {
  value: string;
  text: string;
}

// One of several. Shows the reported `value`, or nothing if it is not an option. Fires `choose` with the wanted value
// as detail.
@customElement("hearth-choice")
export class Choice extends LitElement {
  @property() value = "";
  @property({ attribute: false }) options: Option[] = [];
  @property({ type: Boolean }) disabled = false;
  // The accessible name, and the visible text before the list, or above it.
  @property() label = "";
  @property() caption = "";
  @property({ type: Boolean, reflect: true }) stacked = false;

  static override styles = [
    shared,
    css`
      div {
        display: flex;
        align-items: center;
        gap: 0.6rem;
      }

      :host([stacked]) div {
        flex-direction: column;
        align-items: stretch;
        gap: 0.2rem;
      }

      span {
        flex: none;
        color: var(--text-2);
        font-size: 0.88rem;
      }

      select {
        flex: 1;
        min-width: 0;
        min-height: 2.75rem;
        text-overflow: ellipsis;
      }
    `,
  ];

  override updated(): void {
    this.reset();
  }

  // Drops the choice, after the hub refused it.
  reset(): void {
    const select = this.renderRoot.querySelector("select");
    if (select) select.value = this.options.some(({ value }) => value === this.value) ? this.value : "";
  }

  private choose(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    this.dispatchEvent(new CustomEvent<string>("choose", { detail: value }));
  }

  override render() {
    return html`<div>
      ${this.caption ? html`<span aria-hidden="true">${this.caption}</span>` : nothing}
      <select aria-label=${this.label} ?disabled=${this.disabled} @change=${(event: Event) => this.choose(event)}>
        <option value="" disabled hidden>–</option>
        ${this.options.map(({ value, text }) => html`<option value=${value}>${text}</option>`)}
      </select>
    </div>`;
  }
}
