// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { notifyDone } from "../../elements/notify";
import { t } from "../../i18n/catalogue";
import { base, navigate } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/back_link";
import "../../elements/room_choices";

// The rooms and floors of a home, to be ticked in a list.
@customElement("hearth-rooms")
export class Rooms extends LitElement {
  @property({ attribute: false }) home!: Home;

  static override styles = [shared];

  private done(): void {
    notifyDone(t("action.saved"));
    navigate(`${base}/settings/areas`);
  }

  override render() {
    return html`<div class="card stack">
      <hearth-back-link href="${base}/settings/areas" label=${t("rooms.back")}></hearth-back-link>
      <h2>${t("rooms.heading")}</h2>
      <p class="hint">${t("rooms.hint")}</p>
      <hearth-room-choices .home=${this.home} @saved=${() => this.done()}></hearth-room-choices>
    </div>`;
  }
}
