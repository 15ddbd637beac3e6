// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { t } from "../i18n/catalogue";
import { shared } from "../styles/shared";
import { Finder, type Findable } from "./fields/finder";
import "./icon";
import { loaded } from "./loaded";

// How many are drawn; to see others, the user types more.
const most = 48;

// Icons to pick from, those whose names contain the words of `text`. Fires `pick` with the name, "mdi:sofa".
@customElement("hearth-icon-grid")
export class IconGrid extends LitElement {
  @property() text = "";
  @state() private names: string[] | undefined;
  private finder: Finder<Findable> | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        margin-top: 0.4rem;
        padding: 0.4rem;
        border: 1px solid var(--border-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
      }

      div {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(2.75rem, 1fr));
        max-height: 11.5rem;
        overflow-y: auto;
      }

      button {
        display: grid;
        place-items: center;
        min-height: 2.75rem;
        padding: 0;
      }

      button[aria-pressed="true"] {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      p {
        padding: 0.3rem 0.5rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void loaded(() => import("virtual:icons/names")).then(({ default: names }) => (this.names = names));
  }

  private found(names: string[]): string[] {
    this.finder ??= new Finder(names.map((name) => ({ id: name, name })));
    return this.finder.find(this.text.replace(/^mdi:/, "").replaceAll("-", " ")).map(({ name }) => name);
  }

  override render() {
    if (!this.names) return html`<p class="hint">${t("icons.loading")}</p>`;
    const found = this.found(this.names);
    return html`<div role="group" aria-label=${t("icons.pick")}>
        ${found.slice(0, most).map(
          (name) =>
            html`<button
              type="button"
              class="plain"
              title=${name}
              aria-label=${name}
              aria-pressed=${this.text === `mdi:${name}` ? "true" : "false"}
              @click=${() => this.dispatchEvent(new CustomEvent("pick", { detail: `mdi:${name}` }))}
            >
              <hearth-icon .name=${`mdi:${name}`}></hearth-icon>
            </button>`,
        )}
      </div>
      ${found.length === 0 ? html`<p class="hint" role="status">${t("icons.none")}</p>` : nothing}
      ${found.length > most ? html`<p class="hint">${t("picker.more", { count: found.length - most })}</p>` : nothing}`;
  }
}
