// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { User } from "../../../api/types";
import { checkAccount, passwordHint } from "../../../elements/account_rules";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";

// A new password for somebody who has forgotten theirs. Fires `saved` or `closed`.
@customElement("hearth-user-password-dialog")
export class UserPasswordDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) user!: User;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save(values: Values): Promise<void> {
    checkAccount(values);
    await this.home.command("config/auth_provider/homeassistant/admin_change_password", {
      user_id: this.user.id,
      password: values.password,
      revoke_tokens: values.revoke === "on",
    });
    this.dispatchEvent(new CustomEvent("saved"));
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form } = this;
    return html`<hearth-dialog .heading=${t("users.setPasswordNamed", { name: this.user.name })} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.password({
          name: "password",
          label: t("profile.newPassword"),
          hint: passwordHint(),
          autocomplete: "new-password",
          required: true,
        })}
        ${form.password({ name: "confirm", label: t("profile.confirmNewPassword"), autocomplete: "new-password", required: true })}
        ${form.checkbox({ name: "revoke", label: t("users.revokeTokens"), hint: t("users.revokeTokensHint"), checked: false })}
        ${form.failed()} ${form.end(t("users.setPassword"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
