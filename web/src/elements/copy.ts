// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { copyText } from "./copy_text";
import { attempt, notifyDone } from "./notify";

// The button Copy. Calls `text` when it is pressed.
@customElement("hearth-copy")
export class Copy extends LitElement {
  @property({ attribute: false }) text: () => string = () => "";
  // The name of the copied text, for the accessible name.
  @property() what = "";

  static override styles = [
    shared,
    css`
      :host {
        display: inline-block;
      }

      button {
        min-height: 2.2rem;
        padding: 0.15rem 0.8rem;
        font-size: 0.9rem;
      }
    `,
  ];

  private async run(): Promise<void> {
    if (await attempt(() => copyText(this.text(), this.renderRoot))) notifyDone(t("action.copied"));
  }

  override render() {
    const name = this.what ? `${t("action.copy")}: ${this.what}` : t("action.copy");
    return html`<button type="button" aria-label=${name} @click=${() => void this.run()}>${t("action.copy")}</button>`;
  }
}
