// SPDX-License-Identifier: Apache-2.0
import { mdiFingerprint } from "@mdi/js";
import type { Auth } from "home-assistant-js-websocket";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import { RestError, errorText } from "../../api/errors";
import { LoginEnded, logIn, logInByPasskey, offersPasskeys, sendCode, type CodeStep, type LoginAnswer } from "../../api/session";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/front";
import "../../elements/icon";

// Fires `entered` with the session.
@customElement("hearth-login")
export class Login extends LitElement {
  // After the password, where a code is due.
  @state() private step: CodeStep | undefined;
  @state() private passkeys = false;
  // Why the login begins anew.
  @state() private ended = "";
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

      hearth-qr-code {
        justify-self: center;
        width: 100%;
        max-width: 15rem;
        margin: 0 auto;
      }

      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  override firstUpdated(): void {
    this.field("username")?.focus();
    void offersPasskeys().then(
      (offered) => (this.passkeys = offered),
      () => {}, // whoever logs in with a password is told what is wrong
    );
  }

  private field(name: string): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>(`#${name}`);
  }

  private async go(answer: LoginAnswer, field: string, wrong: string): Promise<void> {
    if (answer === "wrong") {
      this.field(field)?.select();
      throw new FieldProblems({ [field]: wrong });
    }
    if (!("flow" in answer)) {
      this.dispatchEvent(new CustomEvent<Auth>("entered", { detail: answer }));
      return;
    }
    if (answer.setUp) await import("../../elements/qr_code");
    this.step = answer;
    await this.updateComplete;
    this.field("code")?.focus();
  }

  private async logIn({ username, password }: Values): Promise<void> {
    this.ended = "";
    await this.go(await logIn((username ?? "").trim(), password ?? ""), "password", t("login.wrong"));
  }

  private async usePasskey(): Promise<void> {
    this.ended = "";
    this.form.clear();
    try {
      const answer = await logInByPasskey();
      if (answer === "wrong") this.ended = t("login.wrongPasskey");
      else this.dispatchEvent(new CustomEvent<Auth>("entered", { detail: answer }));
    } catch (error) {
      // A person who ends it needs no words.
      if (!(error instanceof DOMException)) this.ended = errorText(error);
    }
  }

  private async sendCode(step: CodeStep, { code }: Values): Promise<void> {
    try {
      await this.go(await sendCode(step, (code ?? "").trim()), "code", t("login.wrongCode"));
    } catch (error) {
      const late = error instanceof RestError && (error.status === 404 || error.status === 400);
      if (!late && !(error instanceof LoginEnded)) throw error;
      this.ended = t(late ? "login.late" : "login.tooManyCodes");
      this.step = undefined;
    }
  }

  override render() {
    return html`<hearth-front>
      <h1>${t("page.login")}</h1>
      ${this.step ? this.codeForm(this.step) : this.passwordForm()}
    </hearth-front>`;
  }

  private passwordForm(): TemplateResult {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.logIn(values))}>
      ${this.ended ? html`<p class="problem" role="alert">${this.ended}</p>` : nothing} ${form.failed()}
      ${form.text({ name: "username", label: t("account.username"), autocomplete: "username", required: true })}
      ${form.password({ name: "password", label: t("account.password"), autocomplete: "current-password", required: true })}
      ${form.button(t("login.submit"))}
      ${this.passkeys
        ? html`<button type="button" class="passkey" @click=${() => void this.usePasskey()}>
            <hearth-icon .path=${mdiFingerprint}></hearth-icon>${t("login.byPasskey")}
          </button>`
        : nothing}
    </form>`;
  }

  private codeForm(step: CodeStep): TemplateResult {
    const { form } = this;
    const { setUp } = step;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.sendCode(step, values))}>
      ${setUp
        ? html`<p>${t("factor.demanded")}</p>
            <hearth-qr-code .text=${setUp.url} .label=${t("factor.qr")}></hearth-qr-code>
            <p class="muted">${t("factor.key")} <code>${setUp.code}</code></p>`
        : html`<p>${t("login.askCode")}</p>`}
      ${form.failed()} ${form.text({ name: "code", label: t("login.code"), autocomplete: "one-time-code", required: true, mono: true })}
      ${form.button(t("login.submit"))}
    </form>`;
  }
}
