// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

@customElement("hearth-profile")
export class Profile extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() tab = "";

  static override styles = [shared];

  override render() {
    return html`<h1>${t("page.profile")}</h1>`;
  }
}
