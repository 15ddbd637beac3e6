// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { EntityController } from "../../elements/controllers";
import { shared } from "../../styles/shared";
import "../../elements/dialog";

// Fires `closed`.
@customElement("hearth-entity-dialog")
export class EntityDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";

  static override styles = [shared];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  override render() {
    return html`<hearth-dialog
      .heading=${this.home.nameOf(this.entityId)}
      @closed=${() => this.dispatchEvent(new CustomEvent("closed"))}
    ></hearth-dialog>`;
  }
}
