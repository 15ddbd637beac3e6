// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { checkAccount } from "../../elements/account_rules";
import { HomeController } from "../../elements/controllers";
import { FormController, formStyles, type Values } from "../../elements/form";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

@customElement("hearth-name-form")
export class NameForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  private form = new FormController(this);

  static override styles = [shared, formStyles];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
  }

  private async save(values: Values): Promise<void> {
    const { display = "" } = values;
    checkAccount({ name: display });
    await this.home.command("auth/update_current_user", { name: display.trim() });
    await this.home.load();
    notifyDone(t("action.saved"));
  }

  override render() {
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.form.submit(event, (values) => this.save(values))}>
      <h2>${t("profile.you")}</h2>
      ${this.form.text({
        name: "display",
        label: t("profile.yourName"),
        hint: t("profile.yourNameHint"),
        value: this.home.user.name,
        autocomplete: "name",
        required: true,
        maxLength: 64,
      })}
      ${this.form.failed()}
      <div>${this.form.button(t("action.save"), "")}</div>
    </form>`;
  }
}
