// SPDX-License-Identifier: Apache-2.0
import { mdiArrowLeft, mdiMagnify } from "@mdi/js";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home, Unsubscribe } from "../../api/home";
import { cardOf } from "../../cards/card_of";
import { countOf, counts, type Count } from "../../cards/domains";
import { scale } from "../../elements/charts/scale";
import { TitleController } from "../../elements/title";
import { t } from "../../i18n/catalogue";
import { base, onNavigation, pageOf, pageState, query as addressQuery, rememberPage, type Move } from "../../router";
import { shared } from "../../styles/shared";
import { blocksOf, heightOfSection, type Block } from "./blocks";
import { arrange, below, type Part } from "./columns";
import { foldedRooms, keepFolded } from "./folded";
import { sectionsOf, type Section, type Tile } from "./layout";
import { overviewStyles } from "./overview_styles";
import { find } from "./search";
import { countText, isThere } from "./summary";
import "../../elements/icon";
import "../../elements/late";
import "../../elements/lazy_block";
import "./home_chips";
import "./room_head";

// A change of what there is is drawn after this, together with those that come meanwhile. Milliseconds.
const patience = 200;
// How long the other cards wait at most until the browser has nothing better to do, in milliseconds.
const idle = 1000;
// Of columns, in rem.
const columnWidth = 18.5;
const columnGap = 1;
// The rows of the grid that rooms are set in, in rem.
const unit = 0.25;
// As many cards are all drawn.
const few = 120;

type Show = Count | "alerts";

const alertList = () => import("./alert_list");

// All of the home at a glance, room by room; one room; or what is found.
@customElement("hearth-overview")
export class Overview extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private sections: Section[] = [];
  @state() private wanted = "";
  @state() private columns = 1;
  // What the address names: a room, or what is on, open, …
  @state() private area: string | undefined;
  @state() private shown: Show | undefined;
  // The kind of alerts that the address names, or all.
  @state() private kind: string | undefined;
  @state() private folded = foldedRooms();
  // Whether the page has had its first picture: until then only the cards that it begins with are drawn.
  @state() private begun = false;
  @query("input") private field!: HTMLInputElement;
  private all: string[] = [];
  private ids = new Map<string, string[]>();
  // Of `shown`, when it was asked for: what is switched off there stays until then.
  private listed: Tile[] = [];
  private stops: Unsubscribe[] = [];
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private sizes = new ResizeObserver(() => this.measure());
  private heights = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) this.place(target as HTMLElement, (borderBoxSize[0]?.blockSize ?? 0) / (16 * scale()));
  });

  static override styles = [shared, overviewStyles];

  constructor() {
    super();
    new TitleController(this, 1, () => (this.area === undefined && this.shown === undefined ? "" : this.heading));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stops = [
      this.home.on("structure", () => {
        this.waiting ??= setTimeout(() => this.arrange(), patience);
      }),
      onNavigation((move) => this.follow(move)),
    ];
    this.arrange();
    this.follow("pop");
    this.measure();
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    this.sizes.disconnect();
    this.heights.disconnect();
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  override firstUpdated(): void {
    const go = () => (this.begun = true);
    if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: idle });
    else setTimeout(go, idle);
  }

  private measure(): void {
    const width = this.clientWidth / (16 * scale());
    this.columns = Math.max(1, Math.floor((width + columnGap) / (columnWidth + columnGap)));
  }

  private arrange(): void {
    this.waiting = undefined;
    this.sections = sectionsOf(this.home);
    this.ids = new Map(this.sections.map(({ key, tiles }) => [key, tiles.map(({ id }) => id)]));
    this.all = [...this.ids.values()].flat();
    this.list();
  }

  private follow(move: Move): void {
    if (pageOf(location.pathname)?.page.name !== "overview") return;
    const parameters = addressQuery();
    const area = parameters.get("area") ?? undefined;
    const shown = [...counts, "alerts" as const].find((one) => one === parameters.get("show"));
    if (move !== "pop" && (area !== this.area || shown !== this.shown)) rememberPage({ search: "" });
    this.wanted = pageState().search ?? "";
    this.area = area;
    this.shown = shown;
    this.kind = parameters.get("kind") ?? undefined;
    this.list();
  }

  private list(): void {
    const is = ({ id }: Tile) => {
      const entity = this.home.entity(id);
      return entity !== undefined && isThere(entity) && countOf(entity) === this.shown;
    };
    this.listed = this.shown && this.shown !== "alerts" ? this.sections.flatMap(({ tiles }) => tiles.filter(is)) : [];
  }

  private look(): void {
    this.wanted = this.field.value;
    rememberPage({ search: this.wanted });
  }

  private fold(key: string): void {
    const folded = new Set(this.folded);
    if (!folded.delete(key)) folded.add(key);
    this.folded = folded;
    keepFolded(folded);
  }

  // Rooms stand one below the other in columns. Until they have been measured they are as high as they are expected to be.
  private place(room: HTMLElement, height: number): void {
    const span = `span ${Math.ceil((height + below) / unit)}`;
    if (room.style.gridRowEnd !== span) room.style.gridRowEnd = span;
  }

  override updated(): void {
    this.style.setProperty("--room-columns", String(this.columns));
    for (const room of this.renderRoot.querySelectorAll<HTMLElement>(".room")) {
      const expected = Number(room.dataset.height);
      room.style.gridColumn = `${Number(room.dataset.column) + 1} / span ${room.dataset.span}`;
      if (room.dataset.placed !== room.dataset.height) this.place(room, expected);
      room.dataset.placed = room.dataset.height;
      this.heights.observe(room);
    }
  }

  private blocks(blocks: Block[], always: boolean): TemplateResult[] {
    return blocks.map(
      ({ tiles, height, columns }) =>
        html`<hearth-lazy-block
          .always=${always}
          .height=${height}
          .columns=${columns}
          .content=${() =>
            html`${repeat(
              tiles,
              ({ id }) => id,
              ({ id }) => cardOf(this.home, id),
            )}`}
        ></hearth-lazy-block>`,
    );
  }

  // A room that is spread has parts, of which each begins in its column below what stands there.
  private room(section: Section, parts: Part[], hasFloors: boolean, always: boolean): TemplateResult {
    const { key, floor, isFirst, heading } = section;
    const folded = this.folded.has(key);
    const top = html`${hasFloors
        ? isFirst
          ? html`<h2 class="floor">${floor}</h2>`
          : html`<div class="floor" aria-hidden="true">${floor ?? "\u00a0"}</div>`
        : nothing}
      <hearth-room-head
        .home=${this.home}
        .section=${section}
        .ids=${this.ids.get(key) ?? []}
        .folded=${folded}
        @fold=${() => this.fold(key)}
      ></hearth-room-head>`;
    return html`<section aria-label=${heading}>
      ${parts.map(
        ({ column, span, tiles, height }, index) =>
          html`<div class="room" data-height=${height} data-column=${column} data-span=${span}>
            ${index === 0 ? top : html`<div class="goes-on" aria-hidden="true">${heading}</div>`}
            ${folded ? nothing : this.blocks(blocksOf(tiles, span), always)}
          </div>`,
      )}
    </section>`;
  }

  private rooms(): TemplateResult {
    const hasFloors = this.sections.some(({ floor }) => floor !== undefined);
    const isShort = this.all.length <= few;
    const parts = arrange(
      this.sections.map(({ key, tiles }) => ({ tiles, folded: this.folded.has(key) })),
      this.columns,
      hasFloors,
    );
    return html`<div class="rooms">
      ${repeat(
        this.sections,
        ({ key }) => key,
        (section, index) => this.room(section, parts[index] ?? [], hasFloors, isShort && (this.begun || index < this.columns)),
      )}
    </div>`;
  }

  // Side by side, without their rooms.
  private flat(tiles: Tile[]): TemplateResult {
    return html`<div class="rooms">
      <section>
        <div class="room" data-height=${heightOfSection(tiles, this.columns, false, false)} data-column="0" data-span=${this.columns}>
          ${this.blocks(blocksOf(tiles, this.columns), tiles.length <= few)}
        </div>
      </section>
    </div>`;
  }

  private results(): TemplateResult {
    const all = this.sections.flatMap(({ tiles }) => tiles);
    const { tiles, isSimilar, count } = find(this.home, all, this.wanted);
    const text = this.wanted.trim();
    return html`<p class=${tiles.length === 0 ? "card" : "muted"} role="status">
        ${tiles.length === 0
          ? t("overview.foundNone", { text })
          : isSimilar
            ? t("overview.foundSimilar", { text, count: tiles.length })
            : count
              ? countText(count, tiles.length)
              : t("overview.found", { count: tiles.length })}
      </p>
      ${this.flat(tiles)}`;
  }

  private one(section: Section): TemplateResult {
    return html`<hearth-room-head
        alone
        .home=${this.home}
        .section=${section}
        .ids=${this.ids.get(section.key) ?? section.tiles.map(({ id }) => id)}
      >
      </hearth-room-head>
      ${this.flat(section.tiles)}`;
  }

  private content(room: Section | undefined, heading: string): TemplateResult {
    if (this.wanted.trim() !== "") return this.results();
    if (this.sections.length === 0) return html`<p class="card">${t("overview.empty")}</p>`;
    if (this.shown === "alerts") {
      const draw = (): TemplateResult => html`<hearth-alert-list .home=${this.home} .kind=${this.kind}></hearth-alert-list>`;
      return html`<hearth-late .load=${alertList} .draw=${draw}></hearth-late>`;
    }
    if (this.shown) {
      if (this.listed.length === 0) return html`<p class="card">${t("overview.nothingSo")}</p>`;
      return this.one({ key: "?", isFirst: false, heading, icon: null, tiles: this.listed });
    }
    if (this.area !== undefined) return room ? this.one(room) : html`<p class="card">${t("overview.noRoom")}</p>`;
    return html`<hearth-home-chips .home=${this.home} .ids=${this.all}></hearth-home-chips> ${this.rooms()}`;
  }

  private get chosenRoom(): Section | undefined {
    return this.area === undefined ? undefined : this.sections.find(({ key }) => key === this.area);
  }

  private get heading(): string {
    const what = this.shown && (this.shown === "alerts" ? t("overview.alerts") : countText(this.shown, this.listed.length));
    return what ?? this.chosenRoom?.heading ?? t("page.overview");
  }

  override render() {
    const { heading, chosenRoom: room } = this;
    const isPart = this.area !== undefined || this.shown !== undefined;
    return html`
      <header class="spread">
        <div class="title">
          ${isPart
            ? html`<a class="button plain round" href="${base}/overview" aria-label=${t("overview.back")}>
                <hearth-icon .path=${mdiArrowLeft}></hearth-icon>
              </a>`
            : nothing}
          <h1>${heading}</h1>
        </div>
        <form role="search" @submit=${(event: Event) => event.preventDefault()}>
          <label class="visually-hidden" for="search">${t("action.search")}</label>
          <hearth-icon .path=${mdiMagnify}></hearth-icon>
          <input
            id="search"
            type="search"
            autocomplete="off"
            maxlength="200"
            placeholder=${t("overview.searchHint")}
            .value=${this.wanted}
            @input=${() => this.look()}
          />
        </form>
      </header>
      ${this.content(room, heading)}
    `;
  }
}
