// SPDX-License-Identifier: Apache-2.0
import { mdiHeart, mdiPencil, mdiPlus, mdiTrashCanOutline } from "virtual:icons/lazy";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import type { Attributes, Entity } from "../../api/types";
import { attempt } from "../../elements/notify";
import { styles } from "../../elements/styles_directive";
import { formatNumber, t, type Key } from "../../i18n/catalogue";
import { WordsController } from "../../i18n/late_words";
import { shared } from "../../styles/shared";
import { shineOf } from "../../undo/shine";
import { numberIn } from "../attributes";
import { withUnit } from "../state_text";
import { colourOf, favouritesOf, isShining, mostFavourites, whites } from "./shines";
import "../../elements/icon";

// Hue and saturation.
const colours: [Key, [number, number]][] = [
  ["colour.red", [0, 100]],
  ["colour.orange", [28, 100]],
  ["colour.green", [120, 100]],
  ["colour.blue", [235, 100]],
  ["colour.violet", [275, 100]],
  ["colour.pink", [330, 80]],
];

// White, colours and favourites of a lamp, each at one tap. Fires `choose` with what turn_on is told. The favourites are the home's:
// administrators keep them.
@customElement("hearth-light-colours")
export class LightColours extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entity!: Entity;
  @property({ type: Boolean }) white = false;
  @property({ type: Boolean }) colourful = false;
  @property({ type: Boolean }) disabled = false;
  @state() private favourites: Attributes[] = [];
  // A tap on a favourite removes it.
  @state() private edits = false;
  private stop: (() => void) | undefined;
  private followed = "";

  constructor() {
    super();
    new WordsController(this, "dialogs");
  }

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        gap: 0.7rem;
      }

      [role="group"] {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }

      .swatch {
        position: relative;
        width: 2.75rem;
        min-height: 2.75rem;
        padding: 0;
        border: 1px solid var(--border-strong);
        border-radius: 50%;
        background: var(--colour);
        color: #000;
      }

      .swatch:hover:not(:disabled) {
        background: var(--colour);
        filter: brightness(1.06);
      }

      .swatch[aria-pressed="true"] {
        outline: 3px solid var(--accent);
        outline-offset: 2px;
      }

      .swatch:focus-visible {
        outline: 3px solid var(--text);
        outline-offset: 2px;
      }

      .swatch hearth-icon {
        width: 1.2rem;
        height: 1.2rem;
      }

      .level {
        font-size: 0.72rem;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }

      .kept {
        color: var(--text-2);
      }

      @media (forced-colors: active) {
        .swatch {
          forced-color-adjust: none;
        }
      }
    `,
  ];

  private get key(): string {
    const { entity_id } = this.entity;
    return `light_favourites.${this.home.registry.get(entity_id)?.id ?? entity_id}`;
  }

  override willUpdate(): void {
    if (this.isConnected && this.followed !== this.key) this.follow();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.stop = undefined;
    this.followed = "";
  }

  private follow(): void {
    this.stop?.();
    const { key } = this;
    this.followed = key;
    let isWanted = true;
    let end: (() => void) | undefined;
    this.stop = () => {
      isWanted = false;
      end?.();
    };
    const take = ({ value }: { value: unknown }) => {
      if (isWanted) this.favourites = favouritesOf(value);
    };
    this.home.connection
      .subscribeMessage<{ value: unknown }>(take, { type: "frontend/subscribe_system_data", key })
      .then((stop) => {
        end = () => void stop().catch(() => undefined);
        if (!isWanted) end();
      })
      .catch(() => undefined); // the rest of the dialog does without
  }

  private keep(favourites: Attributes[]): void {
    const value = favourites.length > 0 ? { version: 1, favourites } : null;
    void attempt(() => this.home.command("frontend/set_system_data", { key: this.key, value }));
  }

  private choose(data: Attributes): void {
    this.dispatchEvent(new CustomEvent<Attributes>("choose", { detail: data }));
  }

  private swatch(label: string, colour: string, data: Attributes, content: unknown = nothing): TemplateResult {
    return html`<button
      type="button"
      class="swatch"
      ${styles({ "--colour": colour })}
      aria-label=${label}
      title=${label}
      aria-pressed=${isShining(this.entity, data) ? "true" : "false"}
      ?disabled=${this.disabled}
      @click=${() => this.choose(data)}
    >
      ${content}
    </button>`;
  }

  private kept(favourite: Attributes, index: number): TemplateResult {
    const level = numberIn({ attributes: favourite } as Entity, "brightness") ?? numberIn({ attributes: favourite } as Entity, "white");
    const percent = level === undefined ? "" : withUnit(formatNumber(Math.max(1, Math.round(level / 2.55))), "%");
    const label = t("light.favourite", { number: index + 1, what: percent });
    if (!this.edits) return this.swatch(label, colourOf(favourite), favourite, html`<span class="level">${percent}</span>`);
    return html`<button
      type="button"
      class="swatch"
      ${styles({ "--colour": colourOf(favourite) })}
      aria-label=${t("light.forget", { what: label })}
      @click=${() => this.keep(this.favourites.filter((_, each) => each !== index))}
    >
      <hearth-icon .path=${mdiTrashCanOutline}></hearth-icon>
    </button>`;
  }

  private ownShelf(): TemplateResult | typeof nothing {
    const { is_admin: may } = this.home.user;
    const { favourites, entity } = this;
    const mayKeep = may && entity.state === "on" && favourites.length < mostFavourites && Object.keys(shineOf(entity)).length > 0;
    if (favourites.length === 0 && !mayKeep) return nothing;
    return html`<div role="group" aria-label=${t("light.favourites")}>
      <hearth-icon class="kept" .path=${mdiHeart}></hearth-icon>
      ${favourites.map((favourite, index) => this.kept(favourite, index))}
      ${mayKeep && !this.edits
        ? html`<button
            type="button"
            class="round"
            aria-label=${t("light.keep")}
            title=${t("light.keep")}
            @click=${() => this.keep([...favourites, shineOf(entity)])}
          >
            <hearth-icon .path=${mdiPlus}></hearth-icon>
          </button>`
        : nothing}
      ${may && favourites.length > 0
        ? html`<button
            type="button"
            class="plain round"
            aria-label=${t("light.editFavourites")}
            title=${t("light.editFavourites")}
            aria-pressed=${this.edits ? "true" : "false"}
            @click=${() => (this.edits = !this.edits)}
          >
            <hearth-icon .path=${mdiPencil}></hearth-icon>
          </button>`
        : nothing}
    </div>`;
  }

  override render() {
    const { entity } = this;
    return html`
      ${this.white
        ? html`<div role="group" aria-label=${t("light.whites")}>
            ${whites(entity).map((kelvin) => {
              const label = withUnit(formatNumber(kelvin), "K");
              return this.swatch(label, colourOf({ color_temp_kelvin: kelvin }), { color_temp_kelvin: kelvin });
            })}
          </div>`
        : nothing}
      ${this.colourful
        ? html`<div role="group" aria-label=${t("light.colours")}>
            ${colours.map(([key, hs]) => this.swatch(t(key), colourOf({ hs_color: hs }), { hs_color: hs }))}
          </div>`
        : nothing}
      ${this.ownShelf()}
    `;
  }
}
