// SPDX-License-Identifier: Apache-2.0
// A scene: which things it brings to which states. Its text stays the truth.
import { mdiClose, mdiRefresh } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Item } from "../../../api/automations";
import type { Home } from "../../../api/home";
import { cardOf } from "../../../cards/card_of";
import { stateText } from "../../../cards/state_text";
import { EntitiesController, HomeController } from "../../../elements/controllers";
import { attempt } from "../../../elements/notify";
import type { Changed } from "../../../elements/selectors/selector_field";
import { formatNumber, t } from "../../../i18n/catalogue";
import { ItemText, textOf, type Problem } from "../../../items/item_text";
import { rows } from "../../../styles/lists";
import { shared } from "../../../styles/shared";
import { ScenePreview } from "./scene_preview";
import { areaDomains, isKnown, sceneDomains, stateIn, wantedOf, type Wanted } from "./scene_states";
import "../../../cards/dialogs/all";
import "../../../elements/icon";
import "../../../elements/selectors/selector_field";
import "../../../elements/fields/switch";

const shares: Record<string, number> = { brightness: 255, current_position: 100, percentage: 100, volume_level: 1 };

// Fires `text-changed` with the new text.
@customElement("hearth-scene-form")
export class SceneForm extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() text = "";
  @property({ type: Boolean }) fixed = false;
  @property({ attribute: false }) problems: Problem[] = [];
  private item: Item = {};
  private read: string | undefined;
  private isReadable = true;
  private readonly preview: ScenePreview;

  static override styles = [
    shared,
    rows,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.4rem;
      }

      .names,
      .adding {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: 1rem;
        align-items: start;
      }

      .names label {
        margin-bottom: 0.3rem;
      }

      .card-of {
        flex: 1 0 100%;
        max-width: 26rem;
        padding: 0.4rem 0;
      }

      .live {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 1rem;
      }

      .wrong {
        flex: 1 0 100%;
        color: var(--danger);
        font-weight: 550;
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: Object.keys(this.entities) }));
    this.preview = new ScenePreview(this, () => ({
      home: this.home,
      entities: this.entities,
      changed: (id, wanted) => this.want({ ...this.entities, [id]: wanted }),
    }));
  }

  override willUpdate(): void {
    if (this.text === this.read) return;
    const parsed = new ItemText(this.text);
    this.isReadable = parsed.problems({ unread: (tag) => tag, expected: "" }).length === 0;
    if (this.isReadable) this.item = parsed.item();
    this.read = this.text;
  }

  // Shows what a problem is of.
  show(_: Problem): void {
    void this.updateComplete.then(() => {
      const said = this.renderRoot.querySelector<HTMLElement>(".wrong");
      said?.scrollIntoView({ block: "center" });
    });
  }

  private get entities(): Record<string, Wanted> {
    const { entities } = this.item;
    return typeof entities === "object" && entities !== null && !Array.isArray(entities) ? (entities as Record<string, Wanted>) : {};
  }

  private write(item: Item): void {
    if (this.fixed) return;
    this.item = item;
    this.read = this.text = textOf(item);
    this.dispatchEvent(new CustomEvent("text-changed", { detail: this.text }));
    this.requestUpdate();
  }

  private want(entities: Record<string, Wanted>): void {
    this.write({ ...this.item, entities });
  }

  // As they are now.
  private take(ids: string[]): void {
    const known = ids.map((id) => this.home.entity(id)).filter(isKnown);
    const taken = Object.fromEntries(known.map((entity) => [entity.entity_id, wantedOf(entity)]));
    this.want({ ...this.entities, ...taken });
    if (this.preview.isOn) void attempt(() => this.preview.show(taken));
  }

  private inArea(area: string): string[] {
    return [...this.home.entities.keys()].filter(
      (id) => areaDomains.includes(id.split(".")[0] ?? "") && this.home.areaOf(id)?.area_id === area,
    );
  }

  override render() {
    if (!this.isReadable) return html`<p class="problem">${t("sentences.unreadable")}</p>`;
    const ids = Object.keys(this.entities);
    return html`${this.names()} ${this.fixed ? nothing : this.adding()}
    ${ids.length > 0
      ? html`<div class="live">
            <div>
              <strong>${t("scenes.live")}</strong>
              <p class="hint">${t("scenes.liveHint")}</p>
            </div>
            <hearth-switch
              .label=${t("scenes.live")}
              .checked=${this.preview.isOn}
              @toggle=${({ detail }: CustomEvent<boolean>) => void attempt(() => (detail ? this.preview.begin() : this.preview.end()))}
            ></hearth-switch>
          </div>
          <div>
            <div class="spread">
              <h3>${t("scenes.things")}</h3>
              ${this.fixed
                ? nothing
                : html`<button type="button" @click=${() => this.take(ids)}>
                    <hearth-icon .path=${mdiRefresh}></hearth-icon>${t("scenes.takeAll")}
                  </button>`}
            </div>
            <ul>
              ${repeat(
                ids,
                (id) => id,
                (id) => this.thing(id),
              )}
            </ul>
          </div>`
      : html`<p class="muted">${t("scenes.none")}</p>`}`;
  }

  private names(): TemplateResult {
    const { name, icon, ...others } = this.item;
    return html`<div class="names">
      <div>
        <label for="name">${t("sentences.name")}</label>
        <input
          id="name"
          autocomplete="off"
          maxlength="255"
          ?disabled=${this.fixed}
          .value=${String(name ?? "")}
          @input=${(event: InputEvent) => this.write({ ...this.item, name: (event.target as HTMLInputElement).value })}
        />
      </div>
      <hearth-selector-field
        .home=${this.home}
        .label=${t("areas.icon")}
        .selector=${{ icon: {} }}
        .value=${icon}
        @change-value=${({ detail }: CustomEvent<Changed>) =>
          this.write({ ...(name !== undefined && { name }), ...(detail.value !== undefined && { icon: detail.value }), ...others })}
      ></hearth-selector-field>
    </div>`;
  }

  private adding(): TemplateResult {
    const entity = { entity: { multiple: true, filter: { domain: sceneDomains }, exclude_entities: Object.keys(this.entities) } };
    const area = { area: { entity: { domain: areaDomains } } };
    return html`<div class="adding" role="group" aria-label=${t("scenes.add")}>
      <hearth-selector-field
        .home=${this.home}
        .label=${t("scenes.addThing")}
        .hint=${t("scenes.addHint")}
        .selector=${entity}
        .value=${[]}
        @change-value=${(event: CustomEvent<Changed>) => this.added(event, event.detail.value as string[] | undefined)}
      ></hearth-selector-field>
      ${this.home.areas.size > 0
        ? html`<hearth-selector-field
            .home=${this.home}
            .label=${t("scenes.addArea")}
            .selector=${area}
            .value=${undefined}
            @change-value=${(event: CustomEvent<Changed>) => this.added(event, this.inArea(String(event.detail.value)))}
          ></hearth-selector-field>`
        : nothing}
    </div>`;
  }

  // The picked entity is in the list then, and no longer in the field.
  private added(event: Event, ids: string[] = []): void {
    (event.target as { value?: unknown }).value = undefined;
    this.take(ids.filter((id) => !(id in this.entities)));
  }

  private thing(id: string): TemplateResult {
    const wanted = this.entities[id] as Wanted;
    const entity = this.home.entity(id);
    const name = this.home.nameOf(id);
    const problem = this.problems.find(({ path = "", message }) => path.includes(id) || message.includes(id));
    const { [id]: _, ...others } = this.entities;
    return html`<li>
      <div>
        ${name}
        <div class="hint">${this.wish(id, wanted)}${entity ? nothing : html` · ${t("scenes.gone")}`}</div>
      </div>
      ${this.fixed
        ? nothing
        : html`<div class="row">
            <button
              type="button"
              class="plain round"
              aria-label=${t("scenes.takeNamed", { name })}
              title=${t("scenes.takeNamed", { name })}
              ?disabled=${!isKnown(entity)}
              @click=${() => this.take([id])}
            >
              <hearth-icon .path=${mdiRefresh}></hearth-icon>
            </button>
            <button
              type="button"
              class="plain round"
              aria-label=${t("picker.remove", { name })}
              title=${t("picker.remove", { name })}
              @click=${() => this.want(others)}
            >
              <hearth-icon .path=${mdiClose}></hearth-icon>
            </button>
          </div>`}
      ${problem ? html`<p class="wrong" role="alert">${problem.said ?? problem.message}</p>` : nothing}
      ${this.preview.isOn && entity ? html`<div class="card-of">${cardOf(this.home, id, { detailed: true })}</div>` : nothing}
    </li>`;
  }

  // "On · 50 %"
  private wish(id: string, wanted: Wanted): string {
    const entity = this.home.entity(id);
    const state = stateIn(wanted);
    const more = typeof wanted === "string" ? {} : wanted;
    const share = Object.entries(more).find(([key]) => key in shares);
    const said = entity ? stateText(this.home, { ...entity, state, attributes: { ...entity.attributes, ...more } }) : state;
    if (!share || state === "off") return said;
    return `${said} · ${formatNumber(Number(share[1]) / (shares[share[0]] ?? 100), { style: "percent", maximumFractionDigits: 0 })}`;
  }
}
