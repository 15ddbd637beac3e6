// SPDX-License-Identifier: Apache-2.0
import { mdiBellRing } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { idsOf } from "../api/alerts";
import type { Home, Unsubscribe } from "../api/home";
import { t } from "../i18n/catalogue";
import { base } from "../router";
import { shared } from "../styles/shared";
import "./icon";

// Says on every page which alarm was set off, and links to it.
@customElement("hearth-alarm-banner")
export class AlarmBanner extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private triggered = "";
  private stop: Unsubscribe | undefined;

  static override styles = [
    shared,
    css`
      a {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: 0.6rem;
        padding: 0.9rem 1rem;
        background: var(--danger);
        color: var(--danger-text);
        font-size: 1.15rem;
        font-weight: 650;
        overflow-wrap: anywhere;
      }

      a:focus-visible {
        outline-offset: -5px;
        outline-color: currentcolor;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.home.on("alerts", () => this.look());
    this.look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  private look(): void {
    this.triggered = idsOf(this.home.alerts.values(), "alarm").join(" ");
  }

  override render() {
    const ids = this.triggered.split(" ").filter(Boolean);
    if (ids.length === 0) return nothing;
    return html`<div role="alert">
      ${ids.map(
        (id) =>
          html`<a href="${base}/overview?entity=${encodeURIComponent(id)}">
            <hearth-icon .path=${mdiBellRing}></hearth-icon><span>${t("alarm.triggered", { name: this.home.nameOf(id) })}</span>
          </a>`,
      )}
    </div>`;
  }
}
