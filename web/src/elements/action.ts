// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { shared } from "../styles/shared";
import { attempt } from "./notify";

// A button for something that takes time: it shows progress, cannot be pressed twice, and says what went wrong.
@customElement("hearth-action")
export class Action extends LitElement {
  @property() label = "";
  // The accessible name, if the label says too little.
  @property() name = "";
  // "primary", "danger", "plain"
  @property() look = "";
  @property({ type: Boolean }) disabled = false;
  @property({ attribute: false }) run: () => Promise<unknown> = async () => undefined;
  @state() private busy = false;

  static override styles = [
    shared,
    css`
      :host {
        display: inline-block;
      }
    `,
  ];

  override focus(): void {
    this.renderRoot.querySelector("button")?.focus();
  }

  // Also for a form's submit event.
  async start(): Promise<void> {
    if (this.busy || this.disabled) return;
    this.busy = true;
    await attempt(this.run);
    this.busy = false;
  }

  override render() {
    return html`<button
      type="button"
      class=${this.look}
      ?disabled=${this.disabled}
      aria-label=${this.name || nothing}
      aria-busy=${this.busy ? "true" : "false"}
      @click=${() => void this.start()}
    >
      ${this.busy ? html`<i class="spinner"></i>` : nothing}${this.label}
    </button>`;
  }
}
