// SPDX-License-Identifier: Apache-2.0
import { mdiPower, mdiRestart } from "@mdi/js";
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { errorText } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readSystemInfo } from "../../../api/system_info";
import type { Services, SystemInfo } from "../../../api/types";
import { confirm } from "../../../elements/confirm";
import { Polled } from "../../../elements/controllers";
import { attempt, notifyDone } from "../../../elements/notify";
import { formatBytes, formatDateTime, formatDuration, formatNumber, t, type Key } from "../../../i18n/catalogue";
import { figures } from "../../../styles/figures";
import { shared } from "../../../styles/shared";
import "./slow_callbacks";
import "../../../elements/icon";
import "../integrations";
import "./doctor";
import "./recorder";
import "./repairs";
import "./system_log";

const interval = 5000;

// How the hub is doing, what it has said, and its switch.
@customElement("hearth-system")
export class System extends LitElement {
  @property({ attribute: false }) home!: Home;
  private readonly info = new Polled<SystemInfo | undefined>(this, interval, () => readSystemInfo(this.home));
  @state() private services: Services = {};

  static override styles = [shared, figures];

  override firstUpdated(): void {
    void this.home.command<Services>("get_services").then(
      (services) => (this.services = services),
      () => undefined, // then there are no buttons
    );
  }

  private async order(service: "restart" | "stop"): Promise<void> {
    const yes = await confirm({
      heading: t(`system.${service}`),
      text: t(`system.${service}Text`),
      action: t(`system.${service}`),
      danger: true,
    });
    if (yes && (await attempt(() => this.home.call("homeassistant", service)))) notifyDone(t(`system.${service}Begun`));
  }

  override render() {
    return html`<div class="stack">
      <section class="card stack">
        <h2>${t("settings.system")}</h2>
        ${this.info.failure === undefined ? nothing : html`<p class="problem" role="alert">${errorText(this.info.failure)}</p>`}
        ${this.figures()}
      </section>
      <hearth-repairs class="card" .home=${this.home}></hearth-repairs>
      <hearth-doctor class="card" .home=${this.home}></hearth-doctor>
      ${this.slowCallbacks()}
      <hearth-integrations class="card" .home=${this.home}></hearth-integrations>
      <hearth-recorder class="card" .home=${this.home}></hearth-recorder>
      <hearth-system-log class="card" .home=${this.home}></hearth-system-log>
      ${this.power()}
    </div>`;
  }

  private power(): TemplateResult | typeof nothing {
    if (!this.services.homeassistant?.restart && !this.services.homeassistant?.stop) return nothing;
    return html`<section class="card stack">
      <h2>${t("system.power")}</h2>
      <p class="hint">${t("system.powerHint")}</p>
      <div class="row">${this.orderButton("restart", mdiRestart)} ${this.orderButton("stop", mdiPower)}</div>
    </section>`;
  }

  private orderButton(service: "restart" | "stop", path: string): TemplateResult | typeof nothing {
    if (!this.services.homeassistant?.[service]) return nothing;
    return html`<button type="button" class=${service === "stop" ? "danger" : ""} @click=${() => void this.order(service)}>
      <hearth-icon .path=${path}></hearth-icon>${t(`system.${service}`)}
    </button>`;
  }

  private slowCallbacks(): TemplateResult | typeof nothing {
    const slow = this.info.value?.bus?.slow ?? [];
    if (slow.length === 0) return nothing;
    return html`<hearth-slow-callbacks class="card" .slow=${slow} .zone=${this.home.configuration.time_zone}></hearth-slow-callbacks>`;
  }

  private figures(): TemplateResult {
    const info: Partial<SystemInfo> = this.info.value ?? {};
    const { configuration } = this.home;
    const rows: [Key, string | undefined, (string | undefined)?][] = [
      ["system.version", info.version ?? configuration.version],
      [
        "system.uptime",
        info.uptime === undefined ? undefined : formatDuration(Math.floor(info.uptime)),
        info.started_at && t("system.since", { time: formatDateTime(new Date(info.started_at), configuration.time_zone) }),
      ],
      [
        "system.memory",
        info.memory_resident === undefined ? undefined : formatBytes(info.memory_resident),
        info.memory_peak === undefined ? undefined : t("system.peak", { size: formatBytes(info.memory_peak) }),
      ],
      ["system.cpu", info.cpu_seconds === undefined ? undefined : formatDuration(Math.floor(info.cpu_seconds)), this.average(info)],
      ["system.threads", count(info.threads)],
      ["system.requests", count(info.http_connections)],
      ["system.websockets", count(info.websocket_connections)],
      ["system.streams", count(info.event_streams)],
      ["system.entities", count(info.entities ?? this.home.entities.size)],
      ["system.devices", count(info.devices ?? this.home.devices.size)],
      ["system.areas", count(info.areas ?? this.home.areas.size)],
      ["system.users", count(info.users)],
      ["system.database", info.database_size === undefined ? undefined : formatBytes(info.database_size)],
    ];
    return html`<dl>
      ${rows.map(([key, value, more]) =>
        value === undefined
          ? nothing
          : html`<div>
              <dt>${t(key)}</dt>
              <dd>${value}${more ? html`<small>${more}</small>` : nothing}</dd>
            </div>`,
      )}
      ${info.host
        ? html`<div class="long">
            <dt>${t("system.host")}</dt>
            <dd>${info.host}</dd>
          </div>`
        : nothing}
      <div class="long">
        <dt>${t("system.folder")}</dt>
        <dd class="mono">${info.config_dir ?? configuration.config_dir}</dd>
      </div>
    </dl>`;
  }

  // The part of one processor core that the hub has used since it started.
  private average({ cpu_seconds, uptime }: Partial<SystemInfo>): string | undefined {
    if (cpu_seconds === undefined || !uptime) return undefined;
    return t("system.average", { share: formatNumber(cpu_seconds / uptime, { style: "percent", maximumFractionDigits: 1 }) });
  }
}

function count(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatNumber(value);
}
