// SPDX-License-Identifier: Apache-2.0
import { mdiDelete } from "@mdi/js";
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { deleteCategory, namesOf, renameCategory, type Category } from "../../api/categories";
import { errorText } from "../../api/errors";
import type { Home } from "../../api/home";
import { confirm } from "../../elements/confirm";
import { t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { shared } from "../../styles/shared";
import "../../elements/dialog";
import "../../elements/icon";

// The categories that there are: renamed and deleted. Fires `closed`.
@customElement("hearth-category-dialog")
export class CategoryDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) categories: Category[] = [];
  @state() private failure = "";

  static override styles = [
    shared,
    css`
      ul {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem;
      }
    `,
  ];

  private async do(change: () => Promise<void>): Promise<void> {
    this.failure = "";
    try {
      await change();
    } catch (error) {
      this.failure = hubMessage(errorText(error));
    }
  }

  private async erase(name: string): Promise<void> {
    const words = { heading: t("areas.deleteHeading", { name }), text: t("categories.deleteText"), action: t("action.delete") };
    if (await confirm({ ...words, danger: true })) await this.do(() => deleteCategory(this.home, this.categories, name));
  }

  private renamed(name: string, field: HTMLInputElement): void {
    const next = field.value.trim();
    if (next === "") field.value = name;
    else if (next !== name) void this.do(() => renameCategory(this.home, this.categories, name, next));
  }

  override render() {
    const names = namesOf(this.categories);
    return html`<hearth-dialog .heading=${t("categories.categories")} @closed=${() => this.dispatchEvent(new CustomEvent("closed"))}>
      ${names.length === 0 ? html`<p class="hint">${t("categories.none")}</p>` : nothing}
      <ul>
        ${names.map(
          (name) =>
            html`<li>
              <input
                aria-label=${t("areas.editNamed", { name })}
                maxlength="255"
                autocomplete="off"
                .value=${name}
                @change=${(event: Event) => this.renamed(name, event.target as HTMLInputElement)}
              />
              <button
                type="button"
                class="plain round"
                aria-label=${t("areas.deleteNamed", { name })}
                title=${t("areas.deleteNamed", { name })}
                @click=${() => void this.erase(name)}
              >
                <hearth-icon .path=${mdiDelete}></hearth-icon>
              </button>
            </li>`,
        )}
      </ul>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
    </hearth-dialog>`;
  }
}
