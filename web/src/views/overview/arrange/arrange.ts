// SPDX-License-Identifier: Apache-2.0
import {
  mdiArrowExpandHorizontal,
  mdiEye,
  mdiEyeOff,
  mdiPencil,
  mdiShapeOutline,
  mdiSofaOutline,
  mdiStar,
  mdiStarOutline,
  mdiUndo,
} from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../../api/home";
import { inOrder, orderAfterMove, toggled, withFavorite, withPart, type Layout } from "../../../api/layout";
import { iconOf } from "../../../cards/icons";
import { confirm } from "../../../elements/confirm";
import { entityChoices } from "../../../elements/home_choices";
import { loaded } from "../../../elements/loaded";
import { attempt, notifyDone } from "../../../elements/notify";
import { loadWords, t } from "../../../i18n/catalogue";
import { WordsController } from "../../../i18n/late_words";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { suggestedIds, type Section } from "../layout";
import { Draft } from "./draft";
import type { Row } from "./order_list";
import "../../../elements/fields/picker";
import "../../../elements/icon";
import "../../../elements/loading";
import "./order_list";

type Moved = CustomEvent<{ from: number; to: number }>;
// Lists of the layout in which a thing is or is not.
type Marks = "hidden" | "hiddenRooms" | "wide";

// Where a person says what stands first on their home screen, or in one of its rooms, and what does not stand there at all.
@customElement("hearth-arrange")
export class Arrange extends LitElement {
  @property({ attribute: false }) home!: Home;
  // All there are, as the settings have them.
  @property({ attribute: false }) sections: Section[] = [];
  // The room that is arranged; undefined for the home screen.
  @property({ attribute: false }) area: string | undefined;
  // Two lists stand side by side where there is room.
  @property({ type: Boolean, reflect: true }) wide = false;
  @state() private said = "";
  private readonly words = new WordsController(this, "arrange");
  private readonly draft = new Draft(
    this,
    () => this.home.layouts,
    (text) => void loaded(() => loadWords("arrange")).then(() => notifyDone(text())),
  );

  static override styles = [
    shared,
    css`
      :host {
        max-width: 44rem;
      }

      :host([wide]) {
        max-width: 80rem;
      }

      .parts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
        gap: 0 2rem;
      }

      .bar {
        position: sticky;
        z-index: 4;
        top: 0;
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        padding: 0.5rem 0;
        background: var(--background);
      }

      .bar a {
        margin-inline-start: auto;
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-text);
      }

      h2 {
        margin: 1.2rem 0 0.5rem;
      }

      .hint {
        margin-bottom: 0.6rem;
      }

      details {
        margin-top: 1.6rem;
      }

      summary {
        min-height: 2.75rem;
        cursor: pointer;
        font-weight: 600;
      }

      details > * + * {
        margin-top: 0.6rem;
      }

      details label {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2.75rem;
      }
    `,
  ];

  override willUpdate(): void {
    this.wide = this.area === undefined;
  }

  private change<Part extends keyof Layout>(part: Part, value: Layout[Part] | undefined): void {
    this.draft.change(withPart(this.draft.layout, part, value));
  }

  // Lists that are empty again are absent.
  private mark(part: Marks, id: string): void {
    const list = toggled(this.draft.layout[part], id);
    this.change(part, list.length === 0 ? undefined : list);
  }

  private star(id: string, isFavorite: boolean): void {
    this.draft.change(withFavorite(this.draft.layout, suggestedIds(this.sections), id, isFavorite));
  }

  private get favorites(): string[] {
    return this.draft.layout.favorites ?? suggestedIds(this.sections);
  }

  private say(name: string, to: number, count: number): void {
    this.said = t("arrange.moved", { name, place: to + 1, count });
  }

  private button(icon: string, text: string, isOn: boolean, press: () => void): TemplateResult {
    return html`<button
      type="button"
      class="plain round ${isOn ? "on" : ""}"
      aria-label=${text}
      aria-pressed=${isOn ? "true" : "false"}
      title=${text}
      @click=${press}
    >
      <hearth-icon .path=${icon}></hearth-icon>
    </button>`;
  }

  private iconOf(id: string): TemplateResult | typeof nothing {
    const entity = this.home.entity(id);
    if (!entity) return nothing;
    const { name, path } = iconOf(this.home, entity);
    return html`<hearth-icon class="sign" .name=${name} .path=${path}></hearth-icon>`;
  }

  private favoriteRows(): TemplateResult {
    const ids = this.favorites.filter((id) => this.home.entity(id));
    const rows: Row[] = ids.map((id) => ({
      id,
      name: this.home.nameOf(id),
      sign: this.iconOf(id),
      controls: this.button(mdiStar, t("arrange.noFavorite", { name: this.home.nameOf(id) }), true, () => this.star(id, false)),
      isOff: false,
    }));
    return html`<h2>${t("overview.favorites")}</h2>
      <p class="hint">${t("arrange.favoritesHint")}</p>
      <hearth-order-list
        .label=${t("overview.favorites")}
        .rows=${rows}
        @move=${({ detail: { from, to } }: Moved) => {
          const moved = [...ids];
          moved.splice(to, 0, ...moved.splice(from, 1));
          this.change("favorites", [...moved, ...this.favorites.filter((id) => !ids.includes(id))]);
          this.say(rows[from]?.name ?? "", to, rows.length);
        }}
      ></hearth-order-list>
      <hearth-picker
        .label=${t("arrange.addFavorite")}
        .placeholder=${t("overview.searchHint")}
        .choices=${() => entityChoices(this.home).filter(({ id }) => !ids.includes(id))}
        .nameOf=${(id: string) => this.home.nameOf(id)}
        @change-chosen=${({ detail }: CustomEvent<string[]>) => detail[0] && this.star(detail[0], true)}
      ></hearth-picker>`;
  }

  private roomRows(): TemplateResult {
    const { hiddenRooms = [], rooms } = this.draft.layout;
    const sections = inOrder(
      this.sections.filter(({ tiles }) => tiles.length > 0),
      rooms,
      ({ key }) => key,
    );
    const rows: Row[] = sections.map(({ key, heading, icon }) => {
      const isOff = hiddenRooms.includes(key);
      const into = t("arrange.into", { name: heading });
      return {
        id: key,
        name: heading,
        sign: html`<hearth-icon
          class="sign"
          .name=${icon ?? ""}
          .path=${icon === undefined ? mdiShapeOutline : mdiSofaOutline}
        ></hearth-icon>`,
        controls: html`<a
            class="button plain round"
            href=${`${base}/overview?area=${encodeURIComponent(key)}&arrange=1`}
            aria-label=${into}
            title=${into}
            ><hearth-icon .path=${mdiPencil}></hearth-icon></a
          >${this.button(isOff ? mdiEyeOff : mdiEye, t(isOff ? "arrange.show" : "arrange.hide", { name: heading }), !isOff, () =>
            this.mark("hiddenRooms", key),
          )}`,
        isOff,
      };
    });
    return html`<h2>${t("overview.rooms")}</h2>
      <hearth-order-list
        .label=${t("overview.rooms")}
        .rows=${rows}
        @move=${({ detail: { from, to } }: Moved) => {
          this.change(
            "rooms",
            orderAfterMove(
              rows.map(({ id }) => id),
              from,
              to,
              rooms,
            ),
          );
          this.say(rows[from]?.name ?? "", to, rows.length);
        }}
      ></hearth-order-list>`;
  }

  private cardRows(section: Section): TemplateResult {
    const { cards = {}, hidden = [], wide = [] } = this.draft.layout;
    const own = Object.hasOwn(cards, section.key) ? cards[section.key] : undefined;
    const favorites = new Set(this.draft.layout.favorites);
    const rows: Row[] = inOrder(section.tiles, own, ({ id }) => id).map(({ id }) => {
      const name = this.home.nameOf(id);
      const [isOff, isWide, isFavorite] = [hidden.includes(id), wide.includes(id), favorites.has(id)];
      return {
        id,
        name,
        sign: this.iconOf(id),
        controls: html`${this.button(
          isFavorite ? mdiStar : mdiStarOutline,
          t(isFavorite ? "arrange.noFavorite" : "arrange.favorite", { name }),
          isFavorite,
          () => this.star(id, !isFavorite),
        )}${this.button(mdiArrowExpandHorizontal, t("arrange.wide", { name }), isWide, () => this.mark("wide", id))}${this.button(
          isOff ? mdiEyeOff : mdiEye,
          t(isOff ? "arrange.show" : "arrange.hide", { name }),
          !isOff,
          () => this.mark("hidden", id),
        )}`,
        isOff,
      };
    });
    return html`<h2>${section.heading}</h2>
      <hearth-order-list
        .label=${section.heading}
        .rows=${rows}
        @move=${({ detail: { from, to } }: Moved) => {
          const order = orderAfterMove(
            rows.map(({ id }) => id),
            from,
            to,
            own,
          );
          this.change("cards", { ...cards, [section.key]: order });
          this.say(rows[from]?.name ?? "", to, rows.length);
        }}
      ></hearth-order-list>`;
  }

  private async useOwn(isOwn: boolean): Promise<void> {
    await attempt(() => this.home.layouts.useOwn(isOwn));
    this.requestUpdate();
  }

  private async setForAll(layout: Layout): Promise<void> {
    const isReset = Object.keys(layout).length === 0;
    const yes = await confirm({
      heading: t(isReset ? "arrange.forNobodyHeading" : "arrange.forAllHeading"),
      text: t("arrange.forAllText"),
      action: t("action.confirm"),
    });
    if (yes && (await attempt(() => this.home.layouts.keep(layout, "home")))) notifyDone(t("action.saved"));
  }

  private more(): TemplateResult {
    const { layouts } = this.home;
    return html`<details>
      <summary>${t("arrange.more")}</summary>
      <label>
        <input
          type="checkbox"
          .checked=${layouts.ownScope === "screen"}
          @change=${(event: Event) => void this.useOwn((event.target as HTMLInputElement).checked)}
        />
        ${t("arrange.thisScreen")}
      </label>
      <button type="button" @click=${() => this.draft.change({})}>${t("arrange.default")}</button>
      ${this.home.user.is_admin
        ? html`<p class="hint">${t("arrange.forAllText")}</p>
            <button type="button" @click=${() => void this.setForAll(this.draft.layout)}>${t("arrange.forAll")}</button>
            <button type="button" @click=${() => void this.setForAll({})}>${t("arrange.forNobody")}</button>`
        : nothing}
    </details>`;
  }

  override render() {
    if (!this.words.areThere) return html`<hearth-loading></hearth-loading>`;
    const section = this.area === undefined ? undefined : this.sections.find(({ key }) => key === this.area);
    const back = this.area === undefined ? `${base}/overview` : `${base}/overview?area=${encodeURIComponent(this.area)}`;
    return html`<div class="bar">
        <button
          type="button"
          class="round"
          aria-label=${t("arrange.undo")}
          title=${t("arrange.undo")}
          ?disabled=${!this.draft.canUndo}
          @click=${() => this.draft.undo()}
        >
          <hearth-icon .path=${mdiUndo}></hearth-icon>
        </button>
        <button type="button" ?disabled=${this.draft.isAsItWas} @click=${() => this.draft.putBack()}>${t("arrange.putBack")}</button>
        <a class="button" href=${back}>${t("arrange.done")}</a>
      </div>
      <p class="hint">${t("arrange.hint")}</p>
      <p class="visually-hidden" role="status">${this.said}</p>
      ${this.area === undefined
        ? html`<div class="parts">
            <section>${this.favoriteRows()}</section>
            <section>${this.roomRows()}</section>
          </div>`
        : section
          ? this.cardRows(section)
          : html`<p class="card">${t("overview.noRoom")}</p>`}
      ${this.more()}`;
  }
}
