// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText, isCommandError } from "../../api/errors";
import type { Home } from "../../api/home";
import { copyText } from "../../elements/copy_text";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { attempt, notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";
import "../../elements/loading";
import "../../elements/qr_code";

interface Status {
  totp: boolean;
  recovery_codes: number;
}

// The changes that the form is open for; each begins with the password.
type Change = "set_up" | "remove" | "codes";

interface Setup {
  flow_id: string;
  errors: Record<string, string>;
  description_placeholders: { code: string; url: string };
}

// The user's own authenticator app and recovery codes.
@customElement("hearth-second-factor")
export class SecondFactor extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private status: Status | undefined;
  @state() private failure: unknown;
  @state() private change: Change | undefined;
  @state() private setup: Setup | undefined;
  // New ones, which the hub does not know any more.
  @state() private codes: string[] = [];
  private form = new FormController(this);

  static override styles = [
    shared,
    formStyles,
    css`
      form,
      .codes {
        padding: 1rem;
        border: 1px solid var(--border);
        border-radius: var(--radius-small);
      }

      .codes {
        border-color: var(--active-border);
        background: var(--active);
      }

      hearth-qr-code {
        width: 100%;
        max-width: 15rem;
      }

      code {
        overflow-wrap: anywhere;
      }

      .codes ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
        gap: 0.4rem 1rem;
        margin: 0.7rem 0;
        padding: 0;
        list-style: none;
      }
    `,
  ];

  override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.status = await this.home.command<Status>("auth/second_factor");
    } catch (error) {
      this.failure = error;
    }
  }

  private async open(change: Change | undefined): Promise<void> {
    this.form.clear();
    this.setup = undefined;
    this.change = change;
    if (!change) return;
    this.codes = [];
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#current")?.focus();
  }

  private async ask<T>(type: string, fields: Record<string, unknown>, password: string): Promise<T> {
    try {
      return await this.home.command<T>(type, { ...fields, current_password: password });
    } catch (error) {
      if (!isCommandError(error) || error.code !== "invalid_current_password") throw error;
      throw new FieldProblems({ current: t("profile.wrongPassword") });
    }
  }

  private async confirm({ current = "" }: Values): Promise<void> {
    if (this.change === "set_up") {
      this.setup = await this.ask<Setup>("auth/setup_mfa", { mfa_module_id: "totp" }, current);
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("#code")?.focus();
      return;
    }
    if (this.change === "codes") {
      this.codes = (await this.ask<{ recovery_codes: string[] }>("auth/recovery_codes", {}, current)).recovery_codes;
    } else {
      await this.ask("auth/depose_mfa", { mfa_module_id: "totp" }, current);
      notifyDone(t("factor.removed"));
    }
    await this.done();
  }

  private async finish(setup: Setup, { code = "" }: Values): Promise<void> {
    const answer = await this.home.command<{ type: string; recovery_codes?: string[] }>("auth/setup_mfa", {
      flow_id: setup.flow_id,
      user_input: { code: code.trim() },
    });
    if (answer.type !== "create_entry") throw new FieldProblems({ code: t("login.wrongCode") });
    this.codes = answer.recovery_codes ?? [];
    await this.done();
  }

  private async done(): Promise<void> {
    await this.open(undefined);
    await this.load();
  }

  private async copy(): Promise<void> {
    if (await attempt(() => copyText(this.codes.join("\n"), this.renderRoot))) notifyDone(t("action.copied"));
  }

  override render() {
    return html`<div class="stack">
      <h2>${t("factor.heading")}</h2>
      ${this.failure !== undefined
        ? html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.load()}></hearth-loading>`
        : this.status
          ? this.body(this.status)
          : html`<hearth-loading></hearth-loading>`}
    </div>`;
  }

  private body({ totp, recovery_codes }: Status): TemplateResult {
    return html`<p class="muted">${t(totp ? "factor.on" : "factor.off")}</p>
      ${totp ? html`<p>${t("factor.codesLeft", { count: recovery_codes })}</p>` : nothing}
      ${this.codes.length > 0 ? this.newCodes() : nothing}
      ${this.change ? (this.setup ? this.codeForm(this.setup) : this.passwordForm(this.change)) : this.buttons(totp)}`;
  }

  private buttons(totp: boolean): TemplateResult {
    const button = (change: Change, label: string, look = "") =>
      html`<button type="button" class=${look} @click=${() => void this.open(change)}>${label}</button>`;
    return html`<div class="row">
      ${totp
        ? html`${button("codes", t("factor.renewCodes"))} ${button("set_up", t("factor.otherApp"))}
          ${button("remove", t("factor.remove"), "danger")}`
        : button("set_up", t("factor.setUp"))}
    </div>`;
  }

  private passwordForm(change: Change): TemplateResult {
    const { form } = this;
    const labels = { set_up: t("factor.goOn"), remove: t("factor.remove"), codes: t("factor.renewCodes") };
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.confirm(values))}>
      ${form.password({ name: "current", label: t("profile.currentPassword"), autocomplete: "current-password", required: true })}
      ${form.failed()} ${form.end(labels[change], () => void this.open(undefined), change === "remove" ? "danger" : "primary")}
    </form>`;
  }

  private codeForm(setup: Setup): TemplateResult {
    const { form } = this;
    const { code, url } = setup.description_placeholders;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.finish(setup, values))}>
      <p>${t("factor.scan")}</p>
      <hearth-qr-code .text=${url} .label=${t("factor.qr")}></hearth-qr-code>
      <p class="muted">${t("factor.key")} <code>${code}</code></p>
      ${form.text({ name: "code", label: t("login.code"), autocomplete: "one-time-code", required: true, mono: true })} ${form.failed()}
      ${form.end(t("factor.setUp"), () => void this.open(undefined))}
    </form>`;
  }

  private newCodes(): TemplateResult {
    return html`<div class="codes" role="status">
      <p>${t("factor.newCodes")}</p>
      <ul>
        ${this.codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <div class="row">
        <button type="button" class="primary" @click=${() => void this.copy()}>${t("action.copy")}</button>
        <button type="button" @click=${() => (this.codes = [])}>${t("factor.kept")}</button>
      </div>
    </div>`;
  }
}
