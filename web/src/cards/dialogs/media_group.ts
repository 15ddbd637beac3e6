// SPDX-License-Identifier: Apache-2.0
import { mdiSpeakerMultiple } from "virtual:icons/lazy";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Entity } from "../../api/types";
import { HomeController } from "../../elements/controllers";
import { t } from "../../i18n/catalogue";
import { WordsController } from "../../i18n/late_words";
import { shared } from "../../styles/shared";
import { textsIn } from "../attributes";
import "../../elements/icon";

const grouping = 524288;
const isReady = ({ state, attributes }: Entity) => state !== "unavailable" && (Number(attributes.supported_features) & grouping) !== 0;

// Which players play together. Fires `group` with the id of one that is to join or to leave.
@customElement("hearth-media-group")
export class MediaGroup extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entity!: Entity;
  @property({ type: Boolean }) disabled = false;

  static override styles = [
    shared,
    css`
      fieldset {
        display: grid;
        gap: 0.2rem;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      legend {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        padding: 0;
        color: var(--text-2);
        font-size: 0.92rem;
      }

      label {
        display: flex;
        align-items: center;
        gap: 0.7rem;
        min-height: 2.75rem;
        overflow-wrap: anywhere;
      }

      input {
        flex: none;
        width: 1.3rem;
        height: 1.3rem;
        accent-color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    new WordsController(this, "dialogs");
    new HomeController(this, "structure", () => this.home);
  }

  override render() {
    const { entity_id: own } = this.entity;
    const members = textsIn(this.entity, "group_members");
    const others = [...this.home.entities.values()].filter(
      (other) => other.entity_id.startsWith("media_player.") && other.entity_id !== own && isReady(other),
    );
    if (others.length === 0) return nothing;
    return html`<fieldset ?disabled=${this.disabled}>
      <legend><hearth-icon .path=${mdiSpeakerMultiple}></hearth-icon>${t("media.together")}</legend>
      ${others.map(
        ({ entity_id: id }) =>
          html`<label>
            <input
              type="checkbox"
              .checked=${members.includes(id)}
              @change=${(event: Event) =>
                this.dispatchEvent(new CustomEvent("group", { detail: { id, joins: (event.target as HTMLInputElement).checked } }))}
            />
            <span>${this.home.nameOf(id)}</span>
          </label>`,
      )}
    </fieldset>`;
  }
}
