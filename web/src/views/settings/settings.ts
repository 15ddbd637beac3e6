// SPDX-License-Identifier: Apache-2.0
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Home } from "../../api/home";
import { readSites } from "../../api/sites";
import { notifyDone } from "../../elements/notify";
import { TitleController } from "../../elements/title";
import { loadWords, t } from "../../i18n/catalogue";
import { loadReportMessages } from "../../i18n/hub_messages";
import { isSettingsTab, settingsTabName, settingsTabs } from "../../i18n/settings_tabs";
import { base } from "../../router";
import { shared } from "../../styles/shared";
import "../../elements/home_form";
import "../../elements/late";
import "../../elements/tabs";
import "../automation/automation_page";
import "./devices/add_devices";
import "./devices/arrange_devices";
import "./areas";
import "./rooms";
import "./automations";
import "./system/backups";
import "./devices/device_page";
import "./devices/devices";
import "./people/audit_log";
import "./people/login_attempts";
import "./devices/mqtt";
import "./sites";
import "./system/system";
import "./people/users";

type Blueprints = typeof import("../blueprints/pages");
const loadBlueprints = (): Promise<Blueprints> => import("../blueprints/pages");
const blueprintPages = ["blueprints", "blueprint", "import-blueprint", "copy-blueprint", "make-blueprint", "use-blueprint"];

type Import = typeof import("./import/import_page");
// With the words that only these pages say.
const loadImport = (): Promise<Import> =>
  Promise.all([import("./import/import_page"), loadWords("moving"), loadReportMessages()]).then(([module]) => module);

type EnergyPage = typeof import("./energy/meters");
const loadEnergy = (): Promise<EnergyPage> => Promise.all([import("./energy/meters"), loadWords("energy")]).then(([module]) => module);

type Connections = typeof import("./connections/pages");
const loadConnections = async (): Promise<Connections> => {
  const [pages] = await Promise.all([import("./connections/pages"), loadWords("connections")]);
  return pages;
};
type People = typeof import("./people/pages");
const loadPeople = (): Promise<People> => Promise.all([import("./people/pages"), loadWords("people")]).then(([module]) => module);

const connectionPages = ["connections", "connection", "connect"];

function pathOf(tab: string): string {
  return tab === "" ? `${base}/settings` : `${base}/settings/${tab}`;
}

@customElement("hearth-settings")
export class Settings extends LitElement {
  @property({ attribute: false }) home!: Home;
  @property() tab = "";
  // The part of the tab that is shown alone: a device's id.
  @property() item = "";
  // True if this hub is the portal of a fleet.
  @state() private isPortal = false;

  static override styles = [
    shared,
    css`
      :host {
        max-width: 72rem;
        margin: 0 auto;
      }

      /* On a phone an automation has the screen for itself; the link above it leads back. */
      @media (max-width: 40rem) {
        h1.around-item {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }

        hearth-tabs.around-item {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    new TitleController(this, 1, () => (isSettingsTab(this.tab) ? settingsTabName(this.tab) : ""));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    readSites(this.home).then(
      ({ portal }) => (this.isPortal = portal),
      () => undefined, // without it the tab is not listed, and works all the same
    );
  }

  override render() {
    const place = this.item && this.tab === "automations" ? "around-item" : "";
    return html`<div class="stack">
      <h1 class=${place}>${t("page.settings")}</h1>
      <hearth-tabs
        class=${place}
        .label=${t("page.settings")}
        .tabs=${settingsTabs
          .filter((tab) => tab !== "sites" || this.isPortal || this.tab === "sites")
          .map((tab) => ({ path: pathOf(tab), label: settingsTabName(tab) }))}
        .current=${pathOf(this.tab)}
      ></hearth-tabs>
      ${this.content()}
    </div>`;
  }

  private content(): TemplateResult {
    const hasItem =
      this.tab === "users" || this.tab === "devices" || this.tab === "automations" || (this.tab === "areas" && this.item === "rooms");
    if (this.item && !hasItem) return this.notFound();
    switch (this.tab) {
      case "":
        return html`<div class="card stack">
          <h2>${t("settings.home")}</h2>
          <hearth-home-form .home=${this.home} .action=${t("action.save")} @saved=${() => notifyDone(t("action.saved"))}></hearth-home-form>
        </div>`;
      case "users":
        return html`<div class="stack">
          ${this.item ? nothing : html`<hearth-users .home=${this.home}></hearth-users>`}
          <hearth-late .load=${loadPeople} .draw=${({ drawPeople }: People) => drawPeople(this.home, this.item)}></hearth-late>
        </div>`;
      case "areas":
        return this.item ? html`<hearth-rooms .home=${this.home}></hearth-rooms>` : html`<hearth-areas .home=${this.home}></hearth-areas>`;
      case "devices":
        if (connectionPages.includes(this.item))
          return html`<hearth-late
            .load=${loadConnections}
            .draw=${({ drawConnections }: Connections) => drawConnections(this.home, this.item)}
          ></hearth-late>`;
        if (this.item === "add") return html`<hearth-add-devices .home=${this.home}></hearth-add-devices>`;
        if (this.item === "rooms") return html`<hearth-arrange-devices .home=${this.home}></hearth-arrange-devices>`;
        return this.item
          ? html`<hearth-device-page .home=${this.home} .deviceId=${this.item}></hearth-device-page>`
          : html`<hearth-devices .home=${this.home}></hearth-devices>`;
      case "automations":
        if (blueprintPages.includes(this.item))
          return html`<hearth-late
            .load=${loadBlueprints}
            .draw=${({ drawBlueprints }: Blueprints) => drawBlueprints(this.home, this.item)}
          ></hearth-late>`;
        return this.item
          ? html`<hearth-automation-page .home=${this.home} .item=${this.item}></hearth-automation-page>`
          : html`<hearth-automations .home=${this.home}></hearth-automations>`;
      case "energy":
        return html`<hearth-late
          .load=${loadEnergy}
          .draw=${() => html`<hearth-energy-meters .home=${this.home}></hearth-energy-meters>`}
        ></hearth-late>`;
      case "mqtt":
        return html`<hearth-settings-mqtt .home=${this.home}></hearth-settings-mqtt>`;
      case "sites":
        return html`<hearth-sites .home=${this.home}></hearth-sites>`;
      case "security":
        return html`<div class="stack">
          <hearth-login-attempts .home=${this.home}></hearth-login-attempts>
          <hearth-audit-log .home=${this.home}></hearth-audit-log>
        </div>`;
      case "backups":
        return html`<hearth-backups .home=${this.home}></hearth-backups>`;
      case "import":
        return html`<hearth-late
          .load=${loadImport}
          .draw=${() => html`<hearth-import-page .home=${this.home}></hearth-import-page>`}
        ></hearth-late>`;
      case "system":
        return html`<hearth-system .home=${this.home}></hearth-system>`;
      default:
        return this.notFound();
    }
  }

  private notFound(): TemplateResult {
    return html`<h2>${t("page.notFound")}</h2>
      <p>${t("page.notFoundHint")}</p>`;
  }
}
