// SPDX-License-Identifier: Apache-2.0
import { mdiLogout, mdiTools } from "@mdi/js";
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import type { RefreshToken } from "../../api/types";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/icon";
import "../../elements/loading";
import "./messages_form";
import "./name_form";
import "./own_attempts";
import "./passkeys";
import "./password_form";
import "./preferences_form";
import "./second_factor";
import "./sessions";
import "./tokens";

// Fires `log-out` and `language-changed`.
@customElement("hearth-profile")
export class Profile extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private tokens: RefreshToken[] | undefined;
  @state() private failure: unknown;

  static override styles = [
    shared,
    css`
      :host {
        max-width: 72rem;
        margin: 0 auto;
      }

      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      .warning {
        border-color: var(--warning);
        border-inline-start-width: 4px;
      }

      .wide {
        grid-column: 1 / -1;
        min-width: 0;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.tokens = await this.home.command<RefreshToken[]>("auth/refresh_tokens");
    } catch (error) {
      this.failure = error;
    }
  }

  private pass(event: Event): void {
    this.dispatchEvent(new CustomEvent(event.type));
  }

  override render() {
    const { user } = this.home;
    return html`<div class="stack">
      <div class="spread">
        <div class="row">
          <h1>${t("page.profile")}</h1>
          ${user.is_admin ? html`<span class="badge accent">${t("profile.administrator")}</span>` : ""}
        </div>
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("log-out"))}>
          <hearth-icon .path=${mdiLogout}></hearth-icon>${t("nav.logOut")}
        </button>
      </div>
      <hearth-own-attempts class="card warning" hidden .home=${this.home}></hearth-own-attempts>
      <div class="cards">
        <div class="stack">
          <hearth-name-form class="card" .home=${this.home}></hearth-name-form>
          <hearth-preferences-form
            class="card"
            .home=${this.home}
            @language-changed=${(event: Event) => this.pass(event)}
          ></hearth-preferences-form>
          <hearth-second-factor class="card" .home=${this.home}></hearth-second-factor>
          <hearth-passkeys class="card" .home=${this.home}></hearth-passkeys>
        </div>
        <div class="stack">
          <hearth-password-form class="card" .home=${this.home}></hearth-password-form>
          <hearth-messages-form class="card" .home=${this.home}></hearth-messages-form>
        </div>
        ${this.secrets()}
        <section class="card wide spread">
          <div>
            <h2>${t("page.developer")}</h2>
            <p class="muted">${t("profile.developerText")}</p>
          </div>
          <a class="button" href="${base}/developer-tools"><hearth-icon .path=${mdiTools}></hearth-icon>${t("page.developer")}</a>
        </section>
      </div>
    </div>`;
  }

  private secrets(): TemplateResult {
    if (this.failure !== undefined) {
      return html`<hearth-loading class="wide" .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`;
    }
    if (!this.tokens) return html`<hearth-loading class="wide"></hearth-loading>`;
    return html`<hearth-tokens
        class="card wide"
        .home=${this.home}
        .tokens=${this.tokens.filter((token) => token.type === "long_lived_access_token")}
        @changed=${() => void this.load()}
      ></hearth-tokens>
      <hearth-sessions
        class="card wide"
        .home=${this.home}
        .sessions=${this.tokens.filter((token) => token.type === "normal")}
        @changed=${() => void this.load()}
        @log-out=${(event: Event) => this.pass(event)}
      ></hearth-sessions>`;
  }
}
