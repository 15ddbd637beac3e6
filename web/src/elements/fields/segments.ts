// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { shared } from "../../styles/shared";

export interface Segment {
  id: string;
  name: string;
}

// One of a few, side by side. Fires `choose` with the id as detail; its owner then sets `chosen`.
@customElement("hearth-segments")
export class Segments extends LitElement {
  @property() label = "";
  @property({ attribute: false }) options: Segment[] = [];
  @property() chosen = "";

  static override styles = [
    shared,
    css`
      :host {
        display: inline-block;
        max-width: 100%;
      }

      @media print {
        :host {
          display: none;
        }
      }

      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15rem;
        margin: 0;
        padding: 0.2rem;
        border: 0;
        border-radius: var(--radius-small);
        background: var(--surface-2);
      }

      label {
        position: relative;
        cursor: pointer;
      }

      input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }

      span {
        display: flex;
        align-items: center;
        min-height: 2.3rem;
        padding: 0.15rem 0.85rem;
        border-radius: 8px;
        color: var(--text-2);
      }

      label:hover span {
        color: var(--text);
      }

      input:checked + span {
        background: var(--surface);
        box-shadow: var(--shadow);
        color: var(--text);
      }

      input:focus-visible + span {
        outline: 3px solid var(--accent);
      }
    `,
  ];

  private choose(event: Event, id: string): void {
    event.stopPropagation();
    this.dispatchEvent(new CustomEvent<string>("choose", { detail: id }));
  }

  // Shows `chosen` again, after its owner refused the choice.
  reset(): void {
    this.requestUpdate();
  }

  override render() {
    return html`<fieldset>
      <legend class="visually-hidden">${this.label}</legend>
      ${this.options.map(
        ({ id, name }) =>
          html`<label>
            <input
              type="radio"
              name="segment"
              value=${id}
              .checked=${live(id === this.chosen)}
              @change=${(event: Event) => this.choose(event, id)}
            /><span>${name}</span>
          </label>`,
      )}
    </fieldset>`;
  }
}
