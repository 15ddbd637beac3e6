// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import { isCommandError } from "../../api/errors";
import type { Home } from "../../api/home";
import { checkAccount, passwordHint } from "../../elements/account_rules";
import { FieldProblems, FormController, formStyles, type Values } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

@customElement("hearth-password-form")
export class PasswordForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save(values: Values): Promise<void> {
    const { current = "", password = "" } = values;
    checkAccount(values);
    try {
      await this.home.command("config/auth_provider/homeassistant/change_password", {
        current_password: current,
        new_password: password,
        revoke_tokens: values.revoke === "on",
      });
    } catch (error) {
      if (!isCommandError(error) || error.code !== "invalid_current_password") throw error;
      throw new FieldProblems({ current: t("profile.wrongPassword") });
    }
    this.form.reset();
    notifyDone(t("profile.passwordChanged"));
  }

  override render() {
    const { form } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
      <h2>${t("profile.changePassword")}</h2>
      ${form.password({ name: "current", label: t("profile.currentPassword"), autocomplete: "current-password", required: true })}
      ${form.password({
        name: "password",
        label: t("profile.newPassword"),
        hint: passwordHint(),
        autocomplete: "new-password",
        required: true,
      })}
      ${form.password({ name: "confirm", label: t("profile.confirmNewPassword"), autocomplete: "new-password", required: true })}
      ${form.checkbox({ name: "revoke", label: t("profile.revokeTokens"), hint: t("profile.revokeTokensHint"), checked: false })}
      ${form.failed()}
      <div>${form.button(t("profile.changePassword"), "")}</div>
    </form>`;
  }
}
