// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";

import { t } from "../../../i18n/catalogue";
import { shared } from "../../../styles/shared";
import { objectIdField, type NewId } from "../fields/new_id";
import type { Editing } from "./editing";

const modes = ["single", "restart", "queued", "parallel"] as const;
const shown = ["id", "alias", "description", "triggers", "conditions", "actions", "sequence", "mode", "max"];

// Settings of the whole item: its description, and its way when it is begun while it runs.
@customElement("hearth-mode-fields")
export class ModeFields extends LitElement {
  @property({ attribute: false }) editing!: Editing;
  @property() kind: "automation" | "script" = "automation";
  @property({ attribute: false }) newId: NewId | undefined;

  static override styles = [
    shared,
    css`
      details > div {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        align-items: end;
        gap: 1rem;
        padding-top: 0.8rem;
      }

      summary {
        min-height: 2.4rem;
        padding: 0.4rem 0;
        font-weight: 600;
        cursor: pointer;
      }

      p {
        grid-column: 1 / -1;
      }
    `,
  ];

  private change(key: string, value: unknown): void {
    this.editing.change([key], value);
  }

  override render() {
    const { item, fixed } = this.editing;
    const { description, mode = "single", max } = item;
    const isScript = this.kind === "script";
    const others = Object.keys(item).filter((key) => !shown.includes(key) && !(isScript && key === "fields"));
    const isLimited = mode === "queued" || mode === "parallel";
    return html`<details>
      <summary>${t("sentences.more")}</summary>
      <div>
        <label
          >${t("sentences.description")}
          <input
            autocomplete="off"
            ?disabled=${fixed}
            .value=${live(typeof description === "string" ? description : "")}
            @input=${(event: InputEvent) => this.change("description", (event.target as HTMLInputElement).value || undefined)}
        /></label>
        <label
          >${t("sentences.mode")}
          <select ?disabled=${fixed} @change=${(event: Event) => this.change("mode", (event.target as HTMLSelectElement).value)}>
            ${modes.map((one) => html`<option value=${one} .selected=${one === mode}>${t(`sentences.mode.${one}`)}</option>`)}
          </select></label
        >
        ${isLimited
          ? html`<label
              >${t("sentences.max")}
              <input
                type="number"
                min="2"
                step="1"
                ?disabled=${fixed}
                .value=${String(max ?? 10)}
                @input=${(event: InputEvent) => this.change("max", Number((event.target as HTMLInputElement).value) || undefined)}
            /></label>`
          : nothing}
        ${this.newId ? objectIdField(this.newId) : nothing}
        ${others.length > 0 ? html`<p class="hint">${t("sentences.others", { keys: others.join(", ") })}</p>` : nothing}
      </div>
    </details>`;
  }
}
