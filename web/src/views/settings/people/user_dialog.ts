// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { User } from "../../../api/types";
import { checkAccount, passwordHint } from "../../../elements/account_rules";
import { confirm } from "../../../elements/confirm";
import { FormController, formStyles, type Values } from "../../../elements/form";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/dialog";
import { groups, roleOf, roles, type Role } from "./roles";

// Adds a user or, with `user`, changes one. Fires `saved` or `closed`.
@customElement("hearth-user-dialog")
export class UserDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) user: User | undefined;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  private async save(values: Values): Promise<void> {
    checkAccount(values);
    const { name = "", username = "", password = "", role = "user" } = values;
    const self = this.user !== undefined && this.user.id === this.home.user.id;
    if (self && role !== "administrator" && !(await this.stepDown())) return;
    const changes = { name: name.trim(), group_ids: [groups[role as Role]] };
    if (this.user) await this.home.command("config/auth/update", { user_id: this.user.id, ...changes });
    else await this.home.command("config/auth/create", { ...changes, username: username.trim(), password });
    if (self) await this.home.load();
    this.dispatchEvent(new CustomEvent("saved"));
  }

  private stepDown(): Promise<boolean> {
    return confirm({ heading: t("users.stepDownHeading"), text: t("users.stepDownText"), action: t("users.stepDown"), danger: true });
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  override render() {
    const { form, user } = this;
    return html`<hearth-dialog .heading=${user ? t("users.editNamed", { name: user.name }) : t("users.add")} @closed=${() => this.leave()}>
      <form novalidate @submit=${(event: SubmitEvent) => form.submit(event, (values) => this.save(values))}>
        ${form.text({ name: "name", label: t("account.name"), value: user?.name ?? "", required: true })}
        ${user
          ? nothing
          : html`${form.text({ name: "username", label: t("account.username"), hint: t("users.usernameHint"), required: true })}
            ${form.password({
              name: "password",
              label: t("account.password"),
              hint: passwordHint(),
              autocomplete: "new-password",
              required: true,
            })}
            ${form.password({ name: "confirm", label: t("account.confirmPassword"), autocomplete: "new-password", required: true })}`}
        ${form.select({
          name: "role",
          label: t("users.role"),
          value: user ? roleOf(user) : "user",
          options: roles.map((role) => [role, t(`users.role.${role}`)]),
          hint: t("users.roleHint"),
        })}
        ${form.failed()} ${form.end(user ? t("action.save") : t("users.add"), () => this.leave())}
      </form>
    </hearth-dialog>`;
  }
}
