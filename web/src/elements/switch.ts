// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { shared } from "../styles/shared";

// How long a switch shows the choice if nothing is reported, in milliseconds.
const patience = 3000;

// On or off. Shows the choice at once, then the reported value. Fires `toggle` with the wanted value as detail, and
// `unreported` if that was not reported.
@customElement("hearth-switch")
export class Switch extends LitElement {
  @property({ type: Boolean }) checked = false;
  @property({ type: Boolean }) disabled = false;
  // The accessible name.
  @property() label = "";
  @state() private chosen: boolean | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: inline-block;
      }

      button {
        position: relative;
        width: 3.25rem;
        min-height: 1.9rem;
        padding: 0;
        border: 2px solid var(--border-strong);
        border-radius: 999px;
        background: var(--surface-2);
        transition: background 120ms;
      }

      button::before {
        content: "";
        position: absolute;
        inset: -0.45rem;
      }

      span {
        position: absolute;
        top: 50%;
        left: 0.25rem;
        width: 1.15rem;
        height: 1.15rem;
        border-radius: 50%;
        background: var(--border-strong);
        translate: 0 -50%;
        transition: translate 120ms;
      }

      button[aria-checked="true"],
      button[aria-checked="true"]:hover:not(:disabled) {
        border-color: var(--accent);
        background: var(--accent);
      }

      button[aria-checked="true"] span {
        background: var(--accent-text);
        translate: 1.35rem -50%;
      }

      @media (prefers-reduced-motion: reduce) {
        button,
        span {
          transition: none;
        }
      }
    `,
  ];

  override willUpdate(changes: Map<string, unknown>): void {
    if (changes.has("checked")) this.chosen = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  // Drops the choice, after the hub refused it.
  reset(): void {
    this.chosen = undefined;
  }

  private giveUp(): void {
    const isOpen = this.chosen !== undefined && this.chosen !== this.checked;
    this.reset();
    if (isOpen) this.dispatchEvent(new CustomEvent("unreported", { bubbles: true, composed: true }));
  }

  private toggle(): void {
    const wanted = !(this.chosen ?? this.checked);
    this.chosen = wanted;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveUp(), patience);
    this.dispatchEvent(new CustomEvent<boolean>("toggle", { detail: wanted }));
  }

  override render() {
    const on = this.chosen ?? this.checked;
    return html`<button
      type="button"
      role="switch"
      aria-checked=${on ? "true" : "false"}
      aria-label=${this.label}
      ?disabled=${this.disabled}
      @click=${() => this.toggle()}
    >
      <span></span>
    </button>`;
  }
}
