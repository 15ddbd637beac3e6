// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { bridgeEntities, type BridgeEntity } from "../../../api/connections/bridges";
import type { Home } from "../../../api/home";
import { attempt } from "../../../elements/notify";
import { maybeT, t } from "../../../i18n/catalogue";
import { hubMessage } from "../../../i18n/hub_messages";
import { lined } from "../../../styles/lists";
import { shared } from "../../../styles/shared";

// As the hub names them, with the number that counts them.
const fates: readonly [why: string, count: string][] = [
  ["shadowed", "shadowed"],
  ["collision", "collisions"],
  ["moved", "moved"],
  ["excluded", "excluded"],
  ["disabled_there", "disabled"],
  ["disabled_here", "disabled"],
  ["mirrored_there", "mirrored_there"],
  ["left_out", "left_out"],
  ["invalid", "invalid"],
];
const mostShown = 200;

// The entities of another hub that do not come as they are there, and why.
@customElement("hearth-bridge-entities")
export class BridgeEntities extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) instance = "";
  @property({ attribute: false }) counts: Record<string, number> = {};
  @state() private why = "";
  @state() private entities: BridgeEntity[] = [];

  static override styles = [
    shared,
    lined,
    css`
      small {
        display: block;
        color: var(--text-2);
      }
    `,
  ];

  private async choose(why: string): Promise<void> {
    this.why = why;
    this.entities = [];
    if (why === "") return;
    const found = await bridgeEntities(this.home, this.instance, why);
    if (this.why === why) this.entities = found;
  }

  override render() {
    const offered = fates.filter(([, count]) => this.counts[count]);
    if (offered.length === 0) return nothing;
    const more = this.entities.length - mostShown;
    return html`<section class="card stack">
      <h2>${t("bridge.notMirrored")}</h2>
      <label>
        ${t("bridge.why")}
        <select @change=${(event: Event) => void attempt(() => this.choose((event.target as HTMLSelectElement).value))}>
          <option value="">${t("flow.choose")}</option>
          ${offered.map(([why]) => html`<option value=${why} ?selected=${why === this.why}>${maybeT(`bridge.why.${why}`) ?? why}</option>`)}
        </select>
      </label>
      ${this.why ? html`<p class="hint">${maybeT(`bridge.why.${this.why}.hint`)}</p>` : nothing}
      <ul>
        ${repeat(
          this.entities.slice(0, mostShown),
          ({ entity_id_there }) => entity_id_there,
          ({ entity_id, entity_id_there, detail }) =>
            html`<li>
              ${entity_id_there}${entity_id && entity_id !== entity_id_there ? html` → ${entity_id}` : nothing}
              ${detail ? html`<small>${hubMessage(detail)}</small>` : nothing}
            </li>`,
        )}
      </ul>
      ${more > 0 ? html`<p class="muted">${t("bridge.more", { count: more })}</p>` : nothing}
    </section>`;
  }
}
