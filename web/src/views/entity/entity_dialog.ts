// SPDX-License-Identifier: Apache-2.0
import { mdiStar, mdiStarOutline } from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { causeOf } from "../../api/cause";
import type { Home } from "../../api/home";
import { withFavorite } from "../../api/layout";
import { measures } from "../../api/samples";
import { isReserved, type Entity } from "../../api/types";
import { cardOf } from "../../cards/card_of";
import { EntityController, HomeController } from "../../elements/controllers";
import { copyText } from "../../elements/copy_text";
import { attempt, notifyDone } from "../../elements/notify";
import { formatDateTime, formatRelative, t } from "../../i18n/catalogue";
import { WordsController } from "../../i18n/late_words";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../cards/dialogs/all";
import "../../elements/dialog";
import "../../elements/icon";
import "../../elements/picture";
import "./attribute_table";
import "./entity_history";
import "./entity_log";

// How often "2 minutes ago" is told anew, in milliseconds.
const pace = 10_000;

// All about one entity. Fires `closed`.
@customElement("hearth-entity-dialog")
export class EntityDialog extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entityId = "";
  @state() private cause = "";
  // True if the whole chain is told, too.
  @state() private why = false;
  // Of which state `cause` tells.
  private explained: Entity | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private stop: (() => void) | undefined;

  static override styles = [
    shared,
    css`
      h3 {
        margin: 1.5rem 0 0.5rem;
      }

      dl {
        display: grid;
        grid-template-columns: minmax(6.5rem, auto) minmax(0, 1fr);
        gap: 0.35rem 1rem;
        margin: 0;
        font-size: 0.95rem;
      }

      dt {
        color: var(--text-2);
      }

      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }

      details {
        margin-top: 1.2rem;
      }

      summary {
        min-height: 2rem;
        font-weight: 650;
        cursor: pointer;
      }

      .star {
        color: var(--text-2);
      }

      .star[aria-pressed="true"] {
        color: var(--accent);
      }

      .foot {
        margin-top: 1.2rem;
      }

      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    new EntityController(this, () => ({ home: this.home, id: this.entityId }));
    new HomeController(this, "structure", () => this.home);
    new WordsController(this, "dialogs");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), pace);
    this.stop = this.home.layouts.on(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
    this.stop?.();
  }

  override willUpdate(): void {
    const entity = this.home.entity(this.entityId);
    if (!entity || entity === this.explained) return;
    const same = entity.entity_id === this.explained?.entity_id && entity.context.id === this.explained.context.id;
    this.explained = entity;
    if (same && this.cause) return;
    this.cause = "";
    this.why = false;
    void causeOf(this.home, entity).then((cause) => {
      if (this.explained?.context.id === entity.context.id) this.cause = cause;
    });
  }

  private askWhy(): void {
    void attempt(async () => {
      await import("./entity_why");
      this.why = true;
    });
  }

  private star(isFavorite: boolean): void {
    const { layouts } = this.home;
    void attempt(async () => {
      const { sectionsOf, suggestedIds } = await import("../overview/layout");
      await layouts.keep(withFavorite(layouts.layout, suggestedIds(sectionsOf(this.home)), this.entityId, isFavorite));
    });
  }

  // A hidden thing stands nowhere.
  private favorite(): TemplateResult | typeof nothing {
    if (this.home.registry.get(this.entityId)?.hidden_by) return nothing;
    const isFavorite = this.home.layouts.layout.favorites?.includes(this.entityId) ?? false;
    return html`<button
      type="button"
      slot="head"
      class="plain round star"
      aria-label=${t("entity.favorite")}
      aria-pressed=${isFavorite ? "true" : "false"}
      title=${t("entity.favorite")}
      @click=${() => this.star(!isFavorite)}
    >
      <hearth-icon .path=${isFavorite ? mdiStar : mdiStarOutline}></hearth-icon>
    </button>`;
  }

  private when(seconds: number): string {
    return formatDateTime(new Date(seconds * 1000), this.home.configuration.time_zone);
  }

  private copy(): void {
    void attempt(async () => {
      await copyText(this.entityId, this.renderRoot.querySelector(".foot") as Element);
      notifyDone(t("action.copied"));
    });
  }

  private facts(entity: Entity) {
    const area = this.home.areaOf(this.entityId)?.name;
    const device = this.home.devices.get(this.home.registry.get(this.entityId)?.device_id ?? "");
    const maker = [device?.manufacturer, device?.model].filter(Boolean).join(" ");
    const deviceName = device?.name_by_user ?? device?.name;
    return html`<dl>
      <dt>${t("entity.changed")}</dt>
      <dd>${formatRelative(new Date(entity.last_changed * 1000))} <span class="muted">(${this.when(entity.last_changed)})</span></dd>
      <dt>${t("entity.updated")}</dt>
      <dd>${this.when(entity.last_updated)}</dd>
      <dt>${t("entity.cause")}</dt>
      <dd>
        ${this.cause}
        ${this.home.user.is_admin && !this.why
          ? html`<button type="button" class="why" @click=${() => this.askWhy()}>${t("entity.why")}</button>`
          : nothing}
        ${this.why ? html`<hearth-entity-why .home=${this.home} .entityId=${this.entityId}></hearth-entity-why>` : nothing}
      </dd>
      ${area
        ? html`<dt>${t("entity.area")}</dt>
            <dd>${area}</dd>`
        : nothing}
      ${deviceName
        ? html`<dt>${t("entity.device")}</dt>
            <dd>${deviceName}${maker ? html` <span class="muted">(${maker})</span>` : nothing}</dd>`
        : nothing}
      <dt>${t("entity.id")}</dt>
      <dd><code>${this.entityId}</code></dd>
    </dl>`;
  }

  // Folded: few need them. Without what opens a camera's picture.
  private folded({ attributes }: Entity) {
    const { access_token: _, entity_picture: __, ...values } = attributes;
    if (Object.keys(values).length === 0) return nothing;
    return html`<details>
      <summary>${t("entity.attributes")}</summary>
      <hearth-attribute-table .values=${values}></hearth-attribute-table>
    </details>`;
  }

  // The person at the door: the last picture of the doorbell's own camera.
  private lastPicture({ entity_id, attributes }: Entity) {
    const { home } = this;
    const device = home.registry.get(entity_id)?.device_id;
    if (attributes.device_class !== "doorbell" || !device) return nothing;
    const pictures = [...home.registry.values()]
      .filter((other) => other.device_id === device && /^(image|camera)\./.test(other.entity_id))
      .sort((a, b) => b.entity_id.localeCompare(a.entity_id)); // an image is of then, a camera of now
    const shown = pictures
      .map((other) => home.entity(other.entity_id))
      .find((other) => typeof other?.attributes.entity_picture === "string");
    if (!shown) return nothing;
    return html`<h3>${t("dialog.doorbell")}</h3>
      <hearth-picture
        .src=${String(shown.attributes.entity_picture)}
        .label=${t("kind.picture", { name: home.nameOf(shown.entity_id) })}
        .missing=${t("kind.noPicture")}
      ></hearth-picture>`;
  }

  private content(entity: Entity) {
    return html`
      ${cardOf(this.home, this.entityId, { detailed: true })} ${this.lastPicture(entity)}
      <h3>${t("entity.history")}</h3>
      <hearth-entity-history .home=${this.home} .entityId=${this.entityId}></hearth-entity-history>
      ${measures(entity)
        ? nothing
        : html`<h3>${t("entity.log")}</h3>
            <hearth-entity-log .home=${this.home} .entityId=${this.entityId}></hearth-entity-log>`}
      <h3>${t("entity.details")}</h3>
      ${this.facts(entity)} ${this.folded(entity)}
      <div class="row foot">
        <a class="button" href="${base}/history?entity=${encodeURIComponent(this.entityId)}&amp;span=24h">${t("entity.inHistory")}</a>
        ${this.home.user.is_admin && this.home.registry.has(this.entityId)
          ? html`<a class="button" href="${base}/settings/areas?open=${encodeURIComponent(this.entityId)}">${t("entity.settings")}</a>`
          : nothing}
        <a class="button" href="${base}/developer-tools/states?filter=${encodeURIComponent(this.entityId)}">${t("entity.rawState")}</a>
        <button type="button" @click=${() => this.copy()}>${t("entity.copyId")}</button>
      </div>
    `;
  }

  override render() {
    const entity = this.home.entity(this.entityId);
    return html`<hearth-dialog
      .heading=${entity ? this.home.nameOf(this.entityId) : this.absence().heading}
      @closed=${() => this.dispatchEvent(new CustomEvent("closed"))}
    >
      ${entity ? html`${this.favorite()}${this.content(entity)}` : html`<p>${this.absence().hint}</p>`}
    </hearth-dialog>`;
  }

  // Why there is no state to show.
  private absence(): { heading: string; hint: string } {
    const id = this.entityId;
    const registered = this.home.registry.get(id);
    if (!registered || !isReserved(registered)) return { heading: t("entity.unknown"), hint: t("entity.unknownHint", { id }) };
    return {
      heading: t("entity.reserved", { name: this.home.nameOf(id) }),
      hint: t("entity.reservedHint", { id, platform: registered.platform }),
    };
  }
}
