// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { notifyDone, notifyProblem } from "./notify";

// Puts a text on the clipboard. Browsers keep `navigator.clipboard` from pages that came without TLS; a hub at home often does, so there
// is the older way, too.
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error(t("developer.copyRefused"));
}

// The button Copy. `text` is asked for when it is pressed.
@customElement("hearth-copy")
export class Copy extends LitElement {
  @property({ attribute: false }) text: () => string = () => "";
  // What is copied, for those who do not see what stands beside it.
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
    try {
      await copy(this.text());
      notifyDone(t("action.copied"));
    } catch (error) {
      notifyProblem(error);
    }
  }

  override render() {
    const name = this.what ? `${t("action.copy")}: ${this.what}` : t("action.copy");
    return html`<button type="button" aria-label=${name} @click=${() => void this.run()}>${t("action.copy")}</button>`;
  }
}
