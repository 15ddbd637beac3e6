// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { shared } from "../../styles/shared";
import "./event_form";
import "./event_list";

// The tab Events.
@customElement("hearth-developer-events")
export class DeveloperEvents extends LitElement {
  @property({ attribute: false }) home!: Home;

  static override styles = [
    shared,
    css`
      .both {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.2rem;
        align-items: start;
      }

      @media (min-width: 90rem) {
        .both {
          grid-template-columns: 26rem minmax(0, 1fr);
        }
      }
    `,
  ];

  override render() {
    const mayFire = this.home.user.is_admin;
    return html`<div class=${mayFire ? "both" : ""}>
      ${mayFire ? html`<hearth-event-form .home=${this.home}></hearth-event-form>` : nothing}
      <hearth-event-list .home=${this.home}></hearth-event-list>
    </div>`;
  }
}
