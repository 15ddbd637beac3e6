// SPDX-License-Identifier: Apache-2.0
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home } from "../../../api/home";
import { HomeController } from "../../../elements/controllers";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";

// The entities of a connection that belong to no device, such as a calendar. Each leads to its dialog, on the page that is open.
@customElement("hearth-entry-entities")
export class EntryEntities extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) ids: string[] = [];

  static override styles = [shared, rows];

  constructor() {
    super();
    new HomeController(this, "any", () => this.home);
  }

  override render() {
    return html`<ul>
      ${repeat(
        this.ids,
        (id) => id,
        (id) =>
          html`<li>
            <div><a href=${dialogOf(id)}>${this.home.nameOf(id)}</a></div>
          </li>`,
      )}
    </ul>`;
  }
}

function dialogOf(id: string): string {
  const parameters = new URLSearchParams(location.search);
  parameters.set("entity", id);
  return `?${parameters.toString()}`;
}
