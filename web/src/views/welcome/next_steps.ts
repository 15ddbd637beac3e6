// SPDX-License-Identifier: Apache-2.0
import { mdiAccountPlus, mdiCellphoneArrowDown, mdiChevronRight, mdiHomeRemoveOutline, mdiPowerPlug } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { removableDemo, type KnownIntegration } from "../../api/integrations";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/icon";
import "../../elements/remove_integration";

// The event that browsers fire which can install the pages as an app; it is in no standard library of types.
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

// The next things that a new home needs. Fires `leave` with the path of the page that the user wants to see.
@customElement("hearth-next-steps")
export class NextSteps extends LitElement {
  @property({ attribute: false }) home!: Home;
  // The demo home, if it can be removed here.
  @state() private demo: KnownIntegration | undefined;
  @state() private isRemoving = false;
  @state() private install: InstallEvent | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 0.8rem;
      }

      button.step,
      div.step {
        display: grid;
        grid-template-columns: auto 1fr auto;
        align-items: center;
        gap: 0.9rem;
        width: 100%;
        padding: 0.8rem 1rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
        text-align: start;
        font-weight: 400;
      }

      strong {
        display: block;
      }

      .icon {
        color: var(--accent);
      }

      .end {
        display: flex;
        justify-content: flex-end;
      }
    `,
  ];

  private onInstallable = (event: Event) => {
    event.preventDefault();
    this.install = event as InstallEvent;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("beforeinstallprompt", this.onInstallable);
    void removableDemo(this.home).then((demo) => (this.demo = demo));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("beforeinstallprompt", this.onInstallable);
  }

  private leave(path: string): void {
    this.dispatchEvent(new CustomEvent<string>("leave", { detail: path }));
  }

  private async installApp(): Promise<void> {
    const { install } = this;
    this.install = undefined; // it can ask once
    await install?.prompt();
  }

  override render() {
    return html`${this.step(mdiPowerPlug, t("welcome.devices"), t("welcome.devicesText"), () => this.leave("/settings/devices/add"))}
      ${this.demo ? this.step(mdiHomeRemoveOutline, t("welcome.demo"), t("welcome.demoText"), () => (this.isRemoving = true)) : nothing}
      ${this.step(mdiAccountPlus, t("welcome.invite"), t("welcome.inviteText"), () => this.leave("/settings/users"))}
      ${this.step(mdiCellphoneArrowDown, t("welcome.install"), t("welcome.installText"), this.install && (() => void this.installApp()))}
      ${this.demo && this.isRemoving
        ? html`<hearth-remove-integration
            .home=${this.home}
            integration="demo"
            .name=${t("integration.demo")}
            .place=${this.demo.place ?? ""}
            @removed=${() => (this.demo = undefined)}
            @closed=${() => (this.isRemoving = false)}
          ></hearth-remove-integration>`
        : nothing}
      <div class="end">
        <button type="button" class="primary" @click=${() => this.leave("/overview")}>${t("welcome.toOverview")}</button>
      </div>`;
  }

  // Without `go` it is only read.
  private step(icon: string, title: string, text: string, go: (() => void) | undefined): TemplateResult {
    const content = html`<hearth-icon class="icon" .path=${icon}></hearth-icon>
      <span><strong>${title}</strong><span class="hint">${text}</span></span>
      ${go ? html`<hearth-icon .path=${mdiChevronRight}></hearth-icon>` : nothing}`;
    return go ? html`<button type="button" class="step" @click=${go}>${content}</button>` : html`<div class="step">${content}</div>`;
  }
}
