// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { orderedAreas } from "../../../api/floors";
import type { Home } from "../../../api/home";
import { attempt } from "../../../elements/notify";
import { areaChoices, entityChoices } from "../../../elements/home_choices";
import { t } from "../../../i18n/catalogue";
import { forgetPanel, keepPanel, keptPanel } from "../../../panel_mode";
import { base, navigate } from "../../../router";
import { shared } from "../../../styles/shared";
import { areaThing, nameOfThing, favoritesPanel, pagePrefix, writePages, type OwnPage } from "./panel_content";
import { isPin } from "./pin_guard";
import "../../../elements/action";
import "../../../elements/dialog";
import "../../../elements/fields/picker";
import "../../../elements/fields/switch";

const newPage = "new";

// Chooses what a panel shows and who may leave it, and leaves it. Fires `closed`, and `change-pages` with the pages of one's own.
@customElement("hearth-panel-setup")
export class PanelSetup extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() shows = "";
  @property({ attribute: false }) pages: OwnPage[] = [];
  @state() private chosen = "";
  @state() private name = "";
  @state() private things: string[] = [];
  @state() private stays = false;
  @state() private pin = "";
  @state() private problems: { pin?: string; name?: string } = {};

  static override styles = [
    shared,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 1.1rem;
      }

      .line {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 1rem;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const kept = keptPanel();
    this.stays = kept !== undefined;
    this.pin = kept?.pin ?? "";
    this.choose(this.shows || orderedAreas(this.home)[0]?.area_id || newPage);
  }

  private choose(chosen: string): void {
    this.chosen = chosen;
    const page = this.pages.find(({ id }) => chosen === pagePrefix + id);
    this.name = page?.name ?? "";
    this.things = page?.things ?? [];
  }

  private get isPage(): boolean {
    return this.chosen === newPage || this.chosen.startsWith(pagePrefix);
  }

  // The page that was made or changed is kept by the hub, and what this browser is by the browser.
  private async save(): Promise<void> {
    this.problems = {
      ...(this.stays && this.pin !== "" && !isPin(this.pin) && { pin: t("panel.badPin") }),
      ...(this.isPage && this.name.trim() === "" && { name: t("panel.noName") }),
    };
    if (Object.keys(this.problems).length > 0) return;
    let shows = this.chosen;
    if (this.isPage) {
      const id = shows === newPage ? String(Date.now()) : shows.slice(pagePrefix.length);
      const page = { id, name: this.name.trim(), things: this.things };
      const isKnown = this.pages.some((other) => other.id === id);
      const pages = isKnown ? this.pages.map((other) => (other.id === id ? page : other)) : [...this.pages, page];
      await writePages(this.home, pages);
      this.dispatchEvent(new CustomEvent("change-pages", { detail: pages }));
      shows = pagePrefix + id;
    }
    if (this.stays) keepPanel({ shows, pin: this.pin });
    else forgetPanel();
    this.dispatchEvent(new CustomEvent("closed"));
    navigate(`${base}/overview?panel=${encodeURIComponent(shows)}`, "replace");
  }

  private leave(): void {
    forgetPanel();
    navigate(`${base}/overview`, "replace");
  }

  override render() {
    return html`<hearth-dialog .heading=${t("panel.setUp")} @closed=${() => this.dispatchEvent(new CustomEvent("closed"))}>
      <form novalidate @submit=${(event: Event) => (event.preventDefault(), void attempt(() => this.save()))}>
        <div>
          <label for="shows">${t("panel.shows")}</label>
          <select id="shows" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
            ${this.option("", "")} ${this.option(favoritesPanel, t("overview.favorites"))}
            ${orderedAreas(this.home).map(({ area_id, name }) => this.option(area_id, name))}
            ${this.pages.map(({ id, name }) => this.option(pagePrefix + id, t("panel.ofPage", { name })))}
            ${this.option(newPage, t("panel.newPage"))}
          </select>
        </div>
        ${this.isPage ? this.page() : nothing}
        <div>
          <div class="line">
            <span id="stays">${t("panel.stays")}</span>
            <hearth-switch
              .label=${t("panel.stays")}
              .checked=${this.stays}
              @toggle=${(event: CustomEvent<boolean>) => (this.stays = event.detail)}
            ></hearth-switch>
          </div>
          <p class="hint">${t("panel.staysHint")}</p>
        </div>
        ${this.stays ? this.pinField() : nothing}
        <button type="submit" class="primary">${t("action.save")}</button>
        <button type="button" @click=${() => this.leave()}>${t("panel.leave")}</button>
      </form>
    </hearth-dialog>`;
  }

  private option(value: string, text: string): TemplateResult | typeof nothing {
    if (value === "" && this.chosen !== "") return nothing;
    return html`<option value=${value} ?selected=${this.chosen === value}>${text}</option>`;
  }

  private page(): TemplateResult {
    const { home } = this;
    return html`<div>
        <label for="name">${t("panel.pageName")}</label>
        <input
          id="name"
          maxlength="255"
          .value=${this.name}
          aria-invalid=${this.problems.name ? "true" : "false"}
          @input=${(event: Event) => (this.name = (event.target as HTMLInputElement).value)}
        />
        ${this.problems.name ? html`<p class="problem" role="alert">${this.problems.name}</p>` : nothing}
      </div>
      <hearth-picker
        .label=${t("panel.things")}
        multiple
        .chosen=${this.things}
        .choices=${() => [
          ...entityChoices(home),
          ...areaChoices(home).map(({ id, name }) => ({ id: areaThing(id), name, note: t("panel.rooms"), group: t("panel.rooms") })),
        ]}
        .nameOf=${(thing: string) => nameOfThing(home, thing)}
        @change-chosen=${({ detail }: CustomEvent<string[]>) => (this.things = detail)}
      ></hearth-picker>`;
  }

  private pinField(): TemplateResult {
    return html`<div>
      <label for="pin">${t("panel.pin")}</label>
      <input
        id="pin"
        type="password"
        inputmode="numeric"
        autocomplete="off"
        maxlength="8"
        .value=${this.pin}
        aria-describedby="pin-hint"
        aria-invalid=${this.problems.pin ? "true" : "false"}
        @input=${(event: Event) => (this.pin = (event.target as HTMLInputElement).value)}
      />
      ${this.problems.pin ? html`<p class="problem" role="alert">${this.problems.pin}</p>` : nothing}
      <p id="pin-hint" class="hint">${t("panel.pinHint")}</p>
    </div>`;
  }
}
