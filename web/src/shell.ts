// SPDX-License-Identifier: Apache-2.0
import {
  mdiAccountCircle,
  mdiChartLine,
  mdiCog,
  mdiHomeVariant,
  mdiLanDisconnect,
  mdiLightningBolt,
  mdiLogout,
  mdiMagnify,
  mdiTools,
} from "@mdi/js";
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "./api/errors";
import type { Home } from "./api/home";
import { BottomBar } from "./elements/bottom_bars";
import { HomeController } from "./elements/controllers";
import { focusHeading, focusPath, headingIn } from "./elements/focus";
import { loaded } from "./elements/loaded";
import { attempt, notifyDone } from "./elements/notify";
import { setTitle } from "./elements/title";
import { loadWords, t } from "./i18n/catalogue";
import { findPlaceBy, onNavigation, pageOf, pageState, query, setQuery, type Move, type Page, type PageName } from "./router";
import { pages } from "./routes";
import { placeIn, scrollToPlace } from "./scroll";
import { shared } from "./styles/shared";
import "./elements/alarm_banner";
import "./elements/icon";
import "./elements/loading";

// As people see it on their keyboards.
const findKeys = /Mac|iP/.test(navigator.platform) ? "⌘ K" : "Ctrl K";

const icons: Record<PageName, string> = {
  overview: mdiHomeVariant,
  energy: mdiLightningBolt,
  history: mdiChartLine,
  developer: mdiTools,
  settings: mdiCog,
  profile: mdiAccountCircle,
};

const loadPalette = () => import("./views/palette/palette");

// How many pictures are waited for the heading of what comes late.
const patience = 60;

// After so many milliseconds the palette is fetched, so that it is there when somebody asks for it.
const paletteDelay = 3000;

// True if a key is written where it was pressed.
function isWriting(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));
}

// The navigation around every page of the home, the page that the address names, and the dialog of the entity that ?entity= names; but
// on the page History that names what is drawn.
@customElement("hearth-shell")
export class Shell extends LitElement {
  @property({ attribute: false }) home!: Home;
  @state() private shown: PageName | undefined;
  @state() private failure: unknown;
  @state() private dialogReady = false;
  // True if what tells administrators of trouble is there.
  @state() private warns = false;
  // True if the bell is there.
  @state() private rings = false;
  // True if what finds and does all is open.
  @state() private isFinding = false;
  private paletteTimer: ReturnType<typeof setTimeout> | undefined;
  private stopNavigation: (() => void) | undefined;
  private wasLost = false;
  // Of the last query for what the page shows, without the dialog's.
  private shownPart = "";
  private shownItem = "";

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template: "banner banner" auto "nav main" 1fr / auto minmax(0, 1fr);
        min-height: 100dvh;
      }

      .banners {
        position: sticky;
        z-index: 10;
        top: 0;
        grid-area: banner;
      }

      /* Above the page, which stays where it is. */
      .lost {
        position: absolute;
        inset: 100% 0 auto;
        display: flex;
        justify-content: center;
        padding: 0.5rem 1rem;
        pointer-events: none;
      }

      .lost div {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        max-width: 100%;
        padding: 0.55rem 1.1rem;
        border: 1px solid var(--warning);
        border-radius: 999px;
        background: var(--warning-soft);
        box-shadow: var(--shadow-high);
        font-weight: 550;
      }

      /* The last known values, which may be wrong by now. */
      .stale {
        opacity: 0.55;
        filter: grayscale(0.8);
      }

      nav {
        position: sticky;
        top: 0;
        grid-area: nav;
        display: flex;
        flex-direction: column;
        gap: 0.2rem;
        width: 15.5rem;
        height: 100dvh;
        padding: 1rem 0.8rem;
        border-right: 1px solid var(--border);
        background: var(--surface);
      }

      .brand {
        display: flex;
        align-items: center;
        gap: 0.7rem;
        padding: 0.4rem 0.6rem 1.2rem;
        font-size: 1.15rem;
        font-weight: 650;
        overflow-wrap: anywhere;
      }

      .brand img {
        width: 2.1rem;
        height: 2.1rem;
      }

      nav a,
      nav button {
        display: flex;
        align-items: center;
        justify-content: flex-start;
        gap: 0.8rem;
        min-height: 2.9rem;
        padding: 0.4rem 0.8rem;
        border-radius: var(--radius-small);
        color: var(--text);
        font-weight: 550;
        text-decoration: none;
      }

      nav a:hover {
        background: var(--surface-2);
      }

      nav a[aria-current] {
        background: var(--accent-soft);
        color: var(--on-accent-soft);
      }

      nav .skip {
        position: fixed;
        z-index: 30;
        top: -5rem;
        left: 1rem;
      }

      nav .skip:focus {
        top: 1rem;
      }

      nav a span {
        min-width: 0;
        hyphens: auto;
        overflow-wrap: anywhere;
      }

      nav .find span {
        flex: 1;
        text-align: start;
      }

      kbd {
        color: var(--text-2);
        font: 0.8rem var(--font-mono);
      }

      nav .gap {
        flex: 1;
      }

      main {
        grid-area: main;
        width: 100%;
        max-width: 150rem;
        margin: 0 auto;
        padding: 1.6rem clamp(1rem, 2.5vw, 2.6rem) 4rem;
      }

      main:focus {
        outline: none;
      }

      @media (max-width: 52rem) {
        :host {
          grid-template: "banner" auto "main" 1fr / minmax(0, 1fr);
        }

        nav {
          position: fixed;
          z-index: 5;
          top: auto;
          bottom: 0;
          left: 0;
          right: 0;
          flex-direction: row;
          gap: 0;
          width: auto;
          height: auto;
          padding: 0.3rem 0.2rem max(0.3rem, env(safe-area-inset-bottom));
          border-top: 1px solid var(--border);
          border-right: 0;
        }

        nav .brand,
        nav .gap,
        nav .tool,
        nav .log-out,
        kbd {
          display: none;
        }

        nav a,
        nav .find {
          flex: 1 1 auto; /* longer names have more room */
          flex-direction: column;
          justify-content: center;
          gap: 0.1rem;
          min-width: 0;
          padding: 0.3rem 0.1rem;
          font-size: 0.7rem;
          text-align: center;
        }

        nav .find span {
          flex: none;
          text-align: center;
        }

        nav a span {
          max-width: 100%;
          hyphens: auto;
          line-height: 1.15;
          overflow-wrap: anywhere;
        }

        main {
          padding: 1rem 1rem 6.5rem;
        }
      }

      @media print {
        :host {
          display: block;
        }

        .banners,
        nav {
          display: none;
        }

        main {
          padding: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new HomeController(this, "connection", () => this.home);
    new BottomBar(this, () => (this.isBelow() ? this.bar : null));
  }

  private get bar(): HTMLElement | null {
    return this.renderRoot.querySelector("nav");
  }

  // On wide screens it stands at the side.
  private isBelow(): boolean {
    return this.bar !== null && getComputedStyle(this.bar).position === "fixed";
  }

  // Elements stuck to the bottom of the window stand on the navigation, if there is one.
  private readonly resized = new ResizeObserver(() => {
    const height = this.isBelow() ? Math.floor(this.bar?.getBoundingClientRect().height ?? 0) : 0;
    document.documentElement.style.setProperty("--navigation", `${height}px`);
  });

  override firstUpdated(): void {
    if (this.bar) this.resized.observe(this.bar);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    findPlaceBy(() => placeIn(this.element()));
    this.stopNavigation = onNavigation((move) => void this.follow(move));
    void this.follow("pop"); // loaded again, a page stands where it stood
    document.addEventListener("keydown", this.onKey);
    this.paletteTimer = setTimeout(() => void loaded(loadPalette), paletteDelay);
    const { home } = this;
    home.onCall = (asked) => void import("./undo/undo").then(({ note }) => note(home, asked)).catch(() => undefined); // it is done all the same
    home.onPin = async (asked, send) => (await import("./elements/codes/ask_pin")).askPin(home, asked, send);
    void loaded(() => import("./elements/bell")).then(() => (this.rings = true));
    if (this.home.user.is_admin) void loaded(() => import("./elements/recorder_warning")).then(() => (this.warns = true));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopNavigation?.();
    document.removeEventListener("keydown", this.onKey);
    clearTimeout(this.paletteTimer);
    this.resized.disconnect();
  }

  override updated(): void {
    const lost = this.home.connectionState === "lost";
    if (this.wasLost && !lost) notifyDone(t("connection.restored"));
    this.wasLost = lost;
  }

  // Ctrl+K finds and does, from everywhere; "/", too, where nobody is writing. A dialog keeps its keys.
  private readonly onKey = (event: KeyboardEvent): void => {
    const isCommand = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const path = event.composedPath();
    if (event.defaultPrevented || !(isCommand || (isSlash && !isWriting(path[0])))) return;
    if (path.some((element) => element instanceof HTMLDialogElement)) return;
    event.preventDefault();
    void this.find();
  };

  private find(): Promise<unknown> {
    return attempt(async () => {
      await loadPalette();
      this.isFinding = true;
    });
  }

  private page(): Page | undefined {
    const page = pageOf(location.pathname)?.page;
    return page && this.mayShow(page) ? page : undefined;
  }

  private dialogEntity(): string | null {
    return this.page()?.name === "history" ? null : query().get("entity");
  }

  private mayShow(page: Page): boolean {
    return !page.administratorsOnly || this.home.user.is_admin;
  }

  private shownPath = location.pathname;

  private async follow(move: Move): Promise<void> {
    const place = move === "pop" ? pageState() : {};
    const part = query();
    part.delete("entity");
    const isOther = this.shownPart !== part.toString();
    this.shownPart = part.toString();
    const item = pageOf(location.pathname)?.item ?? "";
    const isOtherItem = this.shownItem !== item;
    this.shownItem = item;
    this.requestUpdate();
    const page = this.page();
    this.failure = undefined;
    const named = page ?? pageOf(location.pathname)?.page;
    setTitle({
      page: named ? t(`page.${named.name}`) : t("page.notFound"),
      home: this.home.configuration.location_name,
      isPlain: named?.name === "overview",
    });
    try {
      if (this.dialogEntity()) {
        await Promise.all([import("./views/entity/entity_dialog"), loadWords("dialogs")]);
        this.dialogReady = true;
      }
      if (page) await page.load();
    } catch (error) {
      this.failure = error;
    }
    if (this.page() !== page) return;
    const isFirst = this.shown === undefined;
    const isOtherPath = this.shownPath !== location.pathname;
    this.shownPath = location.pathname;
    const isSame = this.shown === page?.name;
    this.shown = page?.name;
    if (!isFirst && isSame && isOtherPath && move !== "replace") void this.focusHeading("h2");
    if (isSame && move !== "pop" && !isOtherItem && !(isOther && page?.name === "overview")) return;
    await scrollToPlace(place, await this.drawn());
    const isPart = /\/./.test(location.pathname.slice(page?.path.length ?? 0));
    if (!isFirst && !isSame) void this.focusHeading(isPart ? "h2" : "h1");
  }

  // Of a page, a tab or an item, as soon as it stands there: the link that led to it may be gone.
  private async focusHeading(level: "h1" | "h2"): Promise<void> {
    const { pathname } = location;
    const [former] = focusPath();
    const main = this.renderRoot.querySelector("main");
    const take = (wanted: string): boolean => {
      const [now] = focusPath();
      const heading = main && headingIn(main, wanted);
      // Somebody may be elsewhere already.
      if (heading && (!now || now === former)) focusHeading(heading);
      return Boolean(heading);
    };
    for (let frame = 0; frame < patience && location.pathname === pathname; frame += 1) {
      await this.drawn();
      if (take(level)) return;
      await new Promise(requestAnimationFrame);
    }
    if (location.pathname === pathname) take("h1");
  }

  private element(): Element | null | undefined {
    return this.renderRoot.querySelector("main")?.firstElementChild;
  }

  // The page's element, as soon as it stands there.
  private async drawn(): Promise<Element | null | undefined> {
    await this.updateComplete;
    const page = this.element();
    if (page instanceof LitElement) await page.updateComplete;
    return page;
  }

  override render() {
    const entity = this.dialogEntity();
    const lost = this.home.connectionState === "lost";
    return html`
      <div class="banners">
        <hearth-alarm-banner .home=${this.home}></hearth-alarm-banner>
        ${this.warns ? html`<hearth-recorder-warning .home=${this.home}></hearth-recorder-warning>` : nothing}
        ${lost
          ? html`<div class="lost">
              <div role="alert"><hearth-icon .path=${mdiLanDisconnect}></hearth-icon>${t("connection.lost")}</div>
            </div>`
          : nothing}
      </div>
      ${this.navigation()}
      <main id="main" tabindex="-1" class=${lost ? "stale" : ""}>${this.content()}</main>
      ${this.isFinding
        ? html`<hearth-palette .home=${this.home} .pages=${pages} @closed=${() => (this.isFinding = false)}></hearth-palette>`
        : nothing}
      ${entity && this.dialogReady
        ? html`<hearth-entity-dialog
            .home=${this.home}
            .entityId=${entity}
            @closed=${() => setQuery({ entity: undefined })}
          ></hearth-entity-dialog>`
        : nothing}
    `;
  }

  private skip(): void {
    this.renderRoot.querySelector("main")?.focus();
  }

  private navigation(): TemplateResult {
    const current = this.page()?.name;
    return html`<nav aria-label=${t("nav.label")}>
      <button type="button" class="skip" @click=${() => this.skip()}>${t("nav.skip")}</button>
      <div class="brand"><img src="/favicon.svg" alt="" />${this.home.configuration.location_name}</div>
      ${pages
        .filter((page) => this.mayShow(page) && (!page.isTool || this.home.user.is_admin))
        .map(
          (page) =>
            html`${page.name === "profile"
                ? html`<button type="button" class="plain find" aria-keyshortcuts="Control+K /" @click=${() => void this.find()}>
                      <hearth-icon .path=${mdiMagnify}></hearth-icon><span>${t("action.search")}</span
                      ><kbd aria-hidden="true">${findKeys}</kbd>
                    </button>
                    <div class="gap"></div>
                    ${this.rings ? html`<hearth-bell .home=${this.home}></hearth-bell>` : nothing}`
                : nothing}
              <a href=${page.path} class=${page.isTool ? "tool" : ""} aria-current=${page.name === current ? "page" : nothing}>
                <hearth-icon .path=${icons[page.name]}></hearth-icon><span>${t(`page.${page.name}`)}</span>
              </a>`,
        )}
      <button type="button" class="plain log-out" @click=${() => this.dispatchEvent(new CustomEvent("log-out"))}>
        <hearth-icon .path=${mdiLogout}></hearth-icon><span>${t("nav.logOut")}</span>
      </button>
    </nav>`;
  }

  private content(): TemplateResult {
    const page = this.page();
    if (this.failure !== undefined) {
      return html`<hearth-loading .problem=${errorText(this.failure)} @retry=${() => void this.follow("replace")}></hearth-loading>`;
    }
    if (!page && pageOf(location.pathname)) {
      return html`<h1>${t("page.administratorsOnly")}</h1>
        <p>${t("page.administratorsOnlyHint")}</p>`;
    }
    if (!page)
      return html`<h1>${t("page.notFound")}</h1>
        <p>${t("page.notFoundHint")}</p>`;
    if (this.shown !== page.name) return html`<hearth-loading></hearth-loading>`;
    const { tab = "", item = "" } = pageOf(location.pathname) ?? {};
    switch (page.name) {
      case "overview":
        return html`<hearth-overview .home=${this.home}></hearth-overview>`;
      case "history":
        return html`<hearth-history .home=${this.home}></hearth-history>`;
      case "energy":
        return html`<hearth-energy .home=${this.home}></hearth-energy>`;
      case "developer":
        return html`<hearth-developer .home=${this.home} .tab=${tab}></hearth-developer>`;
      case "settings":
        return html`<hearth-settings .home=${this.home} .tab=${tab} .item=${item}></hearth-settings>`;
      case "profile":
        return html`<hearth-profile
          .home=${this.home}
          @log-out=${() => this.dispatchEvent(new CustomEvent("log-out"))}
          @language-changed=${() => this.dispatchEvent(new CustomEvent("language-changed"))}
        ></hearth-profile>`;
    }
  }
}
