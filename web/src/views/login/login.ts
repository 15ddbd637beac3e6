// SPDX-License-Identifier: Apache-2.0
import type { Auth } from "home-assistant-js-websocket";
import { LitElement, css, html } from "lit";
import { customElement } from "lit/decorators.js";

import { logIn } from "../../api/session";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/front";

// Fires `entered` with the session.
@customElement("hearth-login")
export class Login extends LitElement {
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      h1 {
        margin-bottom: 1.2rem;
        text-align: center;
      }

      form button[type="submit"] {
        margin-top: 0.4rem;
      }
    `,
  ];

  override firstUpdated(): void {
    this.field("username")?.focus();
  }

  private field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>(`#${name}`);
  }

  private async logIn({ username, password }: Values): Promise<void> {
    const session = await logIn((username ?? "").trim(), password ?? "");
    if (session) {
      this.dispatchEvent(new CustomEvent<Auth>("entered", { detail: session }));
      return;
    }
    this.field("password")?.select();
    throw new FieldProblems({ password: t("login.wrong") });
  }

  override render() {
    return html`<hearth-front>
      <h1>${t("page.login")}</h1>
      <form novalidate @submit=${(event: SubmitEvent) => this.form.submit(event, (values) => this.logIn(values))}>
        ${this.form.failed()}
        ${this.form.text({ name: "username", label: t("account.username"), autocomplete: "username", required: true })}
        ${this.form.password({ name: "password", label: t("account.password"), autocomplete: "current-password", required: true })}
        ${this.form.button(t("login.submit"))}
      </form>
    </hearth-front>`;
  }
}
