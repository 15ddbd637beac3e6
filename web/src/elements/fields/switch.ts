// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { shared } from "../../styles/shared";
import { SettlingController } from "../settling";

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
  private readonly settling = new SettlingController<boolean>(this, patience, (chosen) => chosen === this.checked);

  static override styles = [
    shared,
    css`
      :host {
        display: inline-flex;
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

      @media (forced-colors: active) {
        span {
          background: ButtonText;
        }

        button[aria-checked="true"] {
          border-color: Highlight;
          background: Highlight;
          forced-color-adjust: none;
        }

        button[aria-checked="true"] span {
          background: HighlightText;
        }
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
    if (changes.has("checked")) this.reset();
  }

  // Drops the choice, after the hub refused it.
  reset(): void {
    this.settling.reset();
  }

  private toggle(): void {
    const wanted = !(this.settling.chosen ?? this.checked);
    this.settling.hold(wanted);
    this.settling.wait();
    this.dispatchEvent(new CustomEvent<boolean>("toggle", { detail: wanted }));
  }

  override render() {
    const on = this.settling.chosen ?? this.checked;
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
