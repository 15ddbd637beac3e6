// SPDX-License-Identifier: Apache-2.0
import { mdiArrowLeft } from "@mdi/js";
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { shared } from "../styles/shared";
import "./icon";

// Leads from the page of one thing to the list of all.
@customElement("hearth-back-link")
export class BackLink extends LitElement {
  @property() href = "";
  @property() label = "";

  static override styles = [
    shared,
    css`
      a {
        display: inline-flex;
        align-items: center;
        gap: 0.4rem;
        min-height: 2.75rem;
        text-decoration: none;
      }
    `,
  ];

  override render() {
    return html`<a href=${this.href}><hearth-icon .path=${mdiArrowLeft}></hearth-icon>${this.label}</a>`;
  }
}
