// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { blueprintName, readBlueprints, type Blueprint } from "../../api/blueprints";
import type { Home } from "../../api/home";
import { language, t } from "../../i18n/catalogue";
import { base } from "../../router";
import { rows } from "../../styles/lists";
import { shared } from "../../styles/shared";

// A start for a home without automations: the hub's own blueprints. Nothing for who may not list them.
@customElement("hearth-blueprint-offers")
export class BlueprintOffers extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private offered: Blueprint[] = [];

  static override styles = [
    shared,
    rows,
    css`
      a {
        font-weight: 600;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void Promise.resolve().then(() => this.load());
  }

  private async load(): Promise<void> {
    const { compare } = new Intl.Collator(language(), { numeric: true });
    const all = await readBlueprints(this.home, "automation").catch(() => []);
    this.offered = all.filter(({ builtIn }) => builtIn).sort((a, b) => compare(blueprintName(a), blueprintName(b)));
  }

  override render() {
    if (this.offered.length === 0) return nothing;
    return html`<p>${t("blueprints.beginWith")}</p>
      <ul>
        ${this.offered.map(
          (each) =>
            html`<li>
              <div>
                <a href="${base}/settings/automations/new-automation?blueprint=${encodeURIComponent(each.path)}">${blueprintName(each)}</a>
                <p class="hint">${each.metadata.description}</p>
              </div>
            </li>`,
        )}
      </ul>`;
  }
}
