// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement } from "lit/decorators.js";

import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

@customElement("hearth-login")
export class Login extends LitElement {

  static override styles = [shared];

  override render() {
    return html`<h1>${t("page.login")}</h1>`;
  }
}
