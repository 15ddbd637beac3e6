// SPDX-License-Identifier: Apache-2.0
import {
  mdiChevronRight,
  mdiClose,
  mdiCogOutline,
  mdiDevices,
  mdiFileDocumentOutline,
  mdiLightningBoltOutline,
  mdiMagnify,
  mdiSofaOutline,
} from "virtual:icons/lazy";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Home, Unsubscribe } from "../../api/home";
import { cardOf } from "../../cards/card_of";
import { iconOf } from "../../cards/icons";
import { stateText } from "../../cards/state_text";
import { EntitiesController } from "../../elements/controllers";
import { firstFocusable, focusPath, giveBack } from "../../elements/focus";
import { loaded } from "../../elements/loaded";
import { t } from "../../i18n/catalogue";
import { WordsController } from "../../i18n/late_words";
import { base, pageOf, type Page } from "../../router";
import { shared } from "../../styles/shared";
import type { Command } from "./commands";
import type { Entry, EntryKind } from "./entries";
import { paletteStyles } from "./palette_styles";
import { perform, start } from "./perform";
import { commandKey, rememberKey } from "./recent";
import { entriesOf, firstRows, foundRows, loadLexicon, type Found, type Row } from "./rows";
import "../../elements/icon";

// A change of what there is is read after this, together with those that come meanwhile. Milliseconds.
const patience = 300;

const icons: Record<Exclude<EntryKind, "thing">, string> = {
  room: mdiSofaOutline,
  page: mdiFileDocumentOutline,
  settings: mdiCogOutline,
  device: mdiDevices,
};

// Controls are drawn when typing pauses, so that each key is answered at once. Milliseconds.
const pause = 150;

// The state of these says it all; others have a control where their card has one.
const onlyLooked = /^(sensor|binary_sensor|climate|weather|person|zone|sun|device_tracker|event)\./;

// A field that finds all that there is, and does what it is told in words. Fires `closed` when the user leaves it; its creator then
// removes it.
@customElement("hearth-palette")
export class Palette extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) pages: readonly Page[] = [];
  @state() private text = "";
  @state() private active = -1;
  @state() private isPainted = false;
  private isReady = false;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("input") private input!: HTMLInputElement;
  private found: Found = { rows: [], left: 0, isSimilar: false, recent: 0 };
  private opener: HTMLElement[] | undefined;
  private stop: Unsubscribe | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private pressedBeside = false;
  // The rows that have their controls.
  private controlled = new Set<string>();
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private readonly words = new WordsController(this, "palette");
  // Of the settings' tabs, for administrators.
  private readonly administration = new WordsController(this, "administration");

  static override styles = [shared, paletteStyles];

  constructor() {
    super();
    new EntitiesController(this, () => ({ home: this.home, ids: this.shownIds }));
  }

  private get rows(): Row[] {
    return this.found.rows;
  }

  private get shownIds(): string[] {
    return this.rows.map((row) => ("entry" in row ? row.entry.entity : undefined)).filter((id) => id !== undefined);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stop = this.home.on("structure", () => {
      this.waiting ??= setTimeout(() => {
        this.waiting = undefined;
        this.search();
      }, patience);
    });
    void loaded(() => loadLexicon()).then(() => this.search());
  }

  override firstUpdated(): void {
    this.opener = focusPath();
    this.dialog.showModal();
    this.input.focus();
    // The field is there before all that can be found has been read.
    requestAnimationFrame(() => setTimeout(() => (this.isPainted = true)));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    clearTimeout(this.waiting);
    clearTimeout(this.pausing);
    this.waiting = undefined;
    this.dialog?.close();
    if (this.opener) giveBack(this.opener);
  }

  override updated(): void {
    if (!this.isReady && this.isPainted && this.words.areThere && this.administration.areThere) {
      this.isReady = true;
      this.search();
    }
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  private leave(): void {
    this.dispatchEvent(new CustomEvent("closed"));
  }

  private search(): void {
    if (!this.isReady || !this.isConnected) return;
    const chosen = this.rows[this.active]?.key;
    const text = this.text.trim();
    const entries = entriesOf(this.home, this.pages);
    this.found = text === "" ? firstRows(this.home, entries) : foundRows(this.home, entries, text);
    const same = this.rows.findIndex(({ key }) => key === chosen);
    this.active = text === "" ? same : Math.max(0, same);
    this.controlled = new Set(this.rows.map(({ key }) => key).filter((key) => this.controlled.has(key)));
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => this.control(), pause);
    this.requestUpdate();
  }

  private control(): void {
    clearTimeout(this.pausing);
    this.controlled = new Set(this.rows.map(({ key }) => key));
    this.requestUpdate();
  }

  // The control of the row that is chosen, as soon as it is drawn.
  private async toControl(): Promise<void> {
    this.control();
    await this.updateComplete;
    const cell = this.renderRoot.querySelector(`#row-${this.active} .control`);
    for (const card of cell?.children ?? []) if (card instanceof LitElement) await card.updateComplete;
    ((cell && firstFocusable(cell)) ?? this.renderRoot.querySelector<HTMLElement>(".top button"))?.focus();
  }

  private press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const last = this.rows.length - 1;
    switch (event.key) {
      case "ArrowDown":
        event.preventDefault();
        this.active = this.active >= last ? 0 : this.active + 1;
        return;
      case "ArrowUp":
        event.preventDefault();
        this.active = this.active <= 0 ? last : this.active - 1;
        return;
      case "Enter": {
        event.preventDefault();
        this.choose(this.rows[this.active]);
        return;
      }
      case "Tab": {
        const row = this.rows[this.active];
        if (event.shiftKey || !row || !("entry" in row) || !this.hasControl(row.entry)) return;
        event.preventDefault();
        void this.toControl();
      }
    }
  }

  // Ctrl+K opened it, and closes it again.
  private pressAnywhere(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.leave();
  }

  private hasControl({ entity }: Entry): boolean {
    return entity !== undefined && !this.home.user.is_read_only && !onlyLooked.test(entity);
  }

  // The commands of an entity that is started at once.
  private startedBy({ entity }: Entry): boolean {
    return !this.home.user.is_read_only && entity !== undefined && /^(scene|script)\./.test(entity);
  }

  private linkOf({ link, entity = "" }: Entry): string {
    if (link !== undefined) return link;
    // The page History draws what ?entity= names.
    const isHistory = pageOf(location.pathname)?.page.name === "history";
    const parameters = new URLSearchParams(isHistory ? "" : location.search);
    parameters.set("entity", entity);
    return `${isHistory ? `${base}/overview` : location.pathname}?${parameters.toString()}`;
  }

  private choose(row: Row | undefined): void {
    if (!row) return;
    const { home } = this;
    if ("command" in row) {
      if (row.command.calls.length === 0) return;
      rememberKey(home, commandKey(row.typed));
      this.leave();
      void perform(home, row.command);
      return;
    }
    rememberKey(home, row.key);
    if (row.entry.entity !== undefined && this.startedBy(row.entry)) {
      this.leave();
      void start(home, row.entry.entity);
      return;
    }
    this.renderRoot.querySelector<HTMLElement>(`#row-${this.rows.indexOf(row)} a`)?.click();
  }

  // The link is followed as soon as the dialog is gone, from where the focus was before: what opens then gives it back to there.
  private follow(event: MouseEvent, row: Row): void {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    rememberKey(this.home, row.key);
    const { opener } = this;
    this.opener = undefined;
    this.dialog.close();
    opener?.[0]?.focus();
    const link = document.createElement("a");
    link.href = (event.currentTarget as HTMLAnchorElement).href;
    document.body.append(link);
    link.click();
    link.remove();
    this.leave();
  }

  override render() {
    const active = this.rows[this.active] ? `row-${this.active}` : nothing;
    return html`<dialog
      aria-label=${t("palette.label")}
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.leave();
      }}
      @pointerdown=${(event: Event) => (this.pressedBeside = event.target === this.dialog)}
      @click=${(event: Event) => event.target === this.dialog && this.pressedBeside && this.leave()}
      @keydown=${(event: KeyboardEvent) => this.pressAnywhere(event)}
    >
      <div class="top">
        <hearth-icon .path=${mdiMagnify}></hearth-icon>
        <input
          role="combobox"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          enterkeyhint="go"
          maxlength="200"
          aria-label=${t("palette.label")}
          aria-autocomplete="list"
          aria-haspopup="grid"
          aria-expanded=${this.rows.length > 0 ? "true" : "false"}
          aria-controls="found"
          aria-activedescendant=${active}
          placeholder=${this.words.areThere ? t("palette.placeholder") : ""}
          @input=${() => {
            this.text = this.input.value;
            this.active = 0;
            this.found = { ...this.found, rows: [] };
            this.search();
          }}
          @keydown=${(event: KeyboardEvent) => this.press(event)}
        />
        <button type="button" class="plain round" aria-label=${t("action.close")} @click=${() => this.leave()}>
          <hearth-icon .path=${mdiClose}></hearth-icon>
        </button>
      </div>
      ${this.words.areThere ? this.results() : html`<div class="found"></div>`}
    </dialog>`;
  }

  private results(): TemplateResult {
    const { rows, left, isSimilar, recent } = this.found;
    const text = this.text.trim();
    const isNone = this.isReady && text !== "" && rows.length === 0;
    const about = (index: number) => {
      if (index === 0 && isSimilar) return t("palette.similar", { text });
      if (text !== "") return "";
      return index === 0 && recent > 0 ? t("palette.recent") : index === recent ? t("palette.start") : "";
    };
    return html`<div class="found">
        <div id="found" role=${rows.length > 0 ? "grid" : nothing} aria-label=${rows.length > 0 ? t("palette.results") : nothing}>
          ${repeat(
            rows,
            ({ key }) => key,
            (row, index) =>
              html`${about(index) ? html`<div class="about" aria-hidden="true">${about(index)}</div>` : nothing} ${this.row(row, index)}`,
          )}
        </div>
        ${isNone ? html`<p class="none">${t("palette.none", { text })}</p>` : nothing}
        ${left > 0 ? html`<p class="about">${t("palette.more", { count: left })}</p>` : nothing}
      </div>
      <p class="visually-hidden" role="status">
        ${text === "" || !this.isReady
          ? ""
          : isNone
            ? t("palette.none", { text })
            : `${isSimilar ? t("palette.similar", { text }) : ""} ${t("palette.found", { count: rows.length + left })}`}
      </p>
      <p class="keys" aria-hidden="true">${t("palette.keys")}</p>`;
  }

  private row(row: Row, index: number): TemplateResult {
    const isActive = index === this.active;
    return html`<div
      id="row-${index}"
      role="row"
      class=${"command" in row ? "command" : ""}
      aria-selected=${isActive ? "true" : "false"}
      @pointermove=${(event: PointerEvent) => event.pointerType === "mouse" && !isActive && (this.active = index)}
    >
      ${"command" in row ? this.command(row.command, row) : this.entry(row.entry, row)}
    </div>`;
  }

  private command({ text, note, calls }: Command, row: Row): TemplateResult {
    return html`<div role="gridcell" class="main" aria-disabled=${calls.length === 0 ? "true" : nothing} @click=${() => this.choose(row)}>
      <div>
        <hearth-icon .path=${mdiLightningBoltOutline}></hearth-icon>
        <div class="words">
          <div class="name" dir="auto" title=${text}>${text}</div>
          <div class="note" dir="auto" title=${note}>${note}</div>
        </div>
      </div>
    </div>`;
  }

  private entry(entry: Entry, row: Row): TemplateResult {
    const { home } = this;
    const entity = entry.entity === undefined ? undefined : home.entity(entry.entity);
    const drawn = entity ? iconOf(home, entity) : undefined;
    const path = drawn?.path ?? (entry.kind === "thing" ? mdiChevronRight : icons[entry.kind]);
    const note = this.noteOf(entry);
    const inner = html`<hearth-icon .name=${drawn?.name ?? entry.icon ?? ""} .path=${path}></hearth-icon>
      <div class="words">
        <div class="name" dir="auto" title=${entry.name}>${entry.name}</div>
        ${note ? html`<div class="note" title=${note}>${note}</div>` : nothing}
      </div>
      ${entry.kind === "thing" ? nothing : html`<span class="kind">${t(`palette.${entry.kind}`)}</span>`}`;
    const main = this.startedBy(entry)
      ? html`<div @click=${() => this.choose(row)}>${inner}</div>`
      : html`<a tabindex="-1" href=${this.linkOf(entry)} @click=${(event: MouseEvent) => this.follow(event, row)}>${inner}</a>`;
    const hasControl = entity && this.controlled.has(row.key) && this.hasControl(entry);
    return html`<div role="gridcell" class="main">${main}</div>
      ${hasControl ? html`<div role="gridcell" class="control">${cardOf(home, entity.entity_id, { bare: true })}</div>` : nothing}`;
  }

  // "On · Kitchen"; of a scene what choosing it does.
  private noteOf(entry: Entry): string {
    const { home } = this;
    const id = entry.entity ?? "";
    const entity = home.entity(id);
    if (!entity) return "";
    const domain = id.slice(0, id.indexOf("."));
    const starts = this.startedBy(entry) ? t(domain === "scene" ? "palette.scene" : "palette.script") : undefined;
    const said = starts ?? (domain === "automation" ? `${t("palette.automation")} · ${stateText(home, entity)}` : stateText(home, entity));
    return [said, home.areaOf(id)?.name].filter(Boolean).join(" · ");
  }
}
