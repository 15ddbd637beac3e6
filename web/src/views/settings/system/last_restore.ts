// SPDX-License-Identifier: Apache-2.0
import { LitElement, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import type { Restored } from "../../../api/types";
import { restoredText } from "../../../restored";
import { shared } from "../../../styles/shared";

// The backup that the home was last restored from, if there was one.
@customElement("hearth-last-restore")
export class LastRestore extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private last: Restored | null = null;

  static override styles = [shared];

  override firstUpdated(): void {
    void this.home.command<Restored | null>("hearth/last_restore").then(
      (last) => (this.last = last),
      () => undefined, // said nowhere else: the backups are there without it
    );
  }

  override render() {
    if (!this.last) return nothing;
    return html`<p class="notice" role="status">${restoredText(this.last, this.home.configuration.time_zone)}</p>`;
  }
}
