// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { causeOfEntry, logbook, type Entry } from "../../api/cause";
import { errorText } from "../../api/errors";
import type { Home, Unsubscribe } from "../../api/home";
import type { Entity } from "../../api/types";
import { stateText } from "../../cards/state_text";
import { EntityController } from "../../elements/controllers";
import { formatDateTime, t } from "../../i18n/catalogue";
import { shared } from "../../styles/shared";

// The span that is looked at, in seconds; how many entries are shown at first, and at all, the newest.
const span = 24 * 3600;
const few = 5;
const most = 50;
// A lively entity is asked about this often. Milliseconds.
const pace = 1000;

// The changes of an entity in the last day, and the person or thing behind them, the latest first.
@customElement("hearth-entity-log")
export class EntityLog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private entries: (Entry & { cause: string | undefined })[] = [];
  @state() private whole = false;
  @state() private problem = "";
  private asked: Entity | undefined;
  private asking: ReturnType<typeof setTimeout> | undefined;
  private stop: Unsubscribe | undefined;

  static override styles = [
    shared,
    css`
      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.8rem;
        padding: 0.4rem 0;
        border-bottom: 1px solid var(--border);
        font-size: 0.95rem;
        overflow-wrap: anywhere;
      }

      li:last-child {
        border-bottom: 0;
      }

      button {
        margin-top: 0.4rem;
      }

      strong {
        flex: 1 1 8rem;
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.home.on("connection", () => this.home.connectionState === "connected" && this.askSoon(0));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    clearTimeout(this.asking);
    this.asking = this.asked = undefined;
  }

  override willUpdate(): void {
    const entity = this.home.entity(this.entityId);
    if (!entity || (entity.entity_id === this.asked?.entity_id && entity.last_changed === this.asked.last_changed)) return;
    const isOther = entity.entity_id !== this.asked?.entity_id;
    if (isOther) this.entries = [];
    this.asked = entity;
    this.askSoon(isOther ? 0 : pace);
  }

  private askSoon(wait: number): void {
    this.asking ??= setTimeout(() => {
      this.asking = undefined;
      void this.ask();
    }, wait);
  }

  private async ask(): Promise<void> {
    const id = this.entityId;
    const now = Date.now() / 1000;
    try {
      const entries = (await logbook(this.home, id, now - span, now + 60)).slice(-most).reverse();
      const causes = await Promise.all(entries.map((entry) => causeOfEntry(this.home, entry)));
      if (id !== this.entityId) return;
      this.entries = entries.map((entry, index) => ({ ...entry, cause: causes[index] }));
      this.problem = "";
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  override render() {
    const entity = this.home.entity(this.entityId);
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!entity) return nothing;
    if (this.entries.length === 0) return html`<p class="muted">${t("entity.nothingHappened")}</p>`;
    const zone = this.home.configuration.time_zone;
    return html`<ol>
        ${this.entries.slice(0, this.whole ? most : few).map(
          ({ when, state, message, cause }) =>
            html`<li>
              <strong>${state === undefined ? message : stateText(this.home, entity, state)}</strong>
              ${cause ? html`<span>${cause}</span>` : nothing}
              <span class="muted">${formatDateTime(new Date(when * 1000), zone)}</span>
            </li>`,
        )}
      </ol>
      ${this.entries.length > few && !this.whole
        ? html`<button type="button" @click=${() => (this.whole = true)}>${t("entity.showMore")}</button>`
        : nothing}`;
  }
}
