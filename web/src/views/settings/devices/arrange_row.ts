// SPDX-License-Identifier: Apache-2.0
import { mdiEyeOffOutline, mdiEyeOutline } from "virtual:icons/lazy";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";

import { makerOf } from "../../../api/devices";
import type { Device } from "../../../api/types";
import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import "../../../elements/icon";
import { kindText } from "./device_kind";

export interface RowChange {
  room?: string;
  name?: string;
  hidden?: boolean;
}

// One device of the list that puts them into rooms. Fires `select-row` and `change-row`.
@customElement("hearth-arrange-row")
export class ArrangeRow extends LitElement {
  @property({ attribute: false }) device!: Device;
  @property({ attribute: false }) kind = "";
  @property({ attribute: false }) name = "";
  @property({ attribute: false }) room = "";
  // The ids and names of all that may be chosen.
  @property({ attribute: false }) rooms: [string, string][] = [];
  @property({ type: Boolean }) isGuess = false;
  @property({ type: Boolean }) isHidden = false;
  @property({ type: Boolean }) selected = false;
  @property({ attribute: false }) failure = "";

  static override styles = [
    shared,
    css`
      :host {
        container-type: inline-size;
      }

      .row {
        display: grid;
        grid-template-columns: auto minmax(0, 3fr) minmax(0, 2fr) auto;
        align-items: center;
        gap: 0.2rem 0.7rem;
        min-height: 4rem;
        padding: 0.35rem 0;
        border-bottom: 1px solid var(--border);
      }

      .tick {
        display: grid;
        place-items: center;
        width: 2.75rem;
        height: 2.75rem;
        margin-inline-start: -0.6rem;
      }

      .name {
        min-width: 0;
      }

      /* The name looks like one until it is written. */
      .name input {
        min-height: 2.2rem;
        padding: 0.15rem 0.5rem;
        border-color: transparent;
        background: transparent;
        font-weight: 600;
        text-overflow: ellipsis;
      }

      .name input:hover,
      .name input:focus {
        border-color: var(--border-strong);
        background: var(--surface);
      }

      .maker {
        padding-inline-start: 0.5rem;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .hidden .name,
      .hidden select {
        opacity: 0.6;
      }

      .room {
        min-width: 0;
      }

      .room.guess select {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      .error {
        grid-column: 2 / -1;
        color: var(--danger);
        font-size: 0.9rem;
      }

      @container (max-width: 32rem) {
        .row {
          grid-template-columns: auto minmax(0, 1fr) auto;
        }

        .room {
          grid-area: 2 / 2 / 3 / 4;
        }

        .error {
          grid-row: 3;
        }
      }
    `,
  ];

  private change(detail: RowChange): void {
    this.dispatchEvent(new CustomEvent("change-row", { detail }));
  }

  private tick(event: MouseEvent): void {
    const { checked } = event.target as HTMLInputElement;
    this.dispatchEvent(new CustomEvent("select-row", { detail: { isOn: checked, isRange: event.shiftKey } }));
  }

  override render() {
    const { name, isHidden } = this;
    const about = [kindText(this.kind), makerOf(this.device)].filter(Boolean).join(" · ");
    const label = t(isHidden ? "arrange.showNamed" : "arrange.hideNamed", { name });
    return html`<div class="row ${isHidden ? "hidden" : ""}">
      <label class="tick">
        <input
          type="checkbox"
          .checked=${this.selected}
          aria-label=${t("arrange.selectNamed", { name })}
          @click=${(event: MouseEvent) => this.tick(event)}
        />
      </label>
      <div class="name">
        <input
          maxlength="255"
          autocomplete="off"
          aria-label=${t("arrange.nameOf", { name: this.device.name ?? name })}
          .value=${name}
          title=${name}
          @change=${(event: Event) => this.change({ name: (event.target as HTMLInputElement).value })}
        />
        <div class="hint maker">${about}</div>
      </div>
      <div class="room ${this.isGuess ? "guess" : ""}">
        <select
          aria-label=${t(this.isGuess ? "arrange.guessFor" : "arrange.roomFor", { name })}
          @change=${(event: Event) => this.change({ room: (event.target as HTMLSelectElement).value })}
        >
          <option value="" .selected=${this.room === ""}>${t("entities.noArea")}</option>
          ${this.rooms.map(([id, text]) => html`<option value=${id} .selected=${id === this.room}>${text}</option>`)}
        </select>
      </div>
      <button
        type="button"
        class="plain round"
        aria-label=${label}
        title=${label}
        aria-pressed=${isHidden ? "true" : "false"}
        @click=${() => this.change({ hidden: !isHidden })}
      >
        <hearth-icon .path=${isHidden ? mdiEyeOffOutline : mdiEyeOutline}></hearth-icon>
      </button>
      ${this.failure ? html`<p class="error" role="alert">${this.failure}</p>` : nothing}
    </div>`;
  }
}
