// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { devicesOf, entitiesAlone, EntriesController, type ConfigEntry } from "../../../api/connections/entries";
import type { Home } from "../../../api/home";
import type { Device } from "../../../api/types";
import { HomeController } from "../../../elements/controllers";
import { focusHeading } from "../../../elements/focus";
import { TitleController } from "../../../elements/title";
import { language, t } from "../../../i18n/catalogue";
import { base } from "../../../router";
import { shared } from "../../../styles/shared";
import { connectionPath, connectPath } from "./paths";
import { entryState } from "./entry_state";
import "../../../elements/loading";
import "./entry_devices";
import "./entry_entities";

// The connection that was just made, and its devices, each with a choice of its room.
@customElement("hearth-new-connection")
export class NewConnection extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property({ attribute: false }) entryId = "";
  // The form that had the focus is gone: the heading takes it as soon as it is there.
  @property({ attribute: false }) takesFocus = false;
  private readonly entries = new EntriesController(this, () => this.home);

  static override styles = [
    shared,
    css`
      h2:focus {
        outline: none;
      }

      .button.primary {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-text);
      }

      .button.primary:hover {
        filter: brightness(1.08);
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 2, () => this.heading);
    new HomeController(this, "structure", () => this.home);
  }

  override updated(): void {
    const heading = this.takesFocus && this.entries.items && this.renderRoot.querySelector("h2");
    if (!heading) return;
    this.takesFocus = false;
    focusHeading(heading);
  }

  private get entry(): ConfigEntry | undefined {
    return this.entries.named(this.entryId);
  }

  private get heading(): string {
    const { entry } = this;
    if (!entry) return "";
    return t(entry.state === "loaded" ? "flow.success" : "flow.added", { name: entry.title });
  }

  override render() {
    const { entry } = this;
    if (!this.entries.items && this.entries.failure === undefined) return html`<hearth-loading></hearth-loading>`;
    if (!entry) {
      return html`<section class="card stack">
        <h2>${t("connections.unknown")}</h2>
        <p>${t("connections.unknownHint")}</p>
      </section>`;
    }
    const devices = devicesOf(this.home, entry, language());
    return html`<section class="card stack">
      <h2>${this.heading}</h2>
      ${entry.state === "loaded" ? nothing : entryState(entry)} ${this.rooms(entry, devices)}
      <div class="end-buttons">
        <a class="button" href=${connectPath({ handler: entry.domain })}>${t("flow.another")}</a>
        <a class="button" href=${connectionPath(entry.entry_id)}>${t("flow.details")}</a>
        <a class="button primary" href="${base}/settings/devices">${t("flow.done")}</a>
      </div>
    </section>`;
  }

  private rooms(entry: ConfigEntry, devices: Device[]): TemplateResult {
    const alone = entitiesAlone(this.home, entry);
    const text =
      devices.length > 0
        ? t("connections.brings", { count: devices.length })
        : alone.length > 0
          ? t("connections.bringsEntities", { count: alone.length })
          : "";
    return html`<div role="status">
        ${text ? html`<p>${text}</p>` : entry.state === "setup_error" ? nothing : html`<p class="muted">${t("flow.devicesComing")}</p>`}
      </div>
      ${devices.length === 0
        ? nothing
        : this.home.areas.size === 0
          ? html`<div><a class="button" href="${base}/settings/areas/rooms">${t("flow.makeRooms")}</a></div>`
          : html`<p class="hint">${t("flow.roomsHint")}</p>`}
      <hearth-entry-devices .home=${this.home} .devices=${devices}></hearth-entry-devices>
      <hearth-entry-entities .home=${this.home} .ids=${alone}></hearth-entry-entities>`;
  }
}
