// SPDX-License-Identifier: Apache-2.0
import { mdiDotsVertical, mdiLanDisconnect, mdiWeatherPartlyCloudy } from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import { idsOf } from "../../../api/alerts";
import type { Home, Unsubscribe } from "../../../api/home";
import type { Entity } from "../../../api/types";
import { numberIn, textIn } from "../../../cards/attributes";
import { cardOf } from "../../../cards/card_of";
import { stateIcon } from "../../../cards/icons";
import { stateText, withUnit } from "../../../cards/state_text";
import { askCodeUntilTaken } from "../../../elements/codes/code_pad";
import { EntitiesController, HomeController } from "../../../elements/controllers";
import { loaded } from "../../../elements/loaded";
import { styles } from "../../../elements/styles_directive";
import { setTitle } from "../../../elements/title";
import { formatNumber, formatTime, t } from "../../../i18n/catalogue";
import { WordsController } from "../../../i18n/late_words";
import { keptPanel } from "../../../panel_mode";
import { onNavigation, query, setQuery } from "../../../router";
import { shared } from "../../../styles/shared";
import { Doorbells, pictureFor } from "./doorbell";
import { contentOf, readPages, type OwnPage } from "./panel_content";
import { panelStyles } from "./panel_styles";
import { PinGuard } from "./pin_guard";
import "../../../elements/alarm_banner";
import "../../../elements/dialog";
import "../../../elements/icon";
import "../../../elements/picture";

// Milliseconds: until a panel that nobody touches is dark, and as long as the picture of the door stays.
const idle = 60_000;
const atTheDoor = 60_000;
const second = 1000;
// As many cards are drawn.
const most = 60;
// Large enough for a finger at an arm's length: everything is measured by it.
const fontSize = "clamp(19px, 0.75vw + 10px, 26px)";
// The clock's places, one a minute, in rem.
const shifts = [
  [0, 0],
  [0.4, 0.2],
  [0.8, 0],
  [0.6, -0.3],
  [0.2, -0.2],
] as const;
const touches = ["pointerdown", "pointermove", "keydown", "wheel"] as const;

// The page of a screen on a wall: a clock, the weather, and what one room can do; no way to other pages but by its PIN.
@customElement("hearth-panel")
export class Panel extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() shows = "";
  @state() private isDim = false;
  @state() private isSettingUp = false;
  @state() private dialogReady = false;
  @state() private pages: OwnPage[] | undefined;
  // The bell that rings.
  @state() private bell: string | undefined;
  private version = "";
  private minute = "";
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private bellTimer: ReturnType<typeof setTimeout> | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;
  private lock: WakeLockSentinel | undefined;
  private stops: Unsubscribe[] = [];
  private readonly guard = new PinGuard();
  private readonly words = new WordsController(this, "panel");

  static override styles = [shared, panelStyles];

  constructor() {
    super();
    new HomeController(this, "structure", () => this.home);
    new HomeController(this, "connection", () => this.home);
    new HomeController(this, "alerts", () => this.home);
    new EntitiesController(this, () => ({ home: this.home, ids: this.watched }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.version = this.home.configuration.version;
    document.documentElement.style.fontSize = fontSize;
    const bells = new Doorbells(this.home, (id) => this.ring(id));
    this.stops = [() => bells.stop(), onNavigation(() => this.follow())];
    for (const touch of touches) document.addEventListener(touch, this.touched, { capture: true, passive: false });
    document.addEventListener("visibilitychange", this.keepAwake);
    this.clock = setInterval(() => this.tick(), second);
    void this.keepAwake();
    void loaded(() => readPages(this.home)).then((pages) => (this.pages = pages));
    this.follow();
    this.rest();
    if (this.shows === "") void this.setUp();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.documentElement.style.fontSize = "";
    for (const stop of this.stops) stop();
    for (const touch of touches) document.removeEventListener(touch, this.touched, { capture: true });
    document.removeEventListener("visibilitychange", this.keepAwake);
    clearInterval(this.clock);
    clearTimeout(this.idleTimer);
    clearTimeout(this.bellTimer);
    void this.lock?.release().catch(() => undefined);
    this.lock = undefined;
  }

  // Browsers take it back when the page is hidden, and some have none.
  private readonly keepAwake = async (): Promise<void> => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    this.lock = await navigator.wakeLock.request("screen").catch(() => undefined);
  };

  // The first touch of a dark panel wakes it, and does nothing else.
  private readonly touched = (event: Event): void => {
    if (event.type === "pointermove" && (event as PointerEvent).pointerType !== "touch" && this.isDim) return;
    if (this.isDim && event.type === "keydown") {
      event.preventDefault();
      event.stopPropagation();
      this.isDim = false;
    }
    this.rest();
  };

  private rest(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.dim(), idle);
  }

  // Goes back to how the panel was opened, and takes what an upgrade of the hub has brought.
  private dim(): void {
    this.isSettingUp = false;
    this.bell = undefined;
    // Questions are answered with no.
    for (const { shadowRoot } of document.body.children)
      shadowRoot?.querySelector("hearth-dialog")?.dispatchEvent(new CustomEvent("closed"));
    if (query().has("entity")) setQuery({ entity: undefined }, "replace");
    window.scrollTo({ top: 0 });
    this.isDim = true;
    this.upgrade();
  }

  private upgrade(): void {
    if (this.isDim && this.home.connectionState === "connected" && this.home.configuration.version !== this.version) location.reload();
  }

  private tick(): void {
    if (this.time !== this.minute) this.requestUpdate();
  }

  private follow(): void {
    this.requestUpdate();
    if (query().has("entity") && !this.dialogReady)
      void loaded(() => import("../../entity/entity_dialog")).then(() => (this.dialogReady = true));
  }

  private ring(id: string): void {
    this.bell = id;
    this.isDim = false;
    this.rest();
    clearTimeout(this.bellTimer);
    this.bellTimer = setTimeout(() => (this.bell = undefined), atTheDoor);
  }

  private async setUp(): Promise<void> {
    await loaded(() => import("./panel_setup"));
    const pin = keptPanel()?.pin ?? "";
    if (pin === "") {
      this.isSettingUp = true;
      return;
    }
    await askCodeUntilTaken({
      heading: t("panel.unlock"),
      action: t("panel.open"),
      ofDigits: true,
      send: (code) => {
        const problem = this.guard.problemOf(code, pin);
        this.isSettingUp = problem === "";
        return Promise.resolve(problem);
      },
    });
  }

  private get time(): string {
    return formatTime(new Date(), this.home.configuration.time_zone, { timeStyle: "short" });
  }

  private get weather(): string | undefined {
    for (const id of this.home.entities.keys()) if (id.startsWith("weather.")) return id;
    return undefined;
  }

  private get picture(): string | undefined {
    return this.bell === undefined ? undefined : pictureFor(this.home, this.bell);
  }

  private get watched(): string[] {
    if (!this.home) return [];
    return [this.weather, this.picture].filter((id) => id !== undefined);
  }

  // An alarm is not hidden by the dark.
  private get isDark(): boolean {
    return this.isDim && idsOf(this.home.alerts.values(), "alarm").length === 0;
  }

  override willUpdate(): void {
    this.upgrade();
  }

  override updated(): void {
    if (this.words.areThere) setTitle({ page: t("panel.name"), home: this.home.configuration.location_name, isPlain: false });
  }

  override render() {
    if (!this.words.areThere || !this.pages) return nothing;
    const content = contentOf(this.home, this.shows, this.pages);
    const isLost = this.home.connectionState === "lost";
    const entity = query().get("entity");
    return html`<hearth-alarm-banner .home=${this.home}></hearth-alarm-banner>
      ${isLost
        ? html`<div class="lost" role="alert"><hearth-icon .path=${mdiLanDisconnect}></hearth-icon> ${t("connection.lost")}</div>`
        : nothing}
      <main class=${isLost ? "stale" : ""}>
        <header>
          ${this.drawClock()} ${this.drawWeather()}
          <h1>${content.heading}</h1>
          <button type="button" class="plain round" aria-label=${t("panel.setUp")} @click=${() => void this.setUp()}>
            <hearth-icon .path=${mdiDotsVertical}></hearth-icon>
          </button>
        </header>
        ${content.problem ? html`<p class="card about">${content.problem}</p>` : nothing}
        <div class="cards">
          ${repeat(
            content.ids.slice(0, most),
            (id) => id,
            (id) => cardOf(this.home, id),
          )}
        </div>
        ${content.ids.length > most ? html`<p class="hint">${t("panel.left", { count: content.ids.length - most })}</p>` : nothing}
      </main>
      ${entity && this.dialogReady
        ? html`<hearth-entity-dialog
            .home=${this.home}
            .entityId=${entity}
            @closed=${() => setQuery({ entity: undefined })}
          ></hearth-entity-dialog>`
        : nothing}
      ${this.isSettingUp
        ? html`<hearth-panel-setup
            .home=${this.home}
            .shows=${this.shows}
            .pages=${this.pages}
            @change-pages=${(event: CustomEvent<OwnPage[]>) => (this.pages = event.detail)}
            @closed=${() => (this.isSettingUp = false)}
          ></hearth-panel-setup>`
        : nothing}
      ${this.bell === undefined ? nothing : this.drawDoor(this.bell)}
      ${this.isDark
        ? html`<button type="button" class="dim" aria-label=${t("panel.wake")} @click=${() => (this.isDim = false)}>
            ${this.drawClock()}
          </button>`
        : nothing}`;
  }

  private drawClock(): TemplateResult {
    this.minute = this.time;
    const now = new Date();
    const [x, y] = shifts[Math.floor(now.getTime() / 60_000) % shifts.length] ?? shifts[0];
    const zone = this.home.configuration.time_zone;
    return html`<div class="clock" ${styles({ "--shift-x": `${x}rem`, "--shift-y": `${y}rem` })}>
      <div class="time">${this.minute}</div>
      <div class="date">${formatTime(now, zone, { weekday: "long", day: "numeric", month: "long" })}</div>
    </div>`;
  }

  private drawWeather(): TemplateResult | typeof nothing {
    const entity = this.weather === undefined ? undefined : this.home.entity(this.weather);
    if (!entity || entity.state === "unavailable") return nothing;
    const parameters = query();
    parameters.set("entity", entity.entity_id);
    return html`<a class="weather" href="?${parameters.toString()}" title=${t("panel.weather")}>
      <hearth-icon .path=${stateIcon("weather", entity.state) ?? mdiWeatherPartlyCloudy}></hearth-icon>
      <span><strong>${this.degrees(entity)}</strong> ${stateText(this.home, entity)}</span>
    </a>`;
  }

  private degrees(entity: Entity): string {
    const now = numberIn(entity, "temperature");
    const unit = textIn(entity, "temperature_unit") || (this.home.configuration.unit_system.temperature ?? "°C");
    return now === undefined ? "" : withUnit(formatNumber(now, { maximumFractionDigits: 0 }), unit);
  }

  private drawDoor(bell: string): TemplateResult {
    const { picture } = this;
    const entity = picture === undefined ? undefined : this.home.entity(picture);
    return html`<hearth-dialog .heading=${t("panel.rings", { name: this.home.nameOf(bell) })} @closed=${() => (this.bell = undefined)}>
      <hearth-picture
        .src=${entity ? textIn(entity, "entity_picture") : ""}
        .label=${t("panel.whoIsThere")}
        .missing=${t("panel.noPicture")}
        .seconds=${picture?.startsWith("camera.") ? 2 : 0}
      ></hearth-picture>
    </hearth-dialog>`;
  }
}
