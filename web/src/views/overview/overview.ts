// SPDX-License-Identifier: Apache-2.0
import { mdiArrowLeft, mdiMagnify, mdiPencil, mdiViewGridOutline, mdiViewListOutline } from "@mdi/js";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";

import type { Home, Unsubscribe } from "../../api/home";
import { withPart, type View } from "../../api/layout";
import { countOf, counts, type Count } from "../../cards/domains";
import { scale } from "../../elements/charts/scale";
import { attempt } from "../../elements/notify";
import { TitleController } from "../../elements/title";
import { t } from "../../i18n/catalogue";
import { base, onNavigation, pageOf, pageState, query as addressQuery, rememberPage, setQuery, type Move } from "../../router";
import { shared } from "../../styles/shared";
import { arranged, sectionsOf, type Section, type Tile } from "./layout";
import { overviewStyles } from "./overview_styles";
import { find } from "./search";
import { countText, isThere } from "./summary";
import "../../elements/icon";
import "../../elements/late";
import "./card_list";
import "./home_chips";
import "./home_screen";
import "./room_head";
import "./room_list";

// A change of what there is is drawn after this, together with those that come meanwhile. Milliseconds.
const patience = 200;
// How long the other cards wait at most until the browser has nothing better to do, in milliseconds.
const idle = 1000;
// Of columns, in rem.
const columnWidth = 18.5;
const columnGap = 1;
type Show = Count | "alerts";

const alertList = () => import("./alert_list");
const views = ["rooms", "list"] as const;
const loadArrange = () => import("./arrange/arrange");

// The home at a glance, or all of it room by room; one room; or what is found.
@customElement("hearth-overview")
export class Overview extends LitElement {
  @property({ attribute: false }) home!: Home;
  // As the settings have them, and as they were arranged.
  @state() private found: Section[] = [];
  @state() private sections: Section[] = [];
  @state() private wanted = "";
  @state() private columns = 1;
  // The part that the address names: a room, or the things that are on, open, …
  @state() private area: string | undefined;
  @state() private shown: Show | undefined;
  // The kind of alerts that the address names, or all.
  @state() private kind: string | undefined;
  // The one that the address names.
  @state() private room: Section | undefined;
  @state() private view: View = "rooms";
  @state() private arranging = false;
  // True if the page has had its first picture: until then only the cards that it begins with are drawn.
  @state() private begun = false;
  @query("input") private field!: HTMLInputElement;
  private all: string[] = [];
  private ids = new Map<string, string[]>();
  // Of `shown`, when it was asked for: what is switched off there stays until then.
  private listed: Tile[] = [];
  private stops: Unsubscribe[] = [];
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private sizes = new ResizeObserver(() => this.measure());

  static override styles = [shared, overviewStyles];

  constructor() {
    super();
    new TitleController(this, 1, () => (this.area === undefined && this.shown === undefined && !this.arranging ? "" : this.heading));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stops = [
      this.home.on("structure", () => {
        this.waiting ??= setTimeout(() => this.arrange(), patience);
      }),
      this.home.layouts.on(() => this.apply()),
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
    this.found = sectionsOf(this.home);
    this.ids = new Map(this.found.map(({ key, tiles, others }) => [key, [...tiles, ...others].map(({ id }) => id)]));
    this.all = [...this.ids.values()].flat();
    this.apply();
  }

  private apply(): void {
    const { layout } = this.home.layouts;
    this.sections = arranged(this.found, layout);
    this.room = arranged(this.found, withPart(layout, "hiddenRooms", undefined)).find(({ key }) => key === this.area);
    this.view = views.find((one) => one === addressQuery().get("view")) ?? layout.view ?? "rooms";
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
    this.arranging = parameters.has("arrange");
    this.apply();
  }

  private list(): void {
    const is = ({ id }: Tile) => {
      const entity = this.home.entity(id);
      return entity !== undefined && isThere(entity) && countOf(entity) === this.shown;
    };
    this.listed = this.shown && this.shown !== "alerts" ? this.found.flatMap(({ tiles, others }) => [...tiles, ...others].filter(is)) : [];
  }

  private look(): void {
    this.wanted = this.field.value;
    rememberPage({ search: this.wanted });
  }

  private flat(tiles: Tile[]): TemplateResult {
    return html`<hearth-card-list .home=${this.home} .tiles=${tiles} .columns=${this.columns}></hearth-card-list>`;
  }

  private results(): TemplateResult {
    const all = this.found.flatMap(({ tiles, others }) => [...tiles, ...others]);
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
    if (this.arranging) return this.arrangement();
    if (this.all.length === 0) return html`<p class="card">${t("overview.empty")}</p>`;
    if (this.shown === "alerts") {
      const draw = (): TemplateResult => html`<hearth-alert-list .home=${this.home} .kind=${this.kind}></hearth-alert-list>`;
      return html`<hearth-late .load=${alertList} .draw=${draw}></hearth-late>`;
    }
    if (this.shown) {
      if (this.listed.length === 0) return html`<p class="card">${t("overview.nothingSo")}</p>`;
      return this.one({ key: "?", isFirst: false, heading, icon: null, tiles: this.listed, others: [] });
    }
    if (this.area !== undefined) return room ? this.one(room) : html`<p class="card">${t("overview.noRoom")}</p>`;
    return html`<hearth-home-chips .home=${this.home} .ids=${this.all}></hearth-home-chips> ${this.rooms()}`;
  }

  private rooms(): TemplateResult {
    const { home, sections, ids, columns, begun } = this;
    if (this.view === "rooms")
      return html`<hearth-home-screen .home=${home} .found=${this.found} .sections=${sections} .ids=${ids} .columns=${columns}
        >${this.choices()}</hearth-home-screen
      >`;
    return html`<div class="choices">${this.choices()}</div>
      <hearth-room-list .home=${home} .sections=${sections} .ids=${ids} .columns=${columns} .begun=${begun}></hearth-room-list>`;
  }

  private async showAs(view: View): Promise<void> {
    setQuery({ view: undefined }, "replace");
    const { layouts } = this.home;
    await attempt(() => layouts.keep(withPart(layouts.layout, "view", view === "rooms" ? undefined : view)));
  }

  // The other way to show the rooms, and the way to arrange them.
  private choices(): TemplateResult {
    const other = this.view === "rooms" ? "list" : "rooms";
    const text = t(other === "list" ? "overview.asList" : "overview.asTiles");
    return html`<div class="row">
      <button type="button" class="plain round" aria-label=${text} title=${text} @click=${() => void this.showAs(other)}>
        <hearth-icon .path=${other === "list" ? mdiViewListOutline : mdiViewGridOutline}></hearth-icon>
      </button>
      ${this.arrangeLink()}
    </div>`;
  }

  private arrangeLink(): TemplateResult {
    const area = this.area === undefined ? "" : `area=${encodeURIComponent(this.area)}&`;
    const text = t("overview.arrange");
    return html`<a class="button plain round" href="${base}/overview?${area}arrange=1" aria-label=${text} title=${text}>
      <hearth-icon .path=${mdiPencil}></hearth-icon>
    </a>`;
  }

  private arrangement(): TemplateResult {
    return html`<hearth-late
      .load=${loadArrange}
      .draw=${() => html`<hearth-arrange .home=${this.home} .sections=${this.found} .area=${this.area}></hearth-arrange>`}
    ></hearth-late>`;
  }

  private get heading(): string {
    const what = this.shown && (this.shown === "alerts" ? t("overview.alerts") : countText(this.shown, this.listed.length));
    return what ?? this.room?.heading ?? t(this.arranging ? "overview.arrange" : "page.overview");
  }

  override render() {
    const { heading, room } = this;
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
        ${room && !this.arranging ? this.arrangeLink() : nothing}
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
