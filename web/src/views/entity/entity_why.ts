// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../api/errors";
import { explain, type Link } from "../../api/explanation";
import type { Home } from "../../api/home";
import { formatDateTime, hasWords, loadWords, t } from "../../i18n/catalogue";
import { linkWords } from "../../i18n/why_words";
import { base } from "../../router";
import { shared } from "../../styles/shared";

// Why an entity is as it is: from its last change back to the root, one sentence each.
@customElement("hearth-entity-why")
export class EntityWhy extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private chain: Link[] | undefined;
  @state() private problem = "";

  static override styles = [
    shared,
    css`
      ol {
        margin: 0;
        padding: 0 0 0 1.1rem;
        border-left: 2px solid var(--border);
        list-style: none;
      }

      li {
        position: relative;
        padding: 0.3rem 0;
        overflow-wrap: anywhere;
      }

      li::before {
        content: "";
        position: absolute;
        left: calc(-1.1rem - 5px);
        top: 0.75rem;
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--text-2);
      }

      time {
        display: block;
        color: var(--text-2);
        font-size: 0.85rem;
      }
    `,
  ];

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("entityId")) void this.ask();
  }

  private async ask(): Promise<void> {
    const id = this.entityId;
    this.chain = undefined;
    this.problem = "";
    try {
      const [chain] = await Promise.all([explain(this.home, id), hasWords("automations") ? undefined : loadWords("automations")]);
      if (id === this.entityId) this.chain = chain;
    } catch (error) {
      if (id === this.entityId) this.problem = errorText(error);
    }
  }

  private link(link: Link) {
    const words = linkWords(this.home, link);
    const item = link.automation ?? link.script;
    return html`<li>
      ${link.kind === "run" && item && link.run_id
        ? html`<a href="${base}/settings/automations/${item}?view=runs&amp;run=${encodeURIComponent(link.run_id)}">${words}</a>`
        : words}
      <time datetime=${link.at}>${formatDateTime(new Date(link.at), this.home.configuration.time_zone)}</time>
    </li>`;
  }

  override render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!this.chain) return nothing;
    return html`<ol aria-label=${t("entity.why")}>
      ${this.chain.map((link) => this.link(link))}
    </ol>`;
  }
}
